import type { StatsReport, StatsRow, StatsSums } from '../../../conversation/stats/report.ts';
import { homely } from '../../ui/paths.ts';
import { renderTable } from '../../ui/table.ts';
import { oneLine } from '../../ui/terminal.ts';
import { renderCost, renderCount } from '../show/view.ts';

/** So many days are drawn; more say nothing at a glance. */
const MAX_DAYS = 30;
const MAX_ROWS = 10;
const DEFAULT_WIDTH = 80;
const MOST_BAR = 50;

/** What sessions came to, for people. @param width columns of the terminal; `undefined` where it is piped, 0 where it does not tell */
export function renderStats(report: StatsReport, width: number | undefined): string {
  const since = report.since === null ? '' : ` since ${report.since}`;
  if (report.sessions === 0) return `No session${since}.`;
  const unread = report.unread === 0 ? [] : [`Not read:  ${report.unread}`];
  const parts = [
    [
      `Sessions${since}:  ${renderCount(report.sessions)}`,
      `Turns:     ${renderCount(report.turns)}`,
      `Tokens:    ${renderCount(tokensOf(report))} (${renderCount(report.output_tokens)} out)`,
      `Cost:      ${report.cost_usd === null ? 'not reported' : renderCost(report.cost_usd)}`,
      `Files:     ${renderCount(report.files)}`,
      `Commits:   ${renderCount(report.commits)}`,
      ...unread,
    ].join('\n'),
    renderRows('AGENT', report.by_agent, width),
    renderChart(report.by_day, width || DEFAULT_WIDTH),
    renderRows('REPOSITORY', report.by_repository, width),
  ];
  return parts.join('\n\n');
}

const tokensOf = (sums: StatsSums): number =>
  sums.input_tokens + sums.output_tokens + sums.cache_creation_tokens + sums.cache_read_tokens;

function renderRows(title: string, rows: readonly StatsRow[], width: number | undefined): string {
  const right = (name: string) => ({ title: name, align: 'right' as const });
  const columns = [
    { title, least: 12 },
    ...['SESSIONS', 'TURNS', 'TOKENS', 'COST', 'FILES', 'COMMITS'].map(right),
  ];
  const cells = rows
    .slice(0, MAX_ROWS)
    .map((row) => [
      oneLine(homely(row.key)) || '-',
      renderCount(row.sessions),
      renderCount(row.turns),
      renderCount(tokensOf(row)),
      row.cost_usd === null ? '-' : renderCost(row.cost_usd),
      renderCount(row.files),
      renderCount(row.commits),
    ]);
  const rest = rows.length - MAX_ROWS;
  return renderTable(columns, cells, width) + (rest > 0 ? `\n… and ${rest} more` : '');
}

/** A bar for each day, as long as it had turns against the day with the most; none where the terminal has no room for it. */
function renderChart(days: readonly StatsRow[], width: number): string {
  const shown = days.slice(-MAX_DAYS);
  const most = Math.max(1, ...shown.map(({ turns }) => turns));
  const figures = shown.map(({ turns }) => renderCount(turns));
  const widest = Math.max(...figures.map(({ length }) => length));
  const room = Math.max(0, Math.min(MOST_BAR, width - '2026-11-23'.length - widest - 4));
  const rows = shown.map(({ key, turns }, at) => {
    const length = turns === 0 ? 0 : Math.max(Math.min(1, room), Math.round((turns / most) * room));
    return `${key}  ${(figures[at] ?? '').padStart(widest)}  ${'#'.repeat(length)}`.trimEnd();
  });
  const earlier = days.length > shown.length ? `, the last ${shown.length} days with any` : '';
  return [`Turns by day${earlier}:`, ...rows].join('\n');
}
