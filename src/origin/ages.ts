import { groupBy } from '../base/group-by.ts';
import type { ObjectId } from '../base/ids.ts';
import { once } from '../base/once.ts';
import { type Git, runGit } from '../git/run.ts';
import type { BlamedCommit } from './blamed-commits.ts';

/** When a commit was made: one that came of another is the later one, whatever their clocks say; infinite for what no commit has. */
export type AgeOf = (commit: ObjectId | undefined) => number;

const SECOND_MS = 1_000;

/**
 * Orders commits. Git counts in seconds, and a rebase makes dozens in one: of these history says which came first. A process when the first is
 * asked for, where there are such.
 */
export function openAges(git: Git, commits: ReadonlyMap<ObjectId, BlamedCommit>): AgeOf {
  const read = once(() => {
    const bySecond = groupBy([...commits], ([, { committedAt }]) => Date.parse(committedAt) || 0);
    const shared = [...bySecond].filter(([, some]) => some.length > 1);
    const tied = shared.flatMap(([, some]) => some.map(([oid]) => oid));
    const order = tied.length === 0 ? [] : newestFirst(git, tied, Math.min(...shared.map(([ms]) => ms)));
    const places = new Map(order.map((oid, at) => [oid, order.length - at]));
    const within = (oid: ObjectId): number => ((places.get(oid) ?? 0) / (order.length + 1)) * SECOND_MS;
    return new Map([...bySecond].flatMap(([ms, some]) => some.map(([oid]) => [oid, ms + within(oid)])));
  });
  return (commit) => (commit === undefined ? Number.POSITIVE_INFINITY : (read().get(commit) ?? 0));
}

/** Commits, and those between them, each before what it was made of. */
function newestFirst(git: Git, commits: readonly ObjectId[], sinceMs: number): string[] {
  const args = [
    'rev-list',
    '--topo-order',
    `--max-age=${sinceMs / SECOND_MS}`,
    '--ignore-missing',
    '--stdin',
  ];
  const input = commits.map((commit) => `${commit}\n`).join('');
  return runGit(git, args, { input, okUnknown: true }).stdout.toString('latin1').split('\n');
}
