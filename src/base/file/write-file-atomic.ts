import { dirname } from 'node:path';
import { errnoOf } from '../errors.ts';
import { newId } from '../ids.ts';
import { closing, disk, naming, O_CREAT, O_EXCL, O_WRONLY, writeAll } from './disk.ts';

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
  const temp = temporaryName(file);
  const stat = disk.statSync(file, { throwIfNoEntry: false });
  const existing = stat?.isFile() ? stat.mode : undefined; // of a device everybody may have
  try {
    naming(file, () =>
      writeNew(temp, data, { ...options, mode: (existing ?? options.mode ?? 0o600) & 0o777 }),
    );
    if (existing !== undefined) disk.chmodSync(temp, existing & 0o7777); // open(2) takes the umask off
    disk.renameSync(temp, file);
  } catch (error) {
    removeTemporary(temp);
    throw error;
  }
}

/**
 * Makes a whole file under a name that nobody has. Of several processes that try at once, one succeeds.
 *
 * @returns false when the name is taken
 * @throws the system error, after removing the temporary file
 */
export function createFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): boolean {
  const temp = temporaryName(file);
  try {
    naming(file, () => writeNew(temp, data, options));
    if (options.mode !== undefined) disk.chmodSync(temp, options.mode & 0o7777); // whatever the umask is
    return linkOrMove(temp, file);
  } finally {
    removeTemporary(temp);
  }
}

/** Removes a temporary file, if it is there: whether the write succeeded, and why it did not, is decided by then. */
export function removeTemporary(temp: string): void {
  try {
    disk.rmSync(temp, { force: true });
  } catch {
    // Its name says what it is: `entire clean` and gc remove it later.
  }
}

/** Disks without hard links (FAT, some network disks) leave a moment in which two may think that they were first. */
function linkOrMove(temp: string, file: string): boolean {
  try {
    disk.linkSync(temp, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    if (disk.lstatSync(file, { throwIfNoEntry: false })) return false;
    disk.renameSync(temp, file);
    return true;
  }
}

const TEMPORARY = /\.\d+-[0-9a-f]{12}\.tmp$/;

/** Whether a name is that of a temporary file of ours: its writer is at work, or was killed. */
export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name);

/** The file whose place a temporary one is to take; any other name as it is. */
export const finalName = (name: string): string => name.replace(TEMPORARY, '');

const temporaryName = (file: string): string => `${file}.${process.pid}-${newId()}.tmp`;

function writeNew(file: string, data: string | Uint8Array, { mode, fsync }: WriteOptions): void {
  closing(openNew(file, mode ?? 0o600), (fd) => {
    writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
    if (fsync) disk.fsyncSync(fd);
  });
}

const openNew = (temp: string, mode: number): number =>
  makingFolder(temp, () => disk.openSync(temp, O_WRONLY | O_CREAT | O_EXCL, mode));

/** Does what makes a file, and once more with its folder where that is missing. @throws what `make` does */
export function makingFolder<T>(file: string, make: (file: string) => T): T {
  try {
    return make(file);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    disk.mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    return make(file);
  }
}
