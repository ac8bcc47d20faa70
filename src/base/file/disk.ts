import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EntireError, errnoOf, FileRefused } from '../errors.ts';

/**
 * Every file-system call of the product goes through this object, so that a test can make the Nth call fail,
 * pause or tear (see {@link replaceDisk}). The functions are Node's own, with Node's own errors.
 */
export const disk = {
  accessSync: fs.accessSync,
  appendFileSync: fs.appendFileSync,
  chmodSync: fs.chmodSync,
  closeSync: fs.closeSync,
  copyFileSync: fs.copyFileSync,
  existsSync: fs.existsSync,
  fstatSync: fs.fstatSync,
  fsyncSync: fs.fsyncSync,
  linkSync: fs.linkSync,
  lstatSync: fs.lstatSync,
  mkdirSync: fs.mkdirSync,
  mkdtempSync: fs.mkdtempSync,
  openSync: fs.openSync,
  readFileSync: readNamed as typeof fs.readFileSync,
  readSync: fs.readSync,
  readdirSync: fs.readdirSync,
  readlinkSync: fs.readlinkSync,
  realpathSync: fs.realpathSync,
  renameSync: fs.renameSync,
  rmSync: fs.rmSync,
  rmdirSync: fs.rmdirSync,
  statSync: fs.statSync,
  statfsSync: fs.statfsSync,
  symlinkSync: fs.symlinkSync,
  unlinkSync: fs.unlinkSync,
  utimesSync: fs.utimesSync,
  writeFileSync: fs.writeFileSync,
  writeSync: fs.writeSync,
};

/**
 * A whole file, which is none that never ends: a device, or a pipe that nobody may ever write to. Node names no file where it cannot
 * read one that it opened: a folder, or a broken disk.
 */
function readNamed(
  file: fs.PathOrFileDescriptor,
  options?: Parameters<typeof fs.readFileSync>[1],
): string | Buffer {
  // What lies within the executable itself can be read, but not opened.
  if (typeof file !== 'string' || file.startsWith('/$bunfs/')) return fs.readFileSync(file, options);
  refuseEndless(file, fs.statSync(file, { throwIfNoEntry: false }));
  const fd = fs.openSync(file, READ);
  try {
    refuseEndless(file, fs.fstatSync(fd)); // it may have become another
    return naming(file, () => fs.readFileSync(fd, options));
  } finally {
    fs.closeSync(fd);
  }
}

export type Disk = typeof disk;

/** What {@link Disk.accessSync} asks for, from `access(2)`. */
export const { W_OK, X_OK } = fs.constants;

/** Flags for {@link Disk.openSync}, from `open(2)`. */
export const { O_APPEND, O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } =
  fs.constants;

/** Neither waits for a writer nor becomes anybody's terminal. */
const READ = fs.constants.O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);

/**
 * Opens a file to read it in parts. Looks before it opens, for opening alone does something to some devices, and at what it has
 * opened, which may have become another meanwhile.
 *
 * @throws {FileRefused} for what is neither a file nor a folder
 * @throws the system error
 */
export function openToRead(file: string): number {
  refuseEndless(file, disk.statSync(file, { throwIfNoEntry: false }));
  const fd = disk.openSync(file, READ);
  try {
    refuseEndless(
      file,
      naming(file, () => disk.fstatSync(fd)),
    );
    return fd;
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

/**
 * Opens a file of ours to write at its end, and makes it where there is none (0600). A pipe would wait for a reader, and a link is none
 * of ours.
 *
 * @throws {FileRefused} for what is no regular file
 * @throws the system error
 */
export function openToAppend(file: string): number {
  const fd = disk.openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = naming(file, () => disk.fstatSync(fd));
    if (!stat.isFile()) throw new FileRefused(file, describeKind(stat));
    return fd;
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

/** Writes a text at the end of a file of ours, in one go: see {@link openToAppend}. */
export function appendText(file: string, text: string): void {
  closing(openToAppend(file), (fd) => naming(file, () => writeAll(fd, Buffer.from(text))));
}

function refuseEndless(file: string, stat: fs.Stats | undefined): void {
  if (stat !== undefined && !stat.isFile() && !stat.isDirectory())
    throw new FileRefused(file, describeKind(stat));
}

/** What stands in the place of a regular file, in words. */
export function describeKind(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe, not a regular file';
  if (stat.isSocket()) return 'a socket, not a regular file';
  if (stat.isFile()) return 'a file';
  return stat.isSymbolicLink() ? 'a link' : 'a device, not a regular file';
}

/** Replaces some of the calls; returns a function that puts the old ones back. For tests only. */
export function replaceDisk(calls: Partial<Disk>): () => void {
  const before = { ...disk };
  Object.assign(disk, calls);
  return () => Object.assign(disk, before);
}

/** The last millisecond that is written with a year of four digits. */
const LATEST_MS = Date.UTC(10_000, 0, 1) - 1;

/**
 * When a file was last written, in milliseconds since 1970: between then and the year 9999. Disks hold times that no date can
 * tell.
 */
export const writtenMsOf = ({ mtimeMs }: fs.Stats): number => Math.min(Math.max(mtimeMs, 0), LATEST_MS);

/** Names in a folder; none where there is no folder. @throws any other system error */
export function listNames(dir: string): string[] {
  try {
    return disk.readdirSync(dir);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** Writes all bytes, however many writes that takes: where the file is, or from `position` on. @throws the system error */
export function writeAll(fd: number, bytes: Uint8Array, position?: number): void {
  for (let at = 0; at < bytes.length; ) {
    at +=
      position === undefined
        ? disk.writeSync(fd, bytes, at)
        : disk.writeSync(fd, bytes, at, bytes.length - at, position + at);
  }
}

/** Runs `act`; a failure of the system that names no file is about this one. @throws what `act` does */
export function naming<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && !('path' in error))
      Object.assign(error, { path: file });
    throw error;
  }
}

/** Runs `act`, which writes to a file, and closes that. @throws what failed first */
export function closing(fd: number, act: (fd: number) => void): void {
  try {
    act(fd);
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
  disk.closeSync(fd);
}

/** Closes a file that was only read, or after a failure: another one says nothing more. */
export function closeQuietly(fd: number): void {
  try {
    disk.closeSync(fd);
  } catch {
    // Nothing that was written depends on it.
  }
}

/** Runs `act` on a file that is opened to be read in parts; what the system refuses names it. @throws as {@link openToRead}, and what `act` does */
export function reading<T>(file: string, act: (fd: number) => T): T {
  const fd = openToRead(file);
  try {
    return naming(file, () => act(fd));
  } finally {
    closeQuietly(fd);
  }
}

/** The bytes of a file, in pieces that fit into memory; each is gone when the next one is read. @throws the system error */
export function* readPieces(file: string, pieceBytes = 4 * 1024 * 1024): Generator<Buffer> {
  const fd = openToRead(file);
  const buffer = Buffer.allocUnsafe(pieceBytes);
  const read = (at: number): number => naming(file, () => disk.readSync(fd, buffer, 0, pieceBytes, at));
  try {
    for (let at = 0, count = read(at); count > 0; at += count, count = read(at))
      yield buffer.subarray(0, count);
  } finally {
    closeQuietly(fd);
  }
}

/** The last bytes of a file as UTF-8 text; empty when there is no such file. @throws any other system error */
export function readTail(file: string, maxBytes: number): string {
  if (!disk.existsSync(file)) return '';
  return reading(file, (fd) => {
    const size = disk.fstatSync(fd).size;
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const read = disk.readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, read);
  });
}

/**
 * A worktree path as git sees it, links not followed: `undefined` when it is missing, and when a folder on the way
 * has become a file or a link.
 */
export function lstatInWorktree(root: string, path: string): fs.Stats | undefined {
  const names = path.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    const stat = lstatIfExists(join(root, ...names.slice(0, depth)));
    if (depth === names.length || !stat?.isDirectory()) return depth === names.length ? stat : undefined;
  }
  return undefined;
}

/** What tells one moment of a file from another without reading it; empty where there is none. */
export function lookAt(file: string): string {
  const stat = lstatIfExists(file);
  return stat ? `${stat.ino}:${stat.mode}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}` : '';
}

/** Whether every folder on the way to a worktree path is a folder, or is not there yet. @throws any other system error */
export function isReachable(root: string, path: string): boolean {
  const names = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= names.length; depth++) {
    const stat = lstatIfExists(join(root, ...names.slice(0, depth)));
    if (!stat?.isDirectory()) return stat === undefined;
  }
  return true;
}

/** A path, links not followed; `undefined` when it is missing, also where a folder on the way is none. @throws any other system error */
export function lstatIfExists(path: string): fs.Stats | undefined {
  try {
    return disk.lstatSync(path, { throwIfNoEntry: false }); // an error that is made costs more than the look
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/**
 * Makes a folder below `root`, and refuses one that is reached through a link: what we write into `.entire` must not
 * end up where somebody else decides.
 *
 * @throws {EntireError} `WRITE_FAILED`, which says which folder is none
 * @throws the system error
 */
export function makePlainFolder(root: string, ...names: readonly string[]): void {
  let folder = root;
  for (const name of names) {
    folder = join(folder, name);
    disk.mkdirSync(folder, { recursive: true, mode: 0o750 });
    if (!disk.lstatSync(folder).isDirectory())
      throw new EntireError('WRITE_FAILED', `${folder} is a link, not a folder.`, {
        hint: 'Replace the link by a folder: what is written there must stay in the worktree.',
      });
  }
}

/** The system's folder for temporary files, physical. */
export const temporaryFolder = (): string => disk.realpathSync(tmpdir());

/** A fresh folder in it, for nobody but us. */
export const makeTemporaryFolder = (prefix: string): string =>
  disk.mkdtempSync(join(temporaryFolder(), prefix));
