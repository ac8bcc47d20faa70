import type { CheckpointId } from '../base/ids.ts';
import { readShadowBranch } from '../checkpoint/shadow-branch.ts';
import { forgetSession } from '../session/forget-session.ts';
import { withSessionLock } from '../session/lock.ts';
import { removePrePrompt } from '../session/turn-snapshot.ts';
import { condenseById } from '../strategy/commit/condense-by-id.ts';
import { dropShadowBranch } from '../strategy/commit/condense-session.ts';
import { dropTranscriptCache } from '../strategy/transcript/index-file.ts';
import type { Patient } from './patient.ts';
import type { StuckSession } from './stuck.ts';

/** Makes a checkpoint of a stuck session's steps (specification §7.5). @throws {EntireError} see `condenseById` */
export const condenseStuck = ({ work }: Patient, { id }: StuckSession): Promise<CheckpointId | undefined> =>
  condenseById(work, id);

/**
 * Removes what is known of a stuck session, and its steps, unless another session's are on the same branch. The files
 * in the worktree stay as they are.
 *
 * @throws {EntireError} `LOCKED`
 */
export async function discardStuck({ work, repo }: Patient, { id, state }: StuckSession): Promise<void> {
  await withSessionLock(work.sessions, id, () => forgetSession(repo.commonDir, id));
  dropTranscriptCache(repo.commonDir, id);
  removePrePrompt(state.worktreePath || repo.worktreeRoot, id);
  dropShadowBranch(work, id, readShadowBranch(work.git, state.baseCommit, state.worktreeId));
}
