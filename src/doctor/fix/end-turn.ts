import { now } from '../../base/clock.ts';
import { disk } from '../../base/disk.ts';
import { withSessionLock } from '../../session/lock.ts';
import { readState } from '../../session/state-store.ts';
import { completeTurn } from '../../strategy/turn/end.ts';
import { saveState } from '../../strategy/work.ts';
import type { Patient } from '../patient.ts';
import { judgeStuck, type StuckSession } from '../stuck.ts';

/** A client that writes is alive, whatever its hooks say. */
const ALIVE_MS = 60 * 60 * 1000;

/**
 * Ends the turn of a session that never ended it (specification W7): its work waits for a commit as that of any other,
 * and commits without a terminal are no longer taken for its own. Nothing is condensed or lost.
 *
 * @returns whether it was ended; false for one that is not in a turn, or whose agent is alive after all
 * @throws {EntireError} `LOCKED`, `STATE_UNREADABLE`
 */
export const endStuckTurn = ({ work }: Patient, { id, reason }: StuckSession): Promise<boolean> =>
  withSessionLock(work.sessions, id, async () => {
    const state = readState(work.sessions, id);
    if (reason.kind === 'uncondensed' || state?.phase !== 'active') return false;
    if (!judgeStuck(state, false, now().getTime()) || isWriting(state.transcriptPath)) return false;
    const over = { ...state, phase: 'idle' as const };
    saveState(work, over);
    // Checkpoints of commits made in the turn get what the transcript has to say since.
    if (over.turnCheckpointIds.length > 0) saveState(work, await completeTurn(work, over));
    return true;
  });

function isWriting(transcript: string): boolean {
  const stat = transcript === '' ? undefined : disk.statSync(transcript, { throwIfNoEntry: false });
  return stat !== undefined && now().getTime() - stat.mtimeMs <= ALIVE_MS;
}
