import { dirname } from 'node:path';
import { disk, O_CREAT, O_EXCL, O_WRONLY, writeAll } from './disk.ts';
import { errnoOf } from './errors.ts';
import { newId } from './ids.ts';

export interface WriteOptions {
  /** Permission bits of a new file. An existing file keeps its own. Default 0600. */
  readonly mode?: number;
  /** Waits until the bytes are on the disk. Off on hook paths: safe against a kill, not against a power cut. */
  readonly fsync?: boolean;
}

/**
 * Replaces `file` so that readers see the old text or the new text, never a part. Creates missing folders (0750).
 *
 * The temporary name is unique per call: two processes may replace the same file, and the later rename wins.
 * Its ending keeps it out of listings that look for `.json`.
 *
 * @throws the system error, after removing the temporary file
 */
export function writeFileAtomic(file: string, data: string | Uint8Array, options: WriteOptions = {}): void {
  const temp = `${file}.${process.pid}-${newId()}.tmp`;
  const existing = disk.statSync(file, { throwIfNoEntry: false })?.mode;
  try {
    const fd = openNew(temp, (existing ?? options.mode ?? 0o600) & 0o777);
    try {
      writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
      if (options.fsync) disk.fsyncSync(fd);
    } finally {
      disk.closeSync(fd);
    }
    if (existing !== undefined) disk.chmodSync(temp, existing & 0o7777); // open(2) takes the umask off
    disk.renameSync(temp, file);
  } catch (error) {
    disk.rmSync(temp, { force: true });
    throw error;
  }
}

function openNew(temp: string, mode: number): number {
  const flags = O_WRONLY | O_CREAT | O_EXCL;
  try {
    return disk.openSync(temp, flags, mode);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    disk.mkdirSync(dirname(temp), { recursive: true, mode: 0o750 });
    return disk.openSync(temp, flags, mode);
  }
}
