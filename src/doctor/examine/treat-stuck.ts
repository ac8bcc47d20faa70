import { readShadowBranch, shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { withSessionLock } from '../../session/lock.ts';
import type { SessionState } from '../../session/state.ts';
import { readState } from '../../session/state-store.ts';
import { condenseById } from '../../strategy/commit/condense-by-id.ts';
import { type BranchFate, dropBranch } from '../clean/drop-branch.ts';
import { forgetWholeSession } from '../clean/session-files.ts';
import type { Patient } from '../patient.ts';
import { findReason, type StuckSession } from './stuck.ts';

/**
 * Makes a checkpoint of a stuck session's steps.
 *
 * @returns whether it was made; false for one that is stuck no more, or has no steps any more
 * @throws {EntireError} see `condenseById`
 */
export const condenseStuck = async ({ work }: Patient, session: StuckSession): Promise<boolean> =>
  readStuck(work, session) !== undefined && (await condenseById(work, session.id)) !== undefined;

/**
 * Removes what is known of a stuck session, and its steps, unless another session's are on the same branch. The files
 * in the worktree stay as they are.
 *
 * @returns what became of its branch, where there was one; false for a session that is stuck no more
 * @throws {EntireError} `LOCKED`, `STATE_UNREADABLE`
 */
export const discardStuck = (
  { work }: Patient,
  session: StuckSession,
): Promise<BranchFate | undefined | false> =>
  withSessionLock(work.sessions, session.id, () => {
    const state = readStuck(work, session);
    if (!state) return false;
    forgetWholeSession(work, session.id, state);
    return dropBranch(work, shadowBranch(state.baseCommit, state.worktreeId), session.id);
  });

/** Its state, if it is as stuck as it was: somebody may have taken their time to decide. */
function readStuck({ sessions, git, repo }: Patient['work'], { id }: StuckSession): SessionState | undefined {
  const state = readState(sessions, id);
  if (!state) return undefined;
  const { tip } = readShadowBranch(git, state.baseCommit, state.worktreeId);
  return findReason(repo, state, tip !== undefined) && state;
}
