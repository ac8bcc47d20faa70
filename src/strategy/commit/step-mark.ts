import { describeError } from '../../base/errors.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { markStep } from '../../snapshot/record/step-marks.ts';
import { sessionStore } from '../../snapshot/store/blobs.ts';
import type { Work } from '../work.ts';

/** What was left of a session at a commit became a step: its records were made before. Never throws. */
export function markLeftStep({ repo }: Work, sessionId: SessionId, step: ObjectId): void {
  if (!keepsContents(repo)) return;
  try {
    markStep(sessionStore(repo.commonDir, sessionId, repo.worktreeId), step, undefined);
  } catch (error) {
    log('warn', 'step not marked for rewind', { session_id: sessionId, error: describeError(error) });
  }
}
