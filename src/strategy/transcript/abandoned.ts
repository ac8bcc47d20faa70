import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { NOTHING_PRIVATE, readPrivate, writePrivate } from '../../session/private-record.ts';
import { dropTranscriptCache } from './index-file.ts';
import { readStretches } from './private.ts';
import { keysOf } from './private-keys.ts';

/**
 * By what is known again that a rewind gave up, in a transcript that still has it: whatever is not in the one that it decided on.
 * Its agent may go on behind it.
 */
export function abandonedKeys(format: TranscriptFormat, whole: Buffer, cut: Buffer): string[] {
  const keysIn = (bytes: Buffer): string[] =>
    keysOf(format, bytes, { bytes: 0, items: 0 }, { fromMs: 0, toMs: -1, what: 'forgotten' });
  const stays = new Set(keysIn(cut));
  return keysIn(whole).filter((key) => !stays.has(key));
}

/**
 * From here on nobody reads what a rewind gave up; without keys, of a rewind that was taken back, it is read again. Only under the
 * session's lock, since what was read before is dropped.
 *
 * @param rewind by what it is known
 * @returns whether that is so
 */
export function setAbandoned(
  commonDir: string,
  id: SessionId,
  rewind: string,
  keys: (() => readonly string[]) | undefined,
): boolean {
  try {
    const known = readPrivate(commonDir, id);
    const before = known ?? { ...NOTHING_PRIVATE, stretches: readStretches(commonDir, id) };
    if (!keys && !before.abandoned.has(rewind)) return true;
    const abandoned = new Map(before.abandoned);
    if (keys) abandoned.set(rewind, keys());
    else abandoned.delete(rewind);
    writePrivate(commonDir, id, { ...before, abandoned });
    dropTranscriptCache(commonDir, id);
    return true;
  } catch (error) {
    log('warn', 'what a rewind gave up is not left out', { session_id: id, error: describeError(error) });
    return false;
  }
}
