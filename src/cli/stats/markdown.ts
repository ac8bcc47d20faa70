import { counted } from '../../base/text/text.ts';
import { type Shares, sumOf } from '../../origin/line-shares.ts';
import type { Grouping, LineStats } from '../../origin/line-stats.ts';
import { renderCount } from '../session/show/view.ts';
import { percentages } from '../ui/percentages.ts';
import { oneLine } from '../ui/terminal.ts';
import { costOf, isMixed, type OwnerRow, rowsByAgent } from './rows.ts';
import * as text from './text.ts';
import { nameOf, nameOfGroup, ownersOf } from './view.ts';

/** Tables to paste into a pull request: no row is left out, and nothing in a name is markup there, nor calls anybody. */
export function renderMarkdown(stats: LineStats, by: Grouping | undefined): string {
  if (stats.range.commits.length === 0) return toText(text.nothing(stats.range));
  const { sessions, prompts, tokens } = costOf(stats.sessions);
  const cost = [
    counted(sessions, 'session'),
    counted(prompts, 'prompt'),
    ...(tokens === undefined ? [] : [`${renderCount(tokens)} tokens`]),
  ];
  const notes = [...text.leftOut(stats), ...(stats.missing > 0 ? [text.missing(stats.missing)] : [])];
  const table =
    by === undefined
      ? owners(everybody(stats), 'lines')
      : isMixed(by)
        ? mixed(stats, by)
        : owners(ownersOf(stats, by), by);
  return [
    ...table,
    '',
    [`${toText(text.whichCommits(stats.range))}; ${cost.join(', ')}.`, ...notes].join(' '),
  ].join('\n');
}

/** Agents, persons by name, and what is unknown. */
function everybody(stats: LineStats): OwnerRow[] {
  const rows = rowsByAgent(stats);
  const unknown = rows.at(-1) as OwnerRow;
  const persons = stats.groups.person
    .filter(({ added }) => added.human > 0)
    .map(({ key, added, surviving }) => ({
      name: nameOf(key),
      added: added.human,
      surviving: stats.surviving && surviving.human,
    }));
  const humans = persons.length > 0 ? persons : rows.slice(-2, -1);
  return [...rows.slice(0, -2), ...humans, unknown];
}

function owners(rows: readonly OwnerRow[], title: string): string[] {
  const added = withShares(rows.map((row) => row.added));
  const surviving = rows.every((row) => row.surviving !== undefined)
    ? withShares(rows.map((row) => row.surviving ?? 0))
    : rows.map(() => '-');
  return [
    `| ${title} | added | surviving |`,
    '| --- | ---: | ---: |',
    ...rows.map(({ name }, at) => `| ${toText(name)} | ${added[at]} | ${surviving[at]} |`),
  ];
}

function mixed(stats: LineStats, by: 'person' | 'file' | 'month'): string[] {
  return [
    `| ${by} | added | agent | human | unknown | surviving |`,
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...stats.groups[by].map(({ key, added, surviving }) => {
      const left = stats.surviving ? renderCount(sumOf(surviving)) : '-';
      const cells = [renderCount(sumOf(added)), ...withShares(countsOf(added)), left];
      return `| ${toText(nameOfGroup(by, key))} | ${cells.join(' | ')} |`;
    }),
  ];
}

const countsOf = ({ agent, human, unknown }: Shares): number[] => [agent, human, unknown];

function withShares(counts: readonly number[]): string[] {
  const shares = percentages(counts);
  return counts.map((count, at) => `${renderCount(count)} (${shares[at]}%)`);
}

/** As text: whatever a name, a path or a prompt holds. */
const toText = (name: string): string =>
  oneLine(name)
    .replace(/[\\`*_{}[\]|~#!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
