import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process/builds.ts';
import { FAULTS } from './kinds.ts';
import type { Counts } from './run-case.ts';

const FILE = join(root, 'dist', 'test', 'fault-counts.jsonl');

export const forget = (): void => rmSync(FILE, { force: true });

/** Keeps the counts of one hook, for {@link renderCounts}; test files run in processes of their own. */
export const record = (counts: Counts): void => appendFileSync(FILE, `${JSON.stringify(counts)}\n`);

/** The counts of a whole run, in plain words. */
export function renderCounts(): string {
  if (!existsSync(FILE)) return 'No fault was tried.';
  const all = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Counts);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const runsOf = (counts: Counts) => sum(Object.values(counts.runs));
  const byFault = FAULTS.map((fault) => [fault, sum(all.map(({ runs }) => runs[fault] ?? 0))] as const);
  return [
    `${all.length} hooks at a moment of their own, ${sum(all.map(({ operations }) => operations))} operations together,` +
      ` ${byFault.filter(([, count]) => count > 0).length} faults: ${sum(all.map(runsOf))} runs.`,
    `In ${sum(all.map(({ followed }) => followed))} of them the session went on to a linked commit and git checked its` +
      ' objects; the others had left the same as one of these, up to ids and times.',
    `By fault: ${byFault.map(([fault, count]) => `${fault} ${count}`).join(', ')}.`,
    ...all.map((counts) => `  ${counts.hook}: ${counts.operations} operations, ${runsOf(counts)} runs`),
  ].join('\n');
}
