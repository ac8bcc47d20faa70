import type { SessionId } from '../../base/ids.ts';
import { forgetSession } from '../../session/forget-session.ts';
import { removeTaskMark } from '../../session/record/task-mark.ts';
import { readTaskRecord } from '../../session/record/task-record.ts';
import { removePrePrompt } from '../../session/record/turn-snapshot.ts';
import type { SessionState } from '../../session/state.ts';
import { dropTranscriptCache } from '../../strategy/transcript/index-file.ts';
import type { Work } from '../../strategy/work.ts';

/**
 * Forgets a session with all that is kept beside its state, and the marks that its turn and its tasks left in the worktree
 * where it lives. The working copy of its transcript stays, and so do its snapshots. Under the session lock.
 *
 * @param state `undefined` where it cannot be read: then nobody knows where it lives
 * @throws the system error
 */
export function forgetWholeSession(
  { repo }: Work,
  id: SessionId,
  state: Pick<SessionState, 'worktreeId' | 'worktreePath'> | undefined,
): void {
  const { commonDir, worktreeId, worktreeRoot } = repo;
  const home = state?.worktreeId === worktreeId ? worktreeRoot : state?.worktreePath;
  if (home) {
    for (const { toolUseId } of readTaskRecord(commonDir, id).running) removeTaskMark(home, toolUseId);
    removePrePrompt(home, id);
  }
  dropTranscriptCache(commonDir, id);
  forgetSession(commonDir, id);
}
