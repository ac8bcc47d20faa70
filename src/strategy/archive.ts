import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { withSessionLock } from '../session/lock.ts';
import { readTaskRecord } from '../session/record/task-record.ts';
import { dropIndex, listSummaries, type SessionSummary } from '../session/session-index.ts';
import { archiveState } from '../session/state-store.ts';
import type { Work } from './work.ts';

/** Nobody heard of the session for so long: its commits are amended no more, and its conversation is hardly resumed. */
const QUIET_MS = 24 * 60 * 60 * 1000;
/** So many cost a hook nothing that could be measured; those of a small repository stay where other versions look. */
const MAX_QUIET = 50;
/** Moved by one hook. */
const MAX_MOVED = 100;

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
export async function archiveOldSessions(work: Work, isPending: (life: Life) => boolean): Promise<void> {
  const isOver = (life: Life) =>
    life.phase !== 'active' &&
    !isPending(life) &&
    Date.now() - (Date.parse(life.lastInteractionTime ?? life.startedAt) || 0) > QUIET_MS;
  try {
    const { sessions } = listSummaries(work.sessions, work.settled);
    const quiet = sessions.filter((session) => !session.isTracked && isOver(session));
    if (quiet.length <= MAX_QUIET) return;
    const movable = quiet.filter(({ sessionId }) => !hasRunningTask(work, sessionId));
    if (movable.length <= MAX_QUIET) return;
    let moved = 0;
    for (const { sessionId } of movable.slice(0, MAX_MOVED))
      if (await archive(work, sessionId, isOver)) moved++;
    if (moved === movable.length) dropIndex(work.sessions); // else most of it is still true
    log('info', 'old sessions archived', { count: moved });
  } catch (error) {
    log('warn', 'old sessions not archived', { error: describeError(error) });
  }
}

const hasRunningTask = (work: Work, id: SessionId): boolean =>
  readTaskRecord(work.repo.commonDir, id).running.length > 0;

/** A session that somebody works on at this moment, or that cannot be moved, stays for the next time. */
async function archive(work: Work, id: SessionId, isOver: (life: Life) => boolean): Promise<boolean> {
  try {
    const move = () => !hasRunningTask(work, id) && archiveState(work.sessions, id, isOver);
    return await withSessionLock(work.sessions, id, move, { waitMs: 0 });
  } catch (error) {
    log('debug', 'session not archived', { session_id: id, error: describeError(error) });
    return false;
  } finally {
    work.settled.delete(id);
  }
}
