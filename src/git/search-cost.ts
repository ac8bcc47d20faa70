import { join } from 'node:path';
import { disk, reading } from '../base/file/disk.ts';
import type { Repo } from './locate.ts';

/** Lines times files that git compares in half a second; it takes as long to read a file as to compare so many lines with it. */
const MAX_COMPARED = 200_000;
const READING = 20;

/**
 * For how many lines git can look through all files of a commit in a moment; none where one would have to be fetched first. Goes by the index
 * and by names of packs, and starts no process; where there is no index, nobody knows.
 */
export function linesToSearchFor({ gitDir, commonDir }: Repo): number {
  const files = countEntries(gitDir);
  if (!files || isPromised(commonDir)) return 0;
  return Math.max(0, Math.floor(MAX_COMPARED / files) - READING);
}

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
