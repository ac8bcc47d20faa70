import { shortType } from '../../agents/names.ts';
import { counted, showPath } from '../../base/text/text.ts';
import { sumOf } from '../../origin/line-shares.ts';
import type { Grouping, LineStats } from '../../origin/line-stats.ts';
import { renderCount } from '../session/show/view.ts';
import { renderShares } from '../ui/line-shares.ts';
import { percentages } from '../ui/percentages.ts';
import { type Column, renderTable } from '../ui/table.ts';
import { oneLine } from '../ui/terminal.ts';
import { costOf, isMixed, type MixedGrouping, type OwnerRow, rowsByAgent, rowsBySession } from './rows.ts';
import * as text from './text.ts';

/** More rows are for programs. */
const MAX_ROWS = 20;

/** What a range of commits came to, for people. `width`: columns of the terminal, where there is one. */
export function renderLineStats(
  stats: LineStats,
  by: Grouping | undefined,
  { width, hasRemote }: { readonly width: number | undefined; readonly hasRemote: boolean },
): string {
  const { range, added, surviving } = stats;
  if (range.commits.length === 0) return [text.nothing(range), ...text.leftOut(stats)].join('\n');
  const notes = [
    ...(range.hasMore ? [text.OLDER] : []),
    ...(surviving ? [] : [text.NO_END]),
    ...text.leftOut(stats),
    ...(stats.missing > 0 ? [text.missing(stats.missing)] : []),
    ...text.findRecord(stats, hasRemote),
  ];
  const head = [text.whichCommits(range), ...notes].join('\n');
  if (sumOf(added) === 0) return [head, text.NO_LINES].join('\n\n');
  const tables = (by ? [by] : (['agent', 'person'] as const)).map((one) =>
    isMixed(one) ? renderMixed(stats, one, width) : renderOwners(stats, one, width),
  );
  return [head, renderTotals(stats), ...tables].join('\n\n');
}

/** No share without the others: what is unknown is part of the answer. */
function renderTotals(stats: LineStats): string {
  const { sessions, prompts, tokens } = costOf(stats.sessions);
  const cost = [
    counted(sessions, 'session'),
    counted(prompts, 'prompt'),
    tokens === undefined ? 'tokens not reported' : `${renderCount(tokens)} tokens`,
  ];
  return [
    `Added:      ${renderShares(stats.added)}`,
    ...(stats.surviving ? [`Surviving:  ${renderShares(stats.surviving)}`] : []),
    ...(stats.added.unknown > 0 ? [`Unknown:    ${renderReasons(stats)}`] : []),
    `Record:     ${cost.join(', ')}`,
  ].join('\n');
}

const renderReasons = ({ unknown }: LineStats): string =>
  [...unknown]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${renderCount(count)} ${text.UNKNOWN[reason] ?? reason}`)
    .join('; ');

const right = (title: string, drop?: number): Column => ({
  ...{ title, align: 'right' as const },
  ...(drop === undefined ? {} : { drop }),
});

/** A row for each agent or session, and for what is of none. */
function renderOwners(stats: LineStats, by: 'agent' | 'session', width: number | undefined): string {
  const rows = ownersOf(stats, by);
  const shares = percentages(rows.map(({ added }) => added));
  const [owners, rest] = [rows.slice(0, -2), rows.slice(-2)];
  const shown = [...owners.slice(0, MAX_ROWS), ...rest];
  const columns: Column[] = [
    { title: by, least: 12 },
    right('added'),
    right(''),
    right('surviving', 4),
    ...(by === 'agent' ? [right('sessions', 1)] : []),
    right('prompts', 2),
    right('tokens', 3),
  ];
  const cells = shown.map((row) => [
    oneLine(row.name),
    renderCount(row.added),
    `${shares[rows.indexOf(row)]}%`,
    row.surviving === undefined ? '-' : renderCount(row.surviving),
    ...(by === 'agent' ? [row.sessions === undefined ? '' : renderCount(row.sessions)] : []),
    row.prompts === undefined ? '' : renderCount(row.prompts),
    row.sessions === undefined ? '' : row.tokens === undefined ? '-' : renderCount(row.tokens),
  ]);
  return withMore(renderTable(columns, cells, width), owners.length);
}

export const ownersOf = (stats: LineStats, by: 'agent' | 'session'): OwnerRow[] =>
  by === 'agent'
    ? rowsByAgent(stats)
    : rowsBySession(stats, ({ sessionId, agent, prompt }) =>
        `${sessionId.slice(0, 8)} ${shortType(agent)}${prompt ? ` “${prompt}”` : ''}`.trim(),
      );

/** A row for each person, file or month, with the shares of its own lines. */
function renderMixed(stats: LineStats, by: MixedGrouping, width: number | undefined): string {
  const groups = stats.groups[by];
  const columns: Column[] = [
    { title: by, least: 12 },
    ...(by === 'file' ? [] : [right('commits', 1)]),
    right('added'),
    ...['agent', 'human', 'unknown'].flatMap((kind) => [right(kind), right('')]),
    right('surviving', 2),
  ];
  const cells = groups.slice(0, MAX_ROWS).map(({ key, added, surviving, commits }) => {
    const counts = [added.agent, added.human, added.unknown];
    const shares = percentages(counts);
    return [
      oneLine(nameOfGroup(by, key)),
      ...(by === 'file' ? [] : [renderCount(commits)]),
      renderCount(sumOf(added)),
      ...counts.flatMap((count, at) => [renderCount(count), `${shares[at]}%`]),
      stats.surviving ? renderCount(sumOf(surviving)) : '-',
    ];
  });
  return withMore(renderTable(columns, cells, width), groups.length);
}

/** `Ada` for `Ada <ada@example.com>`, unless that is all there is. */
export const nameOf = (person: string): string => person.replace(/(?<=.) <[^<>]*>$/, '').trim() || person;

/** How a group is called in a table. */
export const nameOfGroup = (by: Grouping, key: string): string => {
  if (by === 'person') return nameOf(key);
  return by === 'file' ? showPath(key) : key;
};

const withMore = (table: string, rows: number): string =>
  rows > MAX_ROWS ? `${table}\n… and ${rows - MAX_ROWS} more: --json` : table;

/** How the report is coloured. */
export const TONES: readonly RegExp[] = [
  /^(?:Added|Surviving): .*(?<agent>agent [^(]*\(\d+%\)), (?<you>human [^(]*\(\d+%\)), (?<quiet>unknown .*)$/d,
  /^(?<quiet>Unknown: .*)$/d,
];
