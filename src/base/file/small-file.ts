import { isAbsolute, join, relative } from 'node:path';
import { describeError, errnoOf, FileRefused } from '../errors.ts';
import { log } from '../log.ts';
import {
  closeQuietly,
  describeKind,
  disk,
  lstatIfExists,
  naming,
  O_NOCTTY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  readTail,
} from './disk.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The most that a file of each kind may hold, in bytes: far more than any of them ever does, and what a process can hold at once.
 * One that is larger is refused before its first byte is read.
 */
export const SMALL_FILES = {
  /** `.entire/settings*.json`, and those of agents. */
  settings: MIB,
  /** `.gitignore`s, presets, notes that people write. */
  text: MIB,
  /** Files of the user that are held against what an agent wrote. */
  work: 4 * MIB,
  /** Git hooks, which may be programs, and plugins of agents. */
  script: 16 * MIB,
  /** What git keeps: `.git`, `HEAD`, a ref, a message under way. */
  git: MIB,
  /** `shallow`, which has a line for each commit that a clone ends at. */
  'git-list': 16 * MIB,
  /** Marks and records of one thing. */
  mark: MIB,
  /** Lists that grow with the files of a turn. */
  list: 32 * MIB,
  /** States, records, caches: JSON with an entry for each file or call. */
  record: 32 * MIB,
  /** Ours, with a bound of its own (4 MiB), which several writers may pass together. */
  log: 8 * MIB,
  /** What people and programs of theirs keep in their home folder: configurations of agents. */
  home: 4 * MIB,
} as const;

export type SmallFile = keyof typeof SMALL_FILES;

/**
 * A file that a branch can carry, below the root of a worktree. A link is followed only to what lies below that root, too: it must
 * not decide what of the user's machine is read.
 *
 * @returns `undefined` where there is none
 * @throws {FileRefused} before anything is read
 * @throws any other system error
 */
export const readWorktreeText = (root: string, path: string, kind: SmallFile): string | undefined =>
  readWorktreeBytes(root, path, kind)?.toString('utf8');

/** {@link readWorktreeText} as bytes. */
export function readWorktreeBytes(root: string, path: string, kind: SmallFile): Buffer | undefined {
  const file = join(root, path);
  const real = locateInWorktree(root, file);
  return real === undefined ? undefined : readRegular(file, real, kind);
}

function locateInWorktree(root: string, file: string): string | undefined {
  if (lstatIfExists(file) === undefined) return undefined;
  const real = realPathOf(file);
  if (real === undefined) return refuse(file, 'a link that leads nowhere');
  if (isBelow(root, real) || isBelow(realPathOf(root) ?? root, real)) return real;
  return refuse(file, 'a link to outside of the repository');
}

/** The last bytes of what {@link readWorktreeText} would read, however large it is; empty where there is none. */
export function readWorktreeTail(root: string, path: string, maxBytes: number): string {
  const file = join(root, path);
  const real = locateInWorktree(root, file);
  return real === undefined ? '' : readTail(real, maxBytes);
}

/** A file that we wrote ourselves, outside of what a branch can carry. It is no link: we make none. See {@link readWorktreeText}. */
export const readOwnText = (file: string, kind: SmallFile): string | undefined =>
  readOwnBytes(file, kind)?.toString('utf8');

/** {@link readOwnText} of what is made again, or can be done without: one that cannot be read counts as none, and is logged. */
export function readOwnIfUsable(file: string, kind: SmallFile): string | undefined {
  try {
    return readOwnText(file, kind);
  } catch (error) {
    log('warn', 'passed over a file that cannot be read', { error: describeError(error) });
    return undefined;
  }
}

/** {@link readOwnText} as bytes. */
export function readOwnBytes(file: string, kind: SmallFile): Buffer | undefined {
  const stat = lstatIfExists(file);
  if (stat === undefined) return undefined;
  return stat.isSymbolicLink() ? refuse(file, 'a link') : readRegular(file, file, kind);
}

/**
 * A file that the user or git keeps, outside of what a branch can carry; it may be a link to anywhere, as in the home folders of
 * many. See {@link readWorktreeText}.
 */
export const readUserText = (file: string, kind: SmallFile): string | undefined =>
  readUserBytes(file, kind)?.toString('utf8');

/** {@link readUserText} as bytes. */
export function readUserBytes(file: string, kind: SmallFile): Buffer | undefined {
  return readRegular(file, realPathOf(file), kind);
}

/** Where a path leads; `undefined` where there is nothing. @throws {FileRefused} links without end */
function realPathOf(file: string): string | undefined {
  try {
    return disk.realpathSync.native(file);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP') return refuse(file, 'a link that leads in a circle');
    throw error;
  }
}

function isBelow(root: string, real: string): boolean {
  const path = relative(root, real);
  return path !== '' && path !== '..' && !/^\.\.[\\/]/.test(path) && !isAbsolute(path);
}

/**
 * Looks before it opens, for opening alone does something to some devices; and again at what it has opened, which may have
 * become something else meanwhile.
 */
function readRegular(file: string, real: string | undefined, kind: SmallFile): Buffer | undefined {
  if (real === undefined) return undefined;
  try {
    const seen = disk.lstatSync(real);
    if (!seen.isFile()) return refuse(file, describeKind(seen));
    const fd = disk.openSync(real, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    try {
      return naming(file, () => readBounded(file, fd, kind));
    } finally {
      closeQuietly(fd);
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP') return refuse(file, 'a link'); // since it was looked at
    throw error;
  }
}

function readBounded(file: string, fd: number, kind: SmallFile): Buffer {
  const stat = disk.fstatSync(fd);
  const limit = SMALL_FILES[kind];
  if (!stat.isFile()) return refuse(file, describeKind(stat));
  if (stat.size > limit) return refuse(file, describeSize(limit));
  // One byte more than it has: it may grow while it is read, and files of the system have no size.
  let buffer = Buffer.allocUnsafe(Math.min(Math.max(stat.size + 1, 4 * KIB), limit + 1));
  let length = 0;
  for (;;) {
    const count = disk.readSync(fd, buffer, length, buffer.length - length, null);
    length += count;
    if (count === 0) return buffer.subarray(0, length);
    if (length > limit) return refuse(file, describeSize(limit));
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, limit + 1));
  }
}

const describeSize = (bytes: number): string => `larger than ${bytes / MIB} MiB`;

function refuse(file: string, reason: string): never {
  throw new FileRefused(file, reason);
}
