import { collapse } from '../../base/text/text.ts';
import type { CustomSlice } from '../slice/custom-slice.ts';
import { FuzzyAnchor, type LineRange, linesOf, type SliceResolution } from '../slice/fuzzy-anchor.ts';

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
