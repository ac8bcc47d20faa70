import { describeError } from '../base/errors.ts';
import { sha256Of } from '../base/hash.ts';
import { type ObjectId, parseSessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { Repo } from '../git/locate.ts';
import { markAgain } from '../snapshot/record/step-marks.ts';
import { sessionStore } from '../snapshot/store/blobs.ts';

/** A step that has another name since what it stood on went. */
export interface MadeAgain {
  readonly sessionId: string;
  readonly old: ObjectId;
  readonly step: ObjectId;
}

/** What is known of steps by their names holds for the new ones. What cannot be noted is passed over. */
export function markAllAgain({ commonDir, worktreeId }: Repo, again: readonly MadeAgain[]): void {
  for (const sessionId of new Set(again.map((one) => one.sessionId))) {
    const id = parseSessionId(sessionId);
    if (!id) continue;
    try {
      const own = again.filter((one) => one.sessionId === sessionId);
      markAgain(sessionStore(commonDir, id, worktreeId), own);
    } catch (error) {
      log('warn', 'steps made again not marked for rewind', { session_id: id, error: describeError(error) });
    }
  }
}

/** Holds the branch as it will be until it is; named after the session, so that one that was killed leaves one at most. */
export const stagedRef = (sessionId: string): string =>
  `refs/entire/rewind/${sha256Of(sessionId).slice(0, 12)}`;
