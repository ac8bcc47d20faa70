import { readShadowBranch } from '../../checkpoint/shadow-branch.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../work.ts';

/**
 * A state that auto-commit left counts the checkpoints it made; here the count is that of the steps on the shadow
 * branch. One that counts steps, has no files and no branch is such a state.
 */
export function adopt(work: Work, state: SessionState): SessionState {
  if (state.checkpointCount === 0 || state.filesTouched.length > 0) return state;
  const { tip } = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
  return tip ? state : { ...state, checkpointCount: 0 };
}
