import type { SessionId } from '../base/ids.ts';
import { forgetIntroduction } from '../session/introduction.ts';
import { deleteState } from '../session/state-store.ts';
import { removeTaskMark } from '../session/task-mark.ts';
import { readTaskRecord, writeTaskRecord } from '../session/task-record.ts';
import { claimFilesTouched, listForeignWorktrees } from '../session/tracking-file.ts';
import { removeBaseline, removePrePrompt } from '../session/turn-snapshot.ts';
import { forgetUserLines } from '../session/user-lines.ts';
import { dropTranscriptCache } from '../strategy/transcript/index-file.ts';
import type { Work } from '../strategy/work.ts';

/**
 * Forgets a session: its state, what it tracked and no step has, and everything that is kept beside the state. The
 * working copy of its transcript stays, and so do its snapshots. Under the session lock; the state goes last, so that
 * what was cut short can be done again.
 *
 * @param isHere whether it lives in this worktree, where its turn and its tasks left marks
 * @throws the system error
 */
export function forgetSession({ repo, sessions }: Work, id: SessionId, isHere: boolean): void {
  const { commonDir, worktreeRoot } = repo;
  if (isHere) {
    for (const { toolUseId } of readTaskRecord(commonDir, id).running)
      removeTaskMark(worktreeRoot, toolUseId);
    removePrePrompt(worktreeRoot, id);
  }
  writeTaskRecord(commonDir, id, { running: [], redacted: [] });
  removeBaseline(commonDir, id);
  forgetUserLines(commonDir, id);
  dropTranscriptCache(commonDir, id);
  forgetIntroduction(commonDir, id);
  // An edit that comes in at this moment finds its line gone, and writes it again.
  for (const worktree of [undefined, ...listForeignWorktrees(sessions, id)])
    claimFilesTouched(sessions, id, worktree).release();
  deleteState(sessions, id);
}
