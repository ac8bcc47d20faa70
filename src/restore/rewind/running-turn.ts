import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import {
  readBaseline,
  rememberFingerprints,
  type TurnBaseline,
  writeBaseline,
} from '../../session/record/turn-snapshot.ts';
import { readState } from '../../session/state-store.ts';
import { readTurnBegin } from '../../snapshot/turn/turn-begin.ts';
import { readLive } from '../../strategy/transcript/live.ts';
import { countItems } from '../../strategy/transcript/part.ts';
import type { Work } from '../../strategy/work.ts';
import { placeOf } from '../step-back.ts';

/** What is known of the turn that a session is in, where it went back meanwhile. Never throws. */

/** What was put back is no change of anybody's since the last look. */
export const rememberFiles = (work: Work, id: SessionId, files: readonly RepoPath[]): void =>
  inTurn(work, id, (baseline) => {
    const { commonDir, worktreeRoot } = work.repo;
    rememberFingerprints(commonDir, id, baseline, worktreeRoot, files);
  });

/**
 * Its transcript was cut, or put back: what comes from now on is what the turn says, and where that is there again, from its prompt on.
 */
export const followTranscript = (work: Work, id: SessionId): void =>
  inTurn(work, id, (baseline, state) => {
    const { commonDir } = work.repo;
    const begin = readTurnBegin(placeOf(work.repo, id).store);
    const first = begin?.turnId === baseline.turnId ? begin.transcript.items : baseline.items;
    const items = Math.min(first, countItems(readLive(commonDir, state)));
    if (items !== baseline.items) writeBaseline(commonDir, id, { ...baseline, items });
  });

function inTurn(
  { repo, sessions }: Work,
  id: SessionId,
  body: (baseline: TurnBaseline, state: NonNullable<ReturnType<typeof readState>>) => void,
): void {
  try {
    const state = readState(sessions, id);
    const baseline = state && readBaseline(repo.commonDir, id, state.turnId);
    if (baseline) body(baseline, state);
  } catch (error) {
    log('warn', 'turn baseline not updated', { session_id: id, error: describeError(error) });
  }
}
