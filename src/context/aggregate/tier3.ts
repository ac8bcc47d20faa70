import { type AggregatedFile, withNotes } from './file-items.ts';
import { isTold, renderFile } from './files-section.ts';
import {
  besidesFiles,
  buildDiscussionText,
  joinSections,
  type MarkdownOptions,
  section,
} from './markdown.ts';
import type { StructureCache } from './structure-cache.ts';
import { showFile, type View, viewOf } from './view.ts';

export interface Tier3Options extends Omit<MarkdownOptions, 'summaryOnly' | 'aggregationStrategy'> {
  /** The files that the worker is to change: entries, names, paths, or parts of them. */
  readonly focusFiles?: readonly string[] | undefined;
  readonly cache?: StructureCache | undefined;
}

/**
 * The text of a context for a worker with a narrow task: the files in focus in full, whatever their view mode, of others
 * the slices that were chosen, found again where they are now, and else a skeleton. A file of tier 3, or with `force_full`, is
 * in focus. `auto_aggregate` and the view mode `none` count as ever.
 */
export async function buildTier3Context(
  fileItems: readonly AggregatedFile[],
  options: Tier3Options = {},
): Promise<string> {
  const { focusFiles = [], cache, history = [] } = options;
  const files: string[] = [];
  for (const item of fileItems.filter(isTold)) {
    const view = tier3View(item, isInFocus(item, focusFiles));
    files.push(renderFile(await show(item, view, cache)));
  }
  return joinSections([
    section('Files (Tier 3 - Focused)', files.join('\n\n')),
    ...besidesFiles(options),
    buildDiscussionText(history),
  ]);
}

/** By entry, file name or path; else by a part of the name that the text has for it. */
function isInFocus(item: AggregatedFile, focusFiles: readonly string[]): boolean {
  const { forceFull, unknown } = item.settings;
  if (forceFull || unknown.tier === 3) return true;
  return focusFiles.some((given) => {
    const focus = given.replace(/^\.\//, '');
    if (focus === '') return false;
    return focus === item.entry || focus === item.path || item.name.includes(focus);
  });
}

function tier3View({ settings }: AggregatedFile, isFocus: boolean): View {
  if (isFocus) return 'full';
  if (settings.viewMode !== 'none' && settings.customSlices.length > 0) return 'custom';
  const view = viewOf(settings);
  return view === 'full' ? 'skeleton' : view;
}

/** The same item in another view. What has no text, or is shown that way already, stays as it is. */
async function show(
  item: AggregatedFile,
  view: View,
  cache: StructureCache | undefined,
): Promise<AggregatedFile> {
  if (item.source === undefined || (item.view === view && !item.error)) return item;
  const shown = await showFile(item.name, item.source, item.settings, { view, cache });
  return { ...item, content: withNotes(shown), view: shown.view, error: false };
}
