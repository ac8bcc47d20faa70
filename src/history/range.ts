import { EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { type LogQuery, type LogRow, readLog } from '../git/log.ts';
import { type Git, gitText } from '../git/run.ts';
import type { Branch } from './branch.ts';

/**
 * Reads a branch's own commits: on the default branch its whole history, merged work included; elsewhere the first-parent
 * chain down to the first commit that is on that of the default branch as well. A detached HEAD that is a commit of the
 * default branch is looked at like that branch. One process; with a git before 2.35 up to five.
 *
 * @throws {EntireError} `GIT_FAILED` where the history is damaged: what lies below that nobody knows
 */
export function readBranchLog(branch: Branch, query: Omit<LogQuery, 'range'>): LogRow[] {
  const { git, head, defaults, isDefault, name } = branch;
  if (!head) return [];
  if (isDefault || (name === undefined && isOnChain(git, head, defaults)))
    return readLog(git, { ...query, range: [head] }) ?? refuse();
  return readOwnChain(branch, query);
}

/**
 * The first-parent chain of a branch: on the default branch all of it, elsewhere down to that of the default branch.
 *
 * @throws {EntireError} as {@link readBranchLog}
 */
export function readOwnChain(branch: Branch, query: Omit<LogQuery, 'range'>): LogRow[] {
  const { git, head } = branch;
  if (!head) return [];
  const defaults = branch.isDefault ? [] : branch.defaults;
  if (defaults.length === 0) return readLog(git, { ...query, range: ['--first-parent', head] }) ?? refuse();
  const range = ['--first-parent', '--exclude-first-parent-only', head, '--not', ...defaults];
  return (
    readLog(git, { ...query, range }) ??
    readLog(git, { ...query, range: rangeByHand(git, head, defaults) }) ??
    refuse()
  );
}

function refuse(): never {
  throw new EntireError('GIT_FAILED', 'the history of this branch cannot be read', {
    hint: '`git log` and `git fsck` say what is wrong with it.',
  });
}

const chain = (git: Git, range: readonly string[]): string[] =>
  gitText(git, ['rev-list', '--first-parent', ...range, '--']).split('\n');

/** For a git that has no word for leaving out a first-parent chain. */
function rangeByHand(git: Git, head: ObjectId, defaults: readonly ObjectId[]): string[] {
  const excluded = new Set(defaults.flatMap((tip) => chain(git, [tip])));
  const boundary = chain(git, [head]).find((oid) => excluded.has(oid));
  return ['--first-parent', head, ...(boundary ? ['--not', boundary] : [])];
}

/** Whether a commit is on the first-parent chain of one of the tips. The walk ends at the commit's parents. */
const isOnChain = (git: Git, commit: ObjectId, tips: readonly ObjectId[]): boolean =>
  tips.some((tip) => chain(git, [tip, '--not', `${commit}^@`]).includes(commit));

/** Those of `commits` that are on the first-parent chain of `tip`. One process. */
export function onChain(git: Git, tip: ObjectId, commits: readonly ObjectId[]): Set<ObjectId> {
  const oids = new Set(chain(git, [tip]));
  return new Set(commits.filter((oid) => oids.has(oid)));
}

/** Those of `commits` that are no ancestors of `head`. One process, if there are any commits. */
export function listNotReached(git: Git, commits: readonly ObjectId[], head: ObjectId): Set<ObjectId> {
  if (commits.length === 0) return new Set();
  const oids = new Set(gitText(git, ['rev-list', ...commits, '--not', head, '--']).split('\n'));
  return new Set(commits.filter((oid) => oids.has(oid)));
}

const LARGEST_BATCH = 4096;

/**
 * Commits in larger and larger batches, for whoever looks for some among them: no more are read than it goes on asking for.
 *
 * @param read `undefined` where there is no such range; nothing comes behind that
 */
export function* growingBatches<T extends readonly LogRow[] | undefined>(
  first: number,
  read: (part: Required<Pick<LogQuery, 'limit' | 'skip'>>) => T,
): Generator<T> {
  for (let skip = 0, limit = first; ; limit = Math.min(limit * 4, LARGEST_BATCH)) {
    const rows = read({ limit, skip });
    yield rows;
    if (!rows || rows.length < limit) return;
    skip += limit;
  }
}
