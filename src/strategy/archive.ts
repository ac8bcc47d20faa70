import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { dropIndex, listSummaries, type SessionSummary } from '../session/session-index.ts';
import { archiveState } from '../session/state-store.ts';
import { readTaskRecord } from '../session/task-record.ts';
import type { Work } from './work.ts';

/** Nobody heard of the session for so long: its commits are amended no more, and its conversation is hardly resumed. */
const QUIET_MS = 24 * 60 * 60 * 1000;
/** So many cost a hook nothing that could be measured; those of a small repository stay where other versions look. */
const MAX_QUIET = 50;
/** Moved by one hook. */
const MAX_MOVED = 200;

type Life = Pick<
  SessionSummary,
  'phase' | 'startedAt' | 'lastInteractionTime' | 'checkpointCount' | 'filesTouched'
>;

/**
 * Months of sessions pile up, and every hook looks at each of them: those that are over, with nothing that waits for a
 * commit, leave the folder. Their states stay readable; the next prompt brings one back.
 *
 * @param isPending whether a session has work that no commit holds yet, as the strategy sees it
 */
export function archiveOldSessions(work: Work, isPending: (life: Life) => boolean): void {
  try {
    const isOver = (life: Life) =>
      life.phase !== 'active' &&
      !isPending(life) &&
      Date.now() - (Date.parse(life.lastInteractionTime ?? life.startedAt) || 0) > QUIET_MS;
    const quiet = listSummaries(work.sessions, work.settled).sessions.filter(
      (session) => !session.isTracked && isOver(session),
    );
    if (quiet.length <= MAX_QUIET) return;
    for (const { sessionId } of quiet.slice(0, MAX_MOVED)) {
      if (readTaskRecord(work.repo.commonDir, sessionId).running.length > 0) continue;
      archiveState(work.sessions, sessionId, isOver);
      work.settled.delete(sessionId);
    }
    dropIndex(work.sessions);
    log('info', 'old sessions archived', { count: Math.min(quiet.length, MAX_MOVED) });
  } catch (error) {
    log('warn', 'old sessions not archived', { error: describeError(error) });
  }
}
