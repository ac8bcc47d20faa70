import { basename, dirname, join, relative } from 'node:path';
import { describeError, errnoOf } from '../base/errors.ts';
import { disk, isReachable, lookAt, naming, O_CREAT, O_EXCL, O_WRONLY, writeAll } from '../base/file/disk.ts';
import { sha256Of } from '../base/hash.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { captureAll, isSizeAndTime, type Place } from './place.ts';
import { putBlob } from './store/blobs.ts';
import { readBlob, readBlobInPieces } from './store/chunks.ts';
import { type FileState, isSameState } from './store/file-state.ts';
import { isInPlaceOfFile } from './undo/make-way.ts';

const CHANGED = 'it was changed a moment ago';
const BEHIND = 'a folder on its way is a file or a link now';

/** Names in the folder where new contents wait, and old ones until they are certain to be kept. */
const newFile = (staging: string, path: string): string =>
  join(staging, `new-${sha256Of(Buffer.from(path))}`);
const oldFile = (staging: string, path: string): string =>
  join(staging, `old-${sha256Of(Buffer.from(path))}`);

/**
 * Writes what a path is to become, whole, into a folder that is there. Not on the disk yet.
 *
 * @returns the file; `undefined` where nothing is to be there, or a link
 * @throws the system error
 */
export function stageFile(store: string, staging: string, path: RepoPath, to: FileState): string | undefined {
  if (to.kind !== 'file' && to.kind !== 'link') return undefined;
  const file = newFile(staging, path);
  if (to.kind === 'link') {
    const target = readBlob(store, to.sha256);
    anew(file, () => disk.symlinkSync(target, file));
    return undefined;
  }
  const fd = anew(file, () => disk.openSync(file, O_WRONLY | O_CREAT | O_EXCL, 0o600));
  try {
    for (const bytes of readBlobInPieces(store, to.sha256)) naming(file, () => writeAll(fd, bytes));
  } finally {
    disk.closeSync(fd);
  }
  disk.chmodSync(file, to.mode);
  return file;
}

/** Makes a file under a name that a killed process may have left something under. */
function anew<T>(file: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    disk.rmSync(file, { force: true });
    return make();
  }
}

interface Replacement {
  readonly from: FileState;
  readonly to: FileState;
  /** What comes in its place may be there already. */
  readonly makesWay: boolean;
  /** The folder that {@link stageFile} was given. */
  readonly staging: string;
  /** What the path looked like when it was seen to be `from`. */
  readonly look: string | undefined;
}

/** What became of one path. */
export interface Replaced {
  /** Why it was left; `undefined` when it is now what it was to become. */
  readonly why?: string;
  /** What was there after all: somebody wrote into it at that very moment. */
  readonly before?: FileState;
}

/**
 * Replaces one path, if it is what it was. What was there keeps a second name until it is certain that its bytes are kept.
 * Never throws.
 */
export function replaceFile(place: Place, path: RepoPath, what: Replacement): Replaced {
  const file = join(place.root, path);
  try {
    // Without a look it is what a killed process began.
    if (what.look === undefined && isReachable(place.root, path))
      disk.rmSync(nearFile(file), { force: true });
    const look = lookAt(file);
    const current = look !== '' && look === what.look ? what.from : captureAll(place, path);
    if (isSameState(current, what.to) && current.kind !== 'other') {
      if (current.kind === 'missing') removeEmptyFolders(place.root, path); // a killed process came to the file only
      return {};
    }
    if (what.makesWay && current.kind === 'other' && isInPlaceOfFile(place.root, path)) return {};
    if (!isSameState(current, what.from)) return { why: CHANGED };
    const isGoing = what.to.kind === 'missing';
    const aside = oldFile(what.staging, path);
    const old = isGoing ? moveAside(place.root, path, aside) : keepName(file, aside);
    if (!isGoing) put(place.root, path, newFile(what.staging, path), current.kind === 'missing' && what.to);
    const written = old && keepOrPutBack(place.store, old, look, file);
    if (isGoing) removeEmptyFolders(place.root, path);
    return written ? { before: written } : {};
  } catch (error) {
    return { why: describeError(error) };
  }
}

/** A second name for what is there: somebody may write into it in this very moment. `undefined` where that cannot be. */
function keepName(file: string, old: string): string | undefined {
  try {
    anew(old, () => disk.linkSync(file, old));
    return old;
  } catch {
    return undefined; // nothing there, another disk, or one without links: the look before has to do
  }
}

/** Takes away what is there by giving it another name: whatever it is by then, it is not lost. As {@link keepName}. */
function moveAside(root: string, path: string, old: string): string | undefined {
  const file = join(root, path);
  if (!isReachable(root, path)) throw new Error(BEHIND);
  try {
    disk.renameSync(file, old);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    disk.unlinkSync(file);
    return undefined;
  }
  try {
    if (!disk.lstatSync(old).isDirectory() && isReachable(root, path)) return old;
    throw new Error(CHANGED);
  } catch (error) {
    disk.renameSync(old, file);
    throw error;
  }
}

/** Where what was written at last cannot be kept, the file is as it was. @throws the system error */
function keepOrPutBack(store: string, old: string, look: string, file: string): FileState | undefined {
  try {
    return keepLastWords(store, old, look);
  } catch (error) {
    disk.renameSync(old, file);
    throw error;
  }
}

/** What was written into the old file after it was kept is kept, too; `undefined` where nothing was. */
function keepLastWords(store: string, old: string, look: string): FileState | undefined {
  const stat = disk.lstatSync(old, { throwIfNoEntry: false });
  if (!stat || isSizeAndTime(look, stat)) return undefined;
  if (stat.isSymbolicLink())
    return { kind: 'link', sha256: putBlob(store, disk.readlinkSync(old, 'buffer'), { fsync: true }) };
  if (!stat.isFile()) return undefined;
  const bytes = disk.readFileSync(old);
  const sha256 = putBlob(store, bytes, { fsync: true });
  return { kind: 'file', sha256, size: bytes.length, mode: stat.mode & 0o777 };
}

/** @param isNew what is to come where nothing is: nothing that somebody makes there meanwhile is replaced; else `false` */
function put(root: string, path: string, staged: string, isNew: FileState | false): void {
  const file = join(root, path);
  if (!isReachable(root, path)) throw new Error(BEHIND);
  if (isNew) disk.mkdirSync(dirname(file), { recursive: true });
  if (isNew && isNew.kind === 'file' && linkIfFree(staged, file)) return;
  try {
    disk.renameSync(staged, file);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
    putAcross(file, staged);
  }
}

/** @returns false on a disk without links, or on another one. @throws where something is there */
function linkIfFree(staged: string, file: string): boolean {
  try {
    disk.linkSync(staged, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw new Error(CHANGED);
    return false;
  }
}

/** What a killed process may have left beside a file; always the same name, so that the next one finds it. Never too long a name. */
const nearFile = (file: string): string =>
  join(dirname(file), `.entire-undo-${sha256Of(Buffer.from(basename(file))).slice(0, 16)}.tmp`);

/** The worktree is on another disk than the store: a copy beside the file takes its place. */
function putAcross(file: string, staged: string): void {
  const near = nearFile(file);
  disk.rmSync(near, { force: true });
  try {
    const stat = disk.lstatSync(staged);
    if (stat.isSymbolicLink()) disk.symlinkSync(disk.readlinkSync(staged, 'buffer'), near);
    else {
      disk.copyFileSync(staged, near);
      disk.chmodSync(near, stat.mode & 0o777);
    }
    disk.renameSync(near, file);
  } catch (error) {
    disk.rmSync(near, { force: true });
    throw error;
  }
}

/** Removes the folders that are empty without a file that was in them; not the one that somebody stands in. Never throws. */
export function removeEmptyFolders(root: string, path: string): void {
  try {
    removeEmptyAbove(root, path);
  } catch {
    // An empty folder that stays is no reason to say that the file was not done.
  }
}

function removeEmptyAbove(root: string, path: string): void {
  const here = process.cwd();
  if (!isReachable(root, path)) return;
  for (let dir = dirname(join(root, path)); dir !== root && dir.startsWith(root); dir = dirname(dir)) {
    if (!relative(dir, here).startsWith('..')) return;
    try {
      disk.rmdirSync(dir);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') return; // there is more in it
    }
  }
}
