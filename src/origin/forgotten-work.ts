import type { ObjectId } from '../base/ids.ts';
import type { Verdict } from '../session/record/verdicts.ts';
import type { Tombstone } from '../session/tombstones.ts';
import type { BlamedCommit } from './blamed-commits.ts';

/** Git counts in seconds. */
const SLACK_MS = 1_000;

/**
 * Tells whether lines of a file may be work that was forgotten before a commit had it: they wait, or a hook saw a commit being made with
 * them since then, up to the first one that is new. Then none of them is a person's for sure.
 *
 * @param commits of the file
 */
export function openForgottenWork(
  stones: readonly Tombstone[],
  commits: ReadonlyMap<ObjectId, Pick<BlamedCommit, 'authoredAt'>>,
  verdictOf: (commit: ObjectId) => Verdict | undefined,
): (commit: ObjectId | undefined, names: readonly string[]) => boolean {
  const madeMs = (commit: ObjectId): number => Date.parse(verdictOf(commit)?.at ?? '');
  // An amend need not have what waits: the time of its author is the old one.
  const newMs = [...commits].map(([commit, { authoredAt }]) => ({
    atMs: madeMs(commit),
    sinceMs: Math.min(madeMs(commit), Date.parse(authoredAt) + SLACK_MS),
  }));
  return (commit, names) =>
    stones.some(({ paths, atMs }) => {
      if (!names.some((name) => paths.includes(name))) return false;
      const first = Math.min(...newMs.flatMap((one) => (one.sinceMs > atMs ? one.atMs : [])));
      if (commit === undefined) return first === Number.POSITIVE_INFINITY;
      return madeMs(commit) > atMs && madeMs(commit) <= first;
    });
}
