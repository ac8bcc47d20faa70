import { join } from 'node:path';
import { disk, reading, readTail } from '../base/file/disk.ts';
import type { Repo } from './locate.ts';

/** Lines times files that git compares in half a second. */
const MAX_COMPARED = 200_000;

/** To read a file takes as long as to compare so many lines with it. */
export const READING = 20;

/**
 * How many lines git can compare with all files of a commit in a moment, {@link READING} of them each time that it reads the files; none where one
 * would have to be fetched first. Goes by the index and by names of packs, and starts no process; where the index does not tell, nobody knows.
 */
export function linesToCompare({ gitDir, commonDir }: Repo): number {
  const files = isPromised(commonDir) ? undefined : countEntries(gitDir);
  return files ? Math.floor(MAX_COMPARED / files) : 0;
}

/** What stands last in an index whose entries may be folders: an empty part of that name, one that tells where parts begin, and a digest. */
const FOLDERS = 'sdir\0\0\0\0';
const TAIL_BYTES = 128;

/** Of a split index those in both of its files; `undefined` where an entry can be a folder (a sparse index). @see https://git-scm.com/docs/index-format */
function countEntries(gitDir: string): number | undefined {
  try {
    const shared = disk.readdirSync(gitDir).filter((name) => name.startsWith('sharedindex.'));
    const counts = ['index', ...shared].map((name) => countIn(join(gitDir, name)));
    return counts.reduce<number | undefined>(
      (sum, count) => (sum !== undefined && count !== undefined ? sum + count : undefined),
      0,
    );
  } catch {
    return undefined;
  }
}

function countIn(index: string): number | undefined {
  const header = Buffer.alloc(12);
  const count = reading(index, (fd) => disk.readSync(fd, header, 0, header.length, 0));
  const isHeader = count === header.length && header.toString('latin1', 0, 4) === 'DIRC';
  return isHeader && !readTail(index, TAIL_BYTES).includes(FOLDERS) ? header.readUInt32BE(8) : undefined;
}

/** A partial clone: beside a pack stands that a remote has what is missing. */
function isPromised(commonDir: string): boolean {
  try {
    return disk.readdirSync(join(commonDir, 'objects', 'pack')).some((name) => name.endsWith('.promisor'));
  } catch {
    return false;
  }
}
