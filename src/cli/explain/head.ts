import { transcriptFormatOf } from '../../agents/registry.ts';
import { asObject } from '../../base/text/json.ts';
import { showPath } from '../../base/text/text.ts';
import type { LineCounts } from '../../git/commit/line-counts.ts';
import type { TokenUsage } from '../../session/state.ts';
import { renderCount } from '../session/show/view.ts';
import { oneLine } from '../ui/terminal.ts';
import { padTo, widthOf } from '../ui/width.ts';
import { renderCounts, type StoryView } from './story.ts';
import * as text from './text.ts';

type Paint = StoryView['paint'];

/** What stands above a story: a name, and what is to be said; nothing where nothing is known. */
export type HeadRow = readonly [name: string, value: string | undefined];

const NAME_WIDTH = 'Checkpoint:'.length;

/** Names and values in two columns; what is not known is left out. Values are as they are printed. */
export const renderHead = (rows: readonly HeadRow[]): string[] =>
  rows.flatMap(([name, value]) => (value ? `${`${name}:`.padEnd(NAME_WIDTH)}  ${value}` : []));

/** The agent, and the models that answered. */
export const renderAgent = (agent: string, models: readonly string[]): string =>
  [agent, ...models].map(oneLine).filter(Boolean).join(', ');

/** Tokens by what they cost: new input, what went through the cache, and output; `undefined` where none are told. */
export function renderTokens(usage: TokenUsage | undefined, agent: string): string | undefined {
  if (!usage) return undefined;
  const { inputTokens, cacheCreationTokens: written, cacheReadTokens: read, outputTokens } = usage;
  const fresh = transcriptFormatOf(agent).inputHoldsCached ? Math.max(0, inputTokens - read) : inputTokens;
  const cached = read + written;
  if (fresh + cached + outputTokens === 0) return undefined;
  const parts = [
    read > 0 ? `${renderCount(read)} read` : '',
    written > 0 ? `${renderCount(written)} written` : '',
  ];
  return [
    `${renderCount(fresh)} fresh input`,
    ...(cached > 0 ? [`${renderCount(cached)} cached (${parts.filter(Boolean).join(', ')})`] : []),
    `${renderCount(outputTokens)} output`,
  ].join(', ');
}

/** Counts of lines as they are stored, which know neither moved lines nor those of unknown origin. */
export function renderAttribution(stored: unknown): string | undefined {
  const told = asObject(stored);
  const count = (key: string) => (Number.isSafeInteger(told[key]) ? (told[key] as number) : undefined);
  const agent = count('agent_lines');
  return agent === undefined
    ? undefined
    : text.estimate(agent, count('human_added') ?? 0, count('human_modified') ?? 0);
}

/** Files shown unless all are asked for. */
const MAX_FILES = 100;
/** Counts of files with longer names stand where the name ends. */
const MAX_NAME = 40;

/** A line for each file, with the lines that came and went where that is known. */
export function renderFiles(
  files: readonly string[],
  lines: ReadonlyMap<string, LineCounts>,
  { paint, isWhole }: { readonly paint: Paint; readonly isWhole: boolean },
): string[] {
  const shown = (isWhole ? files : files.slice(0, MAX_FILES)).map((file) => [showPath(file), file] as const);
  const width = Math.min(MAX_NAME, Math.max(0, ...shown.map(([name]) => widthOf(name))));
  const rows = shown.map(([name, file]) =>
    `  ${padTo(name, width)}${renderCounts(lines.get(file), paint)}`.trimEnd(),
  );
  const more = files.length - shown.length;
  return [...rows, ...(more > 0 ? [text.moreFiles(more)] : [])];
}
