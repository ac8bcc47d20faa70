import { withSessionLock } from '../../session/lock.ts';
import { readState } from '../../session/state-store.ts';
import { completeTurn } from '../../strategy/turn/end.ts';
import { keepEnded } from '../../strategy/turn/keep.ts';
import { saveState } from '../../strategy/work.ts';
import { findReason, type StuckSession } from '../examine/stuck.ts';
import type { Patient } from '../patient.ts';

/**
 * Ends the turn of a session that never ended it: its work waits for a commit as that of any other, and commits without
 * a terminal are no longer taken for its own. Nothing is condensed or lost.
 *
 * @returns whether it was ended; false for one that is not in a turn, or whose agent is alive after all
 * @throws {EntireError} `LOCKED`, `STATE_UNREADABLE`
 */
export const endStuckTurn = ({ work }: Patient, { id, reason }: StuckSession): Promise<boolean> =>
  withSessionLock(work.sessions, id, async () => {
    const state = readState(work.sessions, id);
    if (reason.kind === 'uncondensed' || state?.phase !== 'active') return false;
    if (!findReason(work.repo, state, false)) return false;
    await keepEnded(work, state);
    const over = { ...state, phase: 'idle' as const };
    saveState(work, over);
    // Checkpoints of commits made in the turn get what the transcript has to say since.
    if (over.turnCheckpointIds.length > 0) saveState(work, await completeTurn(work, over));
    return true;
  });
