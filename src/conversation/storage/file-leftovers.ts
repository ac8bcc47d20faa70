import { join } from 'node:path';
import { disk, listNames } from '../../base/disk.ts';
import { finalName, isTemporaryName } from '../../base/write-file-atomic.ts';

/** No writer takes as long: what is older was left by one that was killed. */
const ABANDONED_MS = 3_600_000;

/**
 * Removes what killed writers left in a folder of sessions. What cannot be removed stays: the next one tries again.
 *
 * @param session whose leftovers go, however young: under its lock nobody else writes. Default: everybody's that are old
 */
export function removeLeftovers(directory: string, session?: string): void {
  for (const name of listNames(directory)) {
    if (!isTemporaryName(name)) continue;
    const file = join(directory, name);
    if (session === undefined ? isAbandoned(file) : finalName(name) === session) remove(file);
  }
}

function isAbandoned(file: string): boolean {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED_MS;
}

function remove(file: string): void {
  try {
    disk.rmSync(file, { force: true });
  } catch {
    // It takes up room, and does no other harm.
  }
}
