import { expect, test } from 'vitest';
import type { StatsReport, StatsRow } from '../../../conversation/stats/report.ts';
import { renderStats } from './view.ts';

const sums = {
  ...{ sessions: 2, turns: 30, input_tokens: 1000, output_tokens: 20, cache_creation_tokens: 0 },
  ...{ cache_read_tokens: 0, cost_usd: null, files: 1, commits: 0 },
};
const day = (key: string, turns: number): StatsRow => ({ ...sums, key, turns });
const report: StatsReport = {
  ...{ ...sums, since: null, until: '2026-11-23T12:00:00Z', unread: 0, by_agent: [], by_repository: [] },
  by_day: [day('2026-11-20', 20), day('2026-11-21', 0), day('2026-11-22', 10), day('2026-11-23', 1)],
};

const chart = (width: number | undefined): string[] => {
  const lines = renderStats(report, width).split('\n');
  const at = lines.indexOf('Turns by day:');
  return lines.slice(at + 1, at + 5);
};

test('bars are as long as turns, and fit into the terminal', () => {
  expect(chart(undefined)).toEqual([
    `2026-11-20  20  ${'#'.repeat(50)}`,
    '2026-11-21   0',
    `2026-11-22  10  ${'#'.repeat(25)}`,
    '2026-11-23   1  ###',
  ]);
  expect(chart(36)).toEqual([
    `2026-11-20  20  ${'#'.repeat(20)}`,
    '2026-11-21   0',
    `2026-11-22  10  ${'#'.repeat(10)}`,
    '2026-11-23   1  #',
  ]);
  for (const width of [24, 20, 17])
    for (const line of chart(width)) expect(line.length, `${width}: ${line}`).toBeLessThanOrEqual(width);
  for (const width of [16, 10, 1]) expect(chart(width)[0], `${width}`).toBe('2026-11-20  20');
  expect(chart(0), 'a terminal that does not tell').toEqual(chart(undefined));
});
