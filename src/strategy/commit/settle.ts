import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { type Commit, findCommitOf } from '../../git/commits.ts';
import { readRef } from '../../git/refs.ts';
import { countAttempt, forgetOwed, listOwed, type OwedCheckpoint } from '../../session/owed.ts';
import type { Work } from '../work.ts';

/** A promise that could not be kept so many times needs a person. */
const MAX_ATTEMPTS = 5;

/**
 * Keeps the promises of earlier commits in this worktree: their hook was killed, or another hook held a session's lock
 * for too long. Called first by every hook that works with sessions; usually there is nothing to do.
 *
 * @param current the commit whose own hook this is
 */
export async function settleOwed(work: Work, current?: Commit): Promise<void> {
  const { commonDir, worktreeId } = work.repo;
  const due = listOwed(commonDir, worktreeId).filter(({ id }) => id !== current?.checkpoint);
  if (due.length === 0) return;
  const head = current?.oid ?? readRef(work.git, 'HEAD') ?? '';
  for (const owed of due) {
    if (owed.head === head || owed.attempts >= MAX_ATTEMPTS) continue;
    try {
      await settle(work, owed);
    } catch (error) {
      log('warn', 'checkpoint is still owed', { checkpoint: owed.id, error: describeError(error) });
    }
  }
}

async function settle(work: Work, owed: OwedCheckpoint): Promise<void> {
  const commit = findCommitOf(work.git, owed.id, owed.head);
  if (!commit) return forgetOwed(work.repo.commonDir, owed.id); // the commit was never made
  countAttempt(work.repo.commonDir, owed);
  log('info', 'completing a checkpoint that is owed', { checkpoint: owed.id, commit: commit.oid });
  const { concludeCommit } = await import('./link.ts'); // seldom needed, and large
  await concludeCommit(work, commit, owed);
}
