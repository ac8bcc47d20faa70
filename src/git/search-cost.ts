import { join } from 'node:path';
import { disk, reading } from '../base/file/disk.ts';
import type { Repo } from './locate.ts';

/** Git reads some 20,000 files a second. */
const MAX_FILES = 10_000;

/**
 * Whether git can look through all files of a commit in a moment: they are not too many, and none has to be fetched first. Goes by the index
 * and by names of packs, and starts no process; where there is no index, nobody knows.
 */
export const canSearchEveryFile = ({ gitDir, commonDir }: Repo): boolean =>
  (countEntries(gitDir) ?? Number.POSITIVE_INFINITY) <= MAX_FILES && !isPromised(commonDir);

/** @see https://git-scm.com/docs/index-format for the header */
function countEntries(gitDir: string): number | undefined {
  const header = Buffer.alloc(12);
  try {
    const count = reading(join(gitDir, 'index'), (fd) => disk.readSync(fd, header, 0, header.length, 0));
    const isHeader = count === header.length && header.toString('latin1', 0, 4) === 'DIRC';
    return isHeader ? header.readUInt32BE(8) : undefined;
  } catch {
    return undefined;
  }
}

/** A partial clone: beside a pack stands that a remote has what is missing. */
function isPromised(commonDir: string): boolean {
  try {
    return disk.readdirSync(join(commonDir, 'objects', 'pack')).some((name) => name.endsWith('.promisor'));
  } catch {
    return false;
  }
}
