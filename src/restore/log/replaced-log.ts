import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { createFileAtomic, writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { sha256Of } from '../../base/hash.ts';
import { abandonedKeys } from '../../strategy/transcript/abandoned.ts';
import type { ReplacedLog } from '../rewind/note.ts';
import { type LogPlan, readIfThere } from './logs.ts';
import { keepLog, keptFile, removeLeftovers } from './logs-write.ts';

/**
 * Keeps the log that is about to be replaced, and the text that comes in its place where that is not its beginning: whoever goes on
 * with an operation that was killed, takes it back or does it again has both. Nothing is replaced yet.
 *
 * @throws the system error; nothing of it is left then
 */
export function keepBoth(commonDir: string, plan: LogPlan): ReplacedLog {
  const { file, bytes, sessionId } = plan;
  const kept = keepLog(commonDir, plan);
  const replaced = { file, kept, sha256: sha256Of(bytes) };
  try {
    const isPart = kept !== undefined && disk.readFileSync(kept).subarray(0, bytes.length).equals(bytes);
    if (isPart) return { ...replaced, bytes: bytes.length };
    const next = keptFile(commonDir, sessionId);
    createFileAtomic(next, bytes, { mode: 0o600, fsync: true });
    return { ...replaced, next };
  } catch (error) {
    dropBoth(replaced);
    throw error;
  }
}

/** A log that goes back, and that nothing can take the place of. */
export const refusedLog = (
  format: TranscriptFormat,
  { file, bytes }: LogPlan,
  refused: string,
): ReplacedLog => ({
  ...{ file, sha256: sha256Of(bytes), refused },
  abandoned: abandonedKeys(format, readIfThere(file) ?? Buffer.alloc(0), bytes),
});

/** By what is known what is given up in a log that was not replaced. @throws the system error */
export function abandonedIn(format: TranscriptFormat, log: ReplacedLog): readonly string[] {
  const { kept, bytes, next, abandoned } = log;
  if (abandoned || kept === undefined) return abandoned ?? [];
  const whole = disk.readFileSync(kept);
  return abandonedKeys(
    format,
    whole,
    next === undefined ? whole.subarray(0, bytes) : disk.readFileSync(next),
  );
}

/** Drops what {@link keepBoth} kept, of an operation that was never begun. */
export function dropBoth({ kept, next }: Partial<ReplacedLog>): void {
  for (const file of [kept, next]) if (file !== undefined) disk.rmSync(file, { force: true });
}

/**
 * Puts the new text in the place of the log, unless it is there already.
 *
 * @throws {EntireError} `REF_MOVED` where its agent went on in it since it was kept, `FILE_REFUSED`; and the system error
 */
export function replaceLog({ file, kept, sha256, bytes, next, refused }: ReplacedLog): void {
  if (refused !== undefined) throw new EntireError('FILE_REFUSED', refused);
  if (bytes === undefined && next === undefined) return; // of an earlier form, which did not keep it
  const now = readIfThere(file);
  if (now && sha256Of(now) === sha256) return;
  const before = kept === undefined ? undefined : disk.readFileSync(kept);
  const isSame = before ? now?.equals(before) : now === undefined;
  if (!isSame) throw new EntireError('REF_MOVED', `${file} was written to meanwhile`);
  removeLeftovers(file);
  const text = next === undefined ? (before as Buffer).subarray(0, bytes) : disk.readFileSync(next);
  writeFileAtomic(file, text, { mode: 0o600, fsync: true });
}

/** Puts the log back that was replaced, unless its agent has gone on in the new one. @throws the system error */
export function putLogBack({ file, kept, sha256, next }: ReplacedLog): void {
  const now = readIfThere(file);
  if (!now || sha256Of(now) !== sha256) return;
  if (kept !== undefined) writeFileAtomic(file, disk.readFileSync(kept), { fsync: true });
  else if (next !== undefined) disk.rmSync(file); // there was none, and this one is kept
}
