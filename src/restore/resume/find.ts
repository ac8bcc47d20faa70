import type { CheckpointId } from '../../base/ids.ts';
import { CHECKPOINT_TRAILER } from '../../git/commit/trailers.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { type Git, gitText } from '../../git/run.ts';
import type { Branch } from '../../history/branch.ts';
import { readOwnChain } from '../../history/range.ts';

/** The newest commit of a branch that leads to a checkpoint. */
export interface FoundCommit {
  readonly commit: LogRow & { readonly checkpoint: CheckpointId };
  /** Commits on top of it that were not merges and lead nowhere. */
  readonly newer: number;
}

/** Messages that only quote a trailer are passed over; so many are looked at in one go. */
const BATCH = 20;

/**
 * Finds the newest checkpoint on a branch's own commits: HEAD, whatever it belongs to, then down the first parents to
 * the default branch. However far down it is, git alone walks there.
 *
 * @throws {EntireError} `GIT_FAILED` where the history is damaged
 */
export function findOnBranch(branch: Branch): FoundCommit | undefined {
  if (!branch.head) return undefined;
  const [head] = readLog(branch.git, { range: ['--no-walk', branch.head], limit: 1 }) ?? [];
  if (head && isLinked(head)) return { commit: head, newer: 0 };
  for (let skip = 0; ; skip += BATCH) {
    const containing = `${CHECKPOINT_TRAILER}:`;
    const rows = readOwnChain(branch, { limit: BATCH, skip, containing });
    const commit = rows.find(isLinked);
    if (commit) return { commit, newer: countWork(branch.git, commit.oid, branch.head) };
    if (rows.length < BATCH) return undefined;
  }
}

const isLinked = (row: LogRow): row is FoundCommit['commit'] => row.checkpoint !== undefined;

const countWork = (git: Git, from: string, to: string): number =>
  Number(gitText(git, ['rev-list', '--count', '--first-parent', '--max-parents=1', `${from}..${to}`, '--']));
