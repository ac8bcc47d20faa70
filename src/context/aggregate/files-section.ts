import { extname } from 'node:path';
import { fence } from '../../base/text/text.ts';
import { renderPath } from '../file-section.ts';
import type { AggregatedFile } from './file-items.ts';
import { summariseFile } from './summary.ts';
import { EXCLUDED, type View } from './view.ts';

/** What of a file the text shows. */
type Shown = Pick<AggregatedFile, 'name' | 'content' | 'view' | 'error'>;

/**
 * The files of a context, each below its name and fenced; the empty text where none is to be shown. What an item says of
 * `auto_aggregate` counts: `false` is not told at all.
 */
export const buildFilesSection = (items: readonly AggregatedFile[]): string =>
  items.filter(isTold).map(renderFile).join('\n\n');

/**
 * The files of a context, each in a few lines. One with `force_full` is told in full, one with the view mode `none` is
 * left out, and the sentence of a failure stands as it is.
 */
export const buildSummaryMarkdown = (items: readonly AggregatedFile[]): string =>
  items
    .filter(isTold)
    .map((item) => renderFile(toSummary(item)))
    .join('\n\n');

/** Whether a file is part of the text, be it with a sentence only. */
export const isTold = ({ settings }: AggregatedFile): boolean => settings.autoAggregate;

function toSummary(item: AggregatedFile): Shown {
  if (item.source === undefined || item.settings.forceFull || item.view === 'none') return item;
  return { ...item, content: summariseFile(item.name, item.source), view: 'summary', error: false };
}

/** A file below its name. Names are chosen by others, so that one which could be taken for more is quoted. */
export function renderFile({ name, content, view }: Shown): string {
  const heading = `### \`${renderPath(name)}\``;
  if (view === 'none') return `${heading} (excluded)\n\n${EXCLUDED}`;
  return `${heading}\n\n${fence(content, languageTag(name, view))}`;
}

/** The ending of the file's name, where the content is of that kind. */
function languageTag(name: string, view: View | undefined): string {
  const isCode = view !== undefined && view !== 'summary' && view !== 'outline' && view !== 'custom';
  const ending = extname(name).slice(1);
  return isCode && /^[\w+#-]+$/.test(ending) ? ending : 'text';
}
