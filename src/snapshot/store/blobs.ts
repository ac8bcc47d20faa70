import { basename, dirname, join } from 'node:path';
import { now } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import {
  closing,
  disk,
  isReachable,
  listNames,
  lstatInWorktree,
  naming,
  O_CREAT,
  O_EXCL,
  O_WRONLY,
  readPieces,
  writeAll,
} from '../../base/file/disk.ts';
import {
  createFileAtomic,
  makingFolder,
  removeTemporary,
  writeFileAtomic,
} from '../../base/file/write-file-atomic.ts';
import { createHash, sha256Of } from '../../base/hash.ts';
import { newId, type SessionId } from '../../base/ids.ts';
import { readRoom } from '../../base/room.ts';
import { type FileState, MISSING } from './file-state.ts';

/**
 * Contents of files by the SHA-256 of their bytes: `<store>/blobs/<sha256>`. A blob is only ever replaced by the same bytes, where
 * those that stand there are damaged.
 */

/**
 * The store of a session for one worktree: `<common>/entire/snapshots/<session>`, in a linked worktree with
 * `@<worktree>` behind it. What a session edits in another worktree is stored with that one.
 */
export const sessionStore = (commonDir: string, id: SessionId, worktreeId: string): string =>
  join(snapshotsDir(commonDir), worktreeId === '' ? id : `${id}@${worktreeId}`);

export const snapshotsDir = (commonDir: string): string => join(commonDir, 'entire', 'snapshots');

/** Stores of other sessions for the same worktree. */
export function storesBeside(store: string): string[] {
  const suffix = /@.*$/.exec(basename(store))?.[0] ?? '';
  const isOther = (name: string): boolean =>
    name !== basename(store) && (/@.*$/.exec(name)?.[0] ?? '') === suffix;
  return listNames(dirname(store))
    .filter(isOther)
    .map((name) => join(dirname(store), name));
}

export const blobFile = (store: string, sha256: string): string => join(store, 'blobs', sha256);
/** Where a blob lies that is put together of others: see `chunks.ts`. */
export const partsFile = (store: string, sha256: string): string => `${blobFile(store, sha256)}.parts`;

/** SHA-256 of a file, read piece by piece. @throws the system error */
export function digestOfFile(file: string): string {
  const hash = createHash('sha256');
  for (const piece of readPieces(file)) hash.update(piece);
  return hash.digest('hex');
}

/** How contents are stored. */
export interface PutOptions {
  readonly fsync?: boolean;
  /** Asked of a content that is there already: what is damaged is stored anew. */
  readonly isSound?: (sha256: string) => boolean;
}

/** Stores bytes under their digest, unless they are there. @throws the system error */
export function putBlob(store: string, bytes: Uint8Array, options: PutOptions = {}): string {
  const sha256 = sha256Of(bytes);
  const file = blobFile(store, sha256);
  const isThere = isKept(store, sha256, bytes.length, options);
  if (isThere || createFileAtomic(file, bytes, options)) return sha256;
  if (!isKept(store, sha256, bytes.length, options)) writeFileAtomic(file, bytes, options);
  return sha256;
}

/** Makes a file of ours the blob that it holds, without copying it; where that is there, the file stays. @throws the system error */
export function adoptBlob(store: string, file: string, size: number): string {
  const sha256 = size > MAX_READ_BYTES ? digestOfFile(file) : sha256Of(disk.readFileSync(file));
  if (isKept(store, sha256, size, {})) return sha256;
  disk.chmodSync(file, 0o600);
  makingFolder(blobFile(store, sha256), (blob) => disk.renameSync(file, blob));
  return sha256;
}

/** Whether a content is there; one that a power cut left without its bytes is not. */
function isKept(store: string, sha256: string, size: number, { isSound }: PutOptions): boolean {
  const whole = freshen(blobFile(store, sha256));
  const isThere = whole ? whole.size === size : freshen(partsFile(store, sha256)) !== undefined;
  return isThere && (isSound?.(sha256) ?? true);
}

/** What is about to be named again is young: nobody who looks for what is not named takes it away. `undefined` where there is nothing. */
function freshen(file: string): { readonly size: number } | undefined {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  try {
    const time = now();
    disk.utimesSync(file, time, time);
    return stat;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    return disk.existsSync(file) ? stat : undefined;
  }
}

/** Larger files are not read at once. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Stores what comes in pieces, of which one at a time is in memory. @throws what the pieces do; the system error */
export function putPieces(
  store: string,
  pieces: Iterable<Uint8Array>,
  options: PutOptions = {},
): { sha256: string; size: number } {
  const hash = createHash('sha256');
  let size = 0;
  const temp = blobFile(store, `${process.pid}-${newId()}.tmp`);
  disk.mkdirSync(dirname(temp), { recursive: true, mode: 0o750 });
  try {
    closing(disk.openSync(temp, O_WRONLY | O_CREAT | O_EXCL, 0o600), (fd) => {
      for (const piece of pieces) {
        hash.update(piece);
        naming(temp, () => writeAll(fd, piece));
        size += piece.length;
      }
      if (options.fsync) naming(temp, () => disk.fsyncSync(fd));
    });
    const sha256 = hash.digest('hex');
    if (!isKept(store, sha256, size, options)) disk.renameSync(temp, blobFile(store, sha256));
    return { sha256, size };
  } finally {
    removeTemporary(temp);
  }
}

/** How much of a path is kept when it is looked at. */
export interface Keep extends PutOptions {
  readonly store: string;
  /** Larger files are not read. */
  readonly maxBytes: number;
}

/**
 * Looks at a path of a worktree, links not followed, and keeps its content.
 *
 * @throws the system error of a file that is there and cannot be read, or could not be stored
 */
export function captureFile(root: string, path: string, keep: Keep): FileState {
  const stat = lstatInWorktree(root, path);
  if (!stat) return isReachable(root, path) ? MISSING : { kind: 'other' };
  const file = join(root, path);
  if (stat.isSymbolicLink())
    return { kind: 'link', sha256: putBlob(keep.store, disk.readlinkSync(file, 'buffer'), keep) };
  if (!stat.isFile()) return { kind: 'other' };
  const mode = stat.mode & 0o777;
  const isHook = keep.maxBytes < Number.MAX_SAFE_INTEGER;
  if (stat.size > Math.min(keep.maxBytes, isHook ? readRoom(root) : keep.maxBytes))
    return { kind: 'unkept', size: stat.size, mtimeMs: stat.mtimeMs, mode };
  if (stat.size > MAX_READ_BYTES)
    return { kind: 'file', ...putPieces(keep.store, readPieces(file), keep), mode };
  const bytes = disk.readFileSync(file);
  return { kind: 'file', sha256: putBlob(keep.store, bytes, keep), size: bytes.length, mode };
}
