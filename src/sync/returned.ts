import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { readSlotMetadata } from '../checkpoint/committed.ts';
import type { Git } from '../git/run.ts';
import { listTombstones, type Tombstone } from '../session/tombstones.ts';

/** Sessions that were forgotten here, and that a remote has brought back into checkpoints. Usually none was ever forgotten. */
export const findReturned = (git: Git, commonDir: string): Tombstone[] =>
  listTombstones(commonDir).filter(({ isWhole, checkpoints, sessionId, atMs }) => {
    if (!isWhole) return false;
    try {
      return checkpoints.some((id) =>
        readSlotMetadata(git, id).some(
          (slot) => slot.sessionId === sessionId && Date.parse(slot.createdAt) <= atMs,
        ),
      );
    } catch (error) {
      log('warn', 'not known whether a session came back', { error: describeError(error) });
      return false;
    }
  });
