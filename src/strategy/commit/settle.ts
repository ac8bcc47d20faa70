import { describeError } from '../../base/errors.ts';
import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type Commit, findCommitsOf, readCommit } from '../../git/commit/commits.ts';
import { AMENDED } from '../../git/commit/moves.ts';
import { isSequenceInProgress } from '../../git/commit/operation.ts';
import { readRecentMoves } from '../../git/ref/reflog.ts';
import { readHead } from '../../git/ref/refs.ts';
import { countAttempt, forgetOwed, listOwed, type OwedCheckpoint } from '../../session/record/owed.ts';
import { readPauses } from '../../session/record/pause.ts';
import type { Work } from '../work.ts';

/** A promise that could not be kept so many times needs a person. */
export const MAX_ATTEMPTS = 5;
/** So much may a clock have been set back between a promise and its commit. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps the promises of earlier commits in this worktree: their hook was killed, or another hook held a session's lock
 * for too long. Called first by every hook that works with sessions; usually there is nothing to do.
 *
 * @param current the commit whose own hook this is
 */
export async function settleOwed(work: Work, current?: Commit): Promise<void> {
  const { commonDir, worktreeId } = work.repo;
  // What is owed is made of transcripts as they are now: it waits for the end of a private stretch.
  const pauses = readPauses(commonDir);
  if (pauses.length > 0) return;
  const open = listOwed(commonDir, worktreeId).filter(({ id, own }) => !own && id !== current?.links.own);
  // In the middle of a rebase the worktree is not what the user left, and the commits are not where they will be.
  if (open.length === 0 || isSequenceInProgress(work.repo.gitDir)) return;
  const head = current?.oid ?? readHead(work.git, work.repo) ?? '';
  const due = open.filter((owed) => owed.head !== head && owed.attempts < MAX_ATTEMPTS);
  const commits = findOwedCommits(work, due);
  for (const owed of due) {
    try {
      await settle(work, owed, commits.get(owed.id));
    } catch (error) {
      log('warn', 'checkpoint is still owed', { checkpoint: owed.id, error: describeError(error) });
    }
  }
}

/** The commits of what is owed: in HEAD's history, and else on another branch, which the user has left meanwhile. */
export function findOwedCommits(work: Work, due: readonly OwedCheckpoint[]): Map<CheckpointId, ObjectId> {
  const found = new Map<CheckpointId, ObjectId>();
  // Commits that were given up in the editor pile up on the same HEAD.
  for (const since of new Set(due.map(({ head }) => head))) {
    const group = due.filter(({ head }) => head === since);
    const search = (onBranchesSinceMs?: number) => {
      const ids = group.map(({ id }) => id).filter((id) => !found.has(id));
      if (ids.length === 0) return;
      for (const [id, oid] of findCommitsOf(work.git, ids, { since, onBranchesSinceMs })) found.set(id, oid);
    };
    search();
    search(Math.min(...group.map(({ atMs }) => atMs)) - CLOCK_SLACK_MS);
  }
  return found;
}

async function settle(work: Work, owed: OwedCheckpoint, oid: ObjectId | undefined): Promise<void> {
  const commit = oid && readCommit(work.git, oid);
  // The commit was never made.
  if (!commit || isCopy(work, commit, owed)) return forgetOwed(work.repo.commonDir, owed.id);
  countAttempt(work.repo.commonDir, owed);
  log('info', 'completing a checkpoint that is owed', { checkpoint: owed.id, commit: commit.oid });
  const { concludeCommit } = await import('./link.ts'); // seldom needed, and large
  await concludeCommit(work, commit, owed);
}

/**
 * Whether an amend was promised and given up, and the commit that was to be amended has been replayed or amended elsewhere
 * since then. What is amended keeps its parents, and git notes that it was, unless it keeps no reflog.
 */
function isCopy({ git, repo }: Work, commit: Commit, { id, head }: OwedCheckpoint): boolean {
  const before = head === '' ? undefined : readCommit(git, head);
  if (before?.links.own !== id) return false;
  if (before.parents.join() !== commit.parents.join()) return true;
  const moves = readRecentMoves(repo.gitDir);
  return moves.length > 0 && !moves.some(({ to, action }) => to === commit.oid && action === AMENDED);
}

/** Whether a commit was made in this worktree whose checkpoint is still to come. `head` is where HEAD is now. */
export const hasOwed = ({ repo }: Work, head: string | undefined): boolean =>
  listOwed(repo.commonDir, repo.worktreeId).some(
    (owed) => !owed.own && owed.head !== (head ?? '') && owed.attempts < MAX_ATTEMPTS,
  );
