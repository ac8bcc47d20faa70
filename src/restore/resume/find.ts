import { readCheckpoints } from '../../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks } from '../../checkpoint/read/fit.ts';
import { linkedIds } from '../../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../../git/commit/trailers.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { type Git, gitText } from '../../git/run.ts';
import type { Branch } from '../../history/branch.ts';
import { readOwnChain } from '../../history/range.ts';

/** The newest commit of a branch that leads to a checkpoint. */
export interface FoundCommit {
  readonly commit: LogRow;
  /** Commits on top of it that were not merges and lead nowhere. */
  readonly newer: number;
}

/** Messages that only quote a trailer are passed over: what they name must be here, and fit. So many are looked at in one go. */
const BATCH = 20;

/**
 * Finds the newest checkpoint on a branch's own commits: HEAD, whatever it belongs to, then down the first parents to
 * the default branch. However far down it is, git alone walks there.
 *
 * @throws {EntireError} `GIT_FAILED` where the history is damaged
 */
export async function findOnBranch(branch: Branch): Promise<FoundCommit | undefined> {
  if (!branch.head) return undefined;
  const [head] = readLog(branch.git, { range: ['--no-walk', branch.head], limit: 1 }) ?? [];
  if (head && (await findLinked(branch, [head]))) return { commit: head, newer: 0 };
  for (let skip = 0; ; skip += BATCH) {
    const containing = `${CHECKPOINT_TRAILER}:`;
    const rows = readOwnChain(branch, { limit: BATCH, skip, containing });
    const commit = await findLinked(branch, rows);
    if (commit) return { commit, newer: countWork(branch.git, commit.oid, branch.head) };
    if (rows.length < BATCH) return undefined;
  }
}

/** The first that has a checkpoint of its own, or those of commits that were squashed into it. */
async function findLinked(
  { git, repo, store }: Branch,
  rows: readonly LogRow[],
): Promise<LogRow | undefined> {
  const at = rows.findIndex(({ links }) => links.own !== undefined);
  const before = (at === -1 ? rows : rows.slice(0, at)).filter(({ links }) => links.all.length > 0);
  if (before.length > 0) {
    const stored = await readCheckpoints(store, [
      ...new Set(before.flatMap(({ links }) => linkedIds(links))),
    ]);
    const misfits = findMisfits(git, repo.commonDir, before, stored);
    const found = before.find((row) => {
      const { checkpoints, misfit } = followLinks(row, stored, misfits);
      return checkpoints.length > 0 && misfit === undefined;
    });
    if (found) return found;
  }
  return rows[at];
}

const countWork = (git: Git, from: string, to: string): number =>
  Number(gitText(git, ['rev-list', '--count', '--first-parent', '--max-parents=1', `${from}..${to}`, '--']));
