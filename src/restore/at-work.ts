import { now } from '../base/clock.ts';
import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { readBaseline } from '../session/record/turn-snapshot.ts';
import type { SessionState } from '../session/state.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { isInBackground } from '../strategy/sessions.ts';
import { heardMs, isAbandoned, isWriting } from '../strategy/signs-of-life.ts';
import { readLive } from '../strategy/transcript/live.ts';
import { readPart } from '../strategy/transcript/part.ts';
import { readLastWords } from '../strategy/turn/words.ts';
import type { Work } from '../strategy/work.ts';

/** A session without a word for so long is over, though no client says so. */
const SILENT_MS = 24 * 60 * 60 * 1000;

/** In a turn, or between two with a sub-agent at work: the prompt that tells of its end goes on with the turn before. */
export const isInTurn = (work: Work, id: SessionId): boolean => lookAtTurn(work, id).isInTurn;

function lookAtTurn(work: Work, id: SessionId) {
  const state = readStateIfReadable(work.sessions, id);
  const isBackground = isInBackground(work, { sessionId: id });
  return { state, isBackground, isInTurn: state?.phase === 'active' || isBackground };
}

/**
 * Whether a session is in the middle of a turn as far as anybody can tell. Of a turn that broke off no hook tells: its client died, an
 * error of the model's service ended it, or somebody interrupted it.
 */
export function isAtWork(work: Work, id: SessionId): boolean {
  const { state, isBackground, isInTurn } = lookAtTurn(work, id);
  if (!isInTurn) return false;
  if (!state) return true;
  if (isAbandoned(work.repo.commonDir, state)) return false;
  if (now().getTime() - heardMs(state) > SILENT_MS && !isWriting(state)) return false;
  return isBackground || !isBrokenOff(work, state);
}

/** Whether the last words of a turn are that it was stopped: an error, or somebody who interrupted it. */
function isBrokenOff({ repo }: Work, state: SessionState): boolean {
  try {
    const baseline = readBaseline(repo.commonDir, state.sessionId, state.turnId);
    if (!baseline) return false;
    const { text } = readPart(readLive(repo.commonDir, state), baseline.items);
    return readLastWords(state, text).isStop;
  } catch (error) {
    log('info', 'end of a turn not looked for', {
      session_id: state.sessionId,
      error: describeError(error),
    });
    return false;
  }
}
