import { EntireError } from './errors.ts';
import { disk } from './file/disk.ts';

/**
 * What hooks leave of a disk for the user's own work: a commit takes some kilobytes, and must not fail since we took them. Where less
 * is left they store nothing; the line that an edit is recorded with is written all the same.
 */
export const MARGIN_BYTES = 1024 * 1024;
/** The same of names of files, where the file system counts them. */
const MARGIN_NAMES = 64;

/** How many bytes may be stored below a folder without touching what is left for the user; unlimited where nobody tells. */
export function readRoom(dir: string): number {
  try {
    const { bavail, bsize, blocks, files, ffree } = disk.statfsSync(dir);
    if (files > 0 && ffree < MARGIN_NAMES) return 0;
    return blocks > 0 ? Math.max(0, bavail * bsize - MARGIN_BYTES) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY; // then the disk itself will say it
  }
}

export const hasRoom = (dir: string, bytes = 1): boolean => readRoom(dir) >= bytes;

/** As the reason why something was not stored. */
export const DISK_FULL = 'the disk is nearly full, and what is left is for your own work';

/** @throws {EntireError} `WRITE_FAILED` where so much cannot be stored without touching what is left for the user */
export function requireRoom(dir: string, bytes: number): void {
  if (!hasRoom(dir, bytes))
    throw new EntireError('WRITE_FAILED', `${DISK_FULL}.`, { hint: 'Make room on the disk.' });
}
