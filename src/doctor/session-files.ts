import type { SessionId } from '../base/ids.ts';
import { forgetSession } from '../session/forget-session.ts';
import { removeTaskMark } from '../session/task-mark.ts';
import { readTaskRecord } from '../session/task-record.ts';
import { removePrePrompt } from '../session/turn-snapshot.ts';
import { dropTranscriptCache } from '../strategy/transcript/index-file.ts';
import type { Work } from '../strategy/work.ts';

/**
 * Forgets a session with all that is kept beside its state. The working copy of its transcript stays, and so do its
 * snapshots. Under the session lock.
 *
 * @param isHere whether it lives in this worktree, where its turn and its tasks left marks
 * @throws the system error
 */
export function forgetWholeSession({ repo }: Work, id: SessionId, isHere: boolean): void {
  const { commonDir, worktreeRoot } = repo;
  if (isHere) {
    for (const { toolUseId } of readTaskRecord(commonDir, id).running)
      removeTaskMark(worktreeRoot, toolUseId);
    removePrePrompt(worktreeRoot, id);
  }
  dropTranscriptCache(commonDir, id);
  forgetSession(commonDir, id);
}
