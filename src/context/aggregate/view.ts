import { collapse } from '../../base/text/text.ts';
import type { FileItem, ViewMode } from '../file-item.ts';
import { showStructure, type ViewRequest } from '../skeleton/source-view.ts';
import type { CustomSlice } from '../slice/custom-slice.ts';
import { FuzzyAnchor, type LineRange, linesOf, type SliceResolution } from '../slice/fuzzy-anchor.ts';
import { readStructureCached, type StructureCache } from './structure-cache.ts';
import { summariseFile } from './summary.ts';

/** What is shown of a file: the view modes, and the two shortcuts that a file item has for code. */
export type View = ViewMode | 'signatures' | 'definitions';

/** What stands in place of a file that is left out on purpose. */
export const EXCLUDED = '(context excluded)';

/** How a file item's settings are shown. */
export type ViewSettings = Pick<
  FileItem,
  'viewMode' | 'forceFull' | 'astSignatures' | 'astDefinitions' | 'astMask' | 'customSlices'
>;

/** A file as it is shown. */
export interface ShownFile {
  /** The view that it really is: `summary` where the one that was asked for cannot be had. */
  readonly view: View;
  readonly text: string;
  /** What a reader has to know of it: that something is missing, and why. */
  readonly notes: readonly string[];
}

/**
 * The view that an item asks for. `force_full` outranks all. `ast_signatures` and `ast_definitions` stand for a view of
 * code where the item has none of its own (`full`, `skeleton`, `masked` without a mask); both together show definitions,
 * in which the signatures are. A mask or slices that are asked for, but not there, leave nothing to choose by: that is
 * a summary, which says so.
 */
export function viewOf(item: ViewSettings): View {
  if (item.forceFull) return 'full';
  const hasMask = Object.keys(item.astMask).length > 0;
  const isOpen =
    item.viewMode === 'full' || item.viewMode === 'skeleton' || (item.viewMode === 'masked' && !hasMask);
  if (isOpen && item.astDefinitions) return 'definitions';
  if (isOpen && item.astSignatures) return 'signatures';
  if (item.viewMode === 'masked' && !hasMask) return 'summary';
  if (item.viewMode === 'custom' && item.customSlices.length === 0) return 'summary';
  return item.viewMode;
}

/** Shows a text as `view` says. A view that needs a grammar which we do not have, or which fails, is a summary. */
export async function showFile(
  name: string,
  text: string,
  item: ViewSettings,
  { view = viewOf(item), cache }: { readonly view?: View; readonly cache?: StructureCache | undefined } = {},
): Promise<ShownFile> {
  switch (view) {
    case 'full':
      return { view, text, notes: [] };
    case 'none':
      return { view, text: EXCLUDED, notes: [] };
    case 'summary':
      return { view, text: summariseFile(name, text), notes: whatIsMissing(item) };
    case 'custom':
      return { view, text: renderSlices(text, item.customSlices), notes: [] };
    case 'masked':
      return showSource(name, text, { mode: view, mask: item.astMask }, cache);
    default:
      return showSource(name, text, { mode: view }, cache);
  }
}

/** Why a view that was asked for cannot be had, whatever the file. */
function whatIsMissing({ viewMode, astMask, customSlices, forceFull }: ViewSettings): readonly string[] {
  if (forceFull) return [];
  if (viewMode === 'masked' && Object.keys(astMask).length === 0)
    return ['a summary, because the view masked needs a mask, and there is none'];
  if (viewMode === 'custom' && customSlices.length === 0)
    return ['a summary, because the view custom needs slices, and there are none'];
  return [];
}

async function showSource(
  name: string,
  text: string,
  request: ViewRequest,
  cache: StructureCache | undefined,
): Promise<ShownFile> {
  const reading = await readStructureCached(name, text, cache);
  if (reading.status !== 'read') {
    const why =
      reading.status === 'failed' ? `could not be made: ${reading.reason}` : 'knows no such language';
    return {
      view: 'summary',
      text: summariseFile(name, text),
      notes: [`a summary, because the view ${request.mode} ${why}`],
    };
  }
  const shown = showStructure(text, reading.structure, request);
  const unknown = shown.unknown.length > 0 ? [`not in the file: ${shown.unknown.join(', ')}`] : [];
  return { view: request.mode, text: shown.text, notes: [...(shown.note ? [shown.note] : []), ...unknown] };
}

/**
 * The slices of a text, each found again by its anchor where it has one:
 *
 * ```text
 * ---
 * [Slice: parser] (what reads tokens)
 * Lines 3-9:
 * …
 * ```
 *
 * A slice whose text has changed is shown at its place and says so. One whose place is not known is told without lines:
 * other lines would pass for what somebody chose.
 */
export const renderSlices = (text: string, slices: readonly CustomSlice[]): string =>
  slices
    .map((slice) => renderSlice(linesOf(text), slice, FuzzyAnchor.resolveSlice(text, slice)))
    .join('\n\n');

function renderSlice(lines: readonly string[], slice: CustomSlice, found: SliceResolution): string {
  const tag = slice.tag ? `[Slice: ${collapse(slice.tag)}]` : '[Slice]';
  const head = ['---', slice.comment ? `${tag} (${collapse(slice.comment)})` : tag];
  const { startLine, endLine } = found;
  const original = `lines ${slice.start_line}-${slice.end_line}`;
  if (startLine === undefined) {
    const where = listRanges(found.candidates);
    const place = where === '' ? 'is not found' : `may be any of lines ${where}`;
    const what = found.status === 'gone' ? 'is gone' : `has changed, and ${place}`;
    return [...head, `(not shown: what was ${original} ${what})`].join('\n');
  }
  return [
    ...head,
    `Lines ${startLine}-${endLine}${noteOf(found, original)}:`,
    ...lines.slice(startLine - 1, endLine),
  ].join('\n');
}

/** The first few of them: a line such as `}` stands everywhere. */
function listRanges(ranges: readonly LineRange[]): string {
  const named = ranges.slice(0, MAX_RANGES).map((it) => `${it.startLine}-${it.endLine}`);
  const rest = ranges.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

const MAX_RANGES = 5;

function noteOf({ status, candidates }: SliceResolution, original: string): string {
  const others = listRanges(candidates.slice(1));
  const notes = [
    ...(status === 'moved' ? [`moved, was ${original}`] : []),
    ...(status === 'changed' ? [`changed since it was chosen as ${original}`] : []),
    ...(others === '' ? [] : [`may also be lines ${others}`]),
  ];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}
