import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';

/** What git says when the lock of a ref, or of all packed refs, stands there already. */
const LOCK = /Unable to create '(.+\.lock)': File exists/;

/** That of a ref here, where git talks to a remote: what that says of its own locks stands behind `remote:`. */
export const LOCK_HERE = new RegExp(`^(?:error|fatal): .*${LOCK.source}`, 'm');

/** Refs that nobody but us writes, and the folder of git that they are in. */
const OURS = /^(.+)[\\/]refs[\\/](?:heads[\\/])?entire[\\/]/;

/** Git holds the lock of a ref for milliseconds; at this age its owner is long dead. */
export const DEAD_REF_LOCK_MS = 10 * 60_000;
const SUSPECT_MS = 60_000;

/**
 * Why git did not move our refs, from what it said. A lock that a killed git left at a ref of ours is removed once it
 * is old; the caller may then try again, as after a ref that moved. Locks at other refs are never touched.
 *
 * @returns an error with the code `REF_MOVED`: try again from the new tip; or `REF_LOCKED`: somebody holds it
 */
export function refFailure(what: string, stderr: string): EntireError {
  const lock = LOCK.exec(stderr)?.[1];
  if (lock === undefined) return new EntireError('REF_MOVED', `${what}: ${stderr}`);
  const ageMs = readAgeMs(lock);
  if (ageMs === undefined || removedDead(lock, ageMs))
    return new EntireError('REF_MOVED', `${what}: ${lock} stood in the way`);
  const held = ageMs > SUSPECT_MS ? `a git process that died left ${lock}` : `${lock} is held`;
  return new EntireError('REF_LOCKED', `${what}: ${held}`, {
    hint: `When no git process is running in this repository, delete ${lock}`,
  });
}

/**
 * Removes the lock that kept a git which talked to a remote from writing a ref of ours here, where a killed git left it.
 *
 * @returns the lock is gone: the command may run again
 */
export function freeRef(stderr: string): boolean {
  const lock = LOCK_HERE.exec(stderr)?.[1];
  if (lock === undefined) return false;
  const ageMs = readAgeMs(lock);
  return ageMs === undefined || removedDead(lock, ageMs);
}

const removedDead = (lock: string, ageMs: number): boolean =>
  ageMs > DEAD_REF_LOCK_MS && isOurs(lock) && removed(lock);

/** Folders above a repository may be called so, too. */
function isOurs(lock: string): boolean {
  const gitDir = OURS.exec(lock)?.[1];
  return gitDir !== undefined && disk.existsSync(join(gitDir, 'objects'));
}

/** `undefined` when it is gone by now. */
function readAgeMs(lock: string): number | undefined {
  const stat = disk.statSync(lock, { throwIfNoEntry: false });
  return stat && Date.now() - stat.mtimeMs;
}

function removed(lock: string): boolean {
  try {
    disk.unlinkSync(lock);
    return true;
  } catch {
    return false; // not ours to remove, or somebody was faster: say that it stands there
  }
}

/** Folders of refs have few levels. */
const MAX_DEPTH = 4;

/** Locks of refs that are kept as files, at and below folders such as `<common>/refs/heads/entire`, with their age. */
export function listRefLocks(
  folders: readonly string[],
  depth = MAX_DEPTH,
): { path: string; ageMs: number }[] {
  if (depth === 0) return [];
  return folders.flatMap((folder) => {
    const paths = listNames(folder).map((name) => join(folder, name));
    const locks = paths.flatMap((path) => {
      const ageMs = path.endsWith('.lock') ? readAgeMs(path) : undefined;
      return ageMs === undefined ? [] : [{ path, ageMs }];
    });
    const below = paths.filter((path) => disk.lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
    return [...locks, ...listRefLocks(below, depth - 1)];
  });
}
