import type { SessionId } from '../../base/ids.ts';
import { withSessionLock } from '../../session/lock.ts';
import { forgetUserLines } from '../../session/record/user-lines.ts';
import type { SessionState } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { dropTranscriptCache } from '../transcript/index-file.ts';
import { takeIn } from '../transcript/take-in.ts';
import { saveState, type Work } from '../work.ts';
import { completeTurn } from './end.ts';

/**
 * Takes in all that is left of a session's transcript, however long that takes, and completes the checkpoints that waited for it.
 * Those of a turn that goes on are completed when that ends.
 *
 * @param isPending whether a session has work that no commit holds yet
 * @throws {EntireError} `LOCKED`
 */
export async function finishTranscript(
  work: Work,
  sessionId: SessionId,
  isPending: (state: SessionState) => boolean,
): Promise<void> {
  const state = readStateIfReadable(work.sessions, sessionId);
  if (!state || !(await takeIn(work, state, Number.POSITIVE_INFINITY))) return;
  await withSessionLock(
    work.sessions,
    sessionId,
    async () => {
      const current = readStateIfReadable(work.sessions, sessionId);
      if (!current || current.phase === 'active') return;
      const state = current.turnCheckpointIds.length === 0 ? current : await completeTurn(work, current);
      if (state !== current) saveState(work, state);
      if (state.phase !== 'ended' || isPending(state)) return;
      // As the end of the session does where nothing waits.
      dropTranscriptCache(work.repo.commonDir, sessionId);
      forgetUserLines(work.repo.commonDir, sessionId);
    },
    { waitMs: PATIENT_MS },
  );
}

/** Nobody waits for us. */
const PATIENT_MS = 30_000;
