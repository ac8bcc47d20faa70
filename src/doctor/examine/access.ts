import { join } from 'node:path';
import { errnoOf } from '../../base/errors.ts';
import { disk, W_OK, X_OK } from '../../base/file/disk.ts';
import type { Patient } from '../patient.ts';
import { listQuietly } from '../verify/walk.ts';
import { type Finding, found, foundSome } from './finding.ts';

/** A place that hooks write to, and whether this process could. */
export interface PlaceFacts {
  readonly path: string;
  /** `undefined` where it may be written. */
  readonly refusal: string | undefined;
  /** Numeric user; 0 on systems without. */
  readonly owner: number;
}

export interface AccessFacts {
  /** Who we are; `undefined` on systems without numeric users. */
  readonly user: number | undefined;
  /** Who owns the git folder. */
  readonly gitOwner: number;
  readonly places: readonly PlaceFacts[];
  /** What is free where the git folder is; `undefined` where nobody says. */
  readonly freeBytes: number | undefined;
}

/** Files looked at in each of our folders; a look says enough of the rest. */
const MAX_FILES = 200;

/** Looks at every folder that hooks write to, and at our own files. Nothing is written to find out. */
export function readAccess({ repo }: Patient): AccessFacts {
  const { gitDir, commonDir, worktreeRoot } = repo;
  const own = [join(commonDir, 'entire'), join(commonDir, 'entire-sessions'), join(worktreeRoot, '.entire')];
  const folders = [
    ...[gitDir, commonDir, join(commonDir, 'objects'), join(commonDir, 'objects', 'pack')],
    ...[join(commonDir, 'refs', 'heads'), join(commonDir, 'refs', 'heads', 'entire')],
    ...own,
    ...['logs', 'tmp', 'metadata'].map((name) => join(worktreeRoot, '.entire', name)),
  ];
  const logs = ['entire.log'].map((name) => join(worktreeRoot, '.entire', 'logs', name));
  const files = own.flatMap((dir) =>
    listQuietly(dir)
      .slice(0, MAX_FILES)
      .map((name) => join(dir, name)),
  );
  const places = [...new Set([...folders, ...files, ...logs])].flatMap((path) => readPlace(path) ?? []);
  return {
    user: process.getuid?.(),
    gitOwner: disk.statSync(commonDir, { throwIfNoEntry: false })?.uid ?? 0,
    places,
    freeBytes: readFreeBytes(commonDir),
  };
}

function readFreeBytes(dir: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = disk.statfsSync(dir);
    return blocks > 0 ? bavail * bsize : undefined; // some network disks tell nothing
  } catch {
    return undefined;
  }
}

function readPlace(path: string): PlaceFacts | undefined {
  try {
    const stat = disk.lstatSync(path, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return undefined;
    return { path, refusal: refusalOf(path, stat.isDirectory()), owner: stat.uid };
  } catch (error) {
    return { path, refusal: errnoOf(error) ?? 'unknown', owner: 0 };
  }
}

function refusalOf(path: string, isFolder: boolean): string | undefined {
  try {
    disk.accessSync(path, isFolder ? W_OK | X_OK : W_OK);
    return undefined;
  } catch (error) {
    return errnoOf(error) ?? 'unknown';
  }
}

/** A step of a small repository needs about that. */
const MIN_FREE_BYTES = 1 << 20;

/**
 * What cannot be written, by the reason: somebody else's file (`sudo` ran here once), or a disk or folder that is
 * read-only. Root may write everywhere, and leaves files that their user then cannot write.
 */
export function judgeAccess({ user, gitOwner, places, freeBytes }: AccessFacts): Finding[] {
  const closed = places.filter(({ refusal }) => refusal !== undefined);
  const foreign = user === 0 ? places.filter(({ owner }) => owner !== gitOwner) : [];
  const isForeign = ({ owner, refusal }: PlaceFacts) => user !== 0 && owner !== user && refusal !== 'EROFS';
  const wrongOwner = [...foreign, ...closed.filter(isForeign)];
  const readOnly = closed.filter((place) => !wrongOwner.includes(place));
  const list = (which: readonly PlaceFacts[]) => which.map(({ path }) => path);
  return [
    ...foundSome('not-writable', list(readOnly), { detail: readOnly[0]?.refusal }),
    ...(freeBytes !== undefined && freeBytes < MIN_FREE_BYTES ? [found('disk-full')] : []),
    ...foundSome('wrong-owner', list(wrongOwner)),
  ];
}
