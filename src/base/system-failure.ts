import { finalName } from './file/write-file-atomic.ts';

/** What the system refused, for people. */
export interface SystemFailure {
  /** What could not be done with which file, and why. */
  readonly message: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
}

const PERMISSIONS = 'Correct the permissions of it and of the folder that it is in.';
const ROOM = 'Make room on the disk.';
const KIND = 'Look at what stands there, and at the folders on its way.';

/** Why the system refuses, and what helps. */
const REASONS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EACCES: ['permission denied', PERMISSIONS],
  EPERM: ['the operation is not permitted', PERMISSIONS],
  ENOSPC: ['the disk is full', ROOM],
  EDQUOT: ['the disk quota is used up', ROOM],
  EFBIG: ['the file is too large', ROOM],
  EROFS: ['the file system is read-only', 'Make it writable, or work in a copy that is.'],
  EIO: ['the disk reports an error', 'Look after the disk: the log of the system says more.'],
  ENOENT: ['there is no such file or folder', 'Something removed it meanwhile.'],
  ENOTDIR: ['a folder on its way is a file', KIND],
  EISDIR: ['it is a folder', KIND],
  EEXIST: ['something stands there already', KIND],
  ENOTEMPTY: ['the folder is not empty', KIND],
  ELOOP: ['links on its way lead in a circle', KIND],
  EXDEV: ['it is on another disk', KIND],
  ENAMETOOLONG: ['the name is too long', 'Use shorter names of folders.'],
  EBUSY: ['it is in use', 'Close the program that uses it.'],
  ETXTBSY: ['it is in use', 'Close the program that uses it.'],
  EMFILE: ['too many files are open', 'Close some programs, or raise the limit (`ulimit -n`).'],
  ENFILE: ['too many files are open', 'Close some programs, or raise the limit of the system.'],
  ESTALE: ['the network disk lost it', 'Look after the connection to the disk.'],
};

/** Codes that only a mistake of ours brings forth. */
const BUGS = new Set(['EBADF', 'EINVAL', 'EFAULT', 'ESPIPE']);

const LOOKED = 'looked at';

/** What calls of the file system do to a file. */
const VERBS: Readonly<Record<string, string>> = {
  open: 'opened',
  read: 'read',
  write: 'written',
  fsync: 'written',
  close: 'written',
  rename: 'replaced',
  link: 'made',
  symlink: 'made',
  mkdir: 'made',
  mkdtemp: 'made',
  rmdir: 'removed',
  unlink: 'removed',
  rm: 'removed',
  scandir: 'listed',
  chmod: 'changed',
  utime: 'changed',
  copyfile: 'copied',
  stat: LOOKED,
  lstat: LOOKED,
  fstat: LOOKED,
  statfs: LOOKED,
  access: LOOKED,
  readlink: LOOKED,
  realpath: LOOKED,
  uv_cwd: LOOKED,
};

/** What a failed call of the file system means; `undefined` for anything else, which is a bug. */
export function explainSystemError(error: unknown): SystemFailure | undefined {
  const { code, syscall, path, dest } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof syscall !== 'string') return undefined;
  if (!/^E[A-Z0-9]+$/.test(code) || BUGS.has(code)) return undefined;
  const done = VERBS[syscall];
  if (done === undefined) return undefined;
  const file = [dest, path].find((name) => typeof name === 'string' && name !== '') as string | undefined;
  const [reason, remedy] = REASONS[code] ?? [undefined, 'Look at what the system says of it.'];
  const what =
    file === undefined ? (syscall === 'uv_cwd' ? 'the current folder' : 'a file') : finalName(file);
  const why = reason === undefined ? code : `${reason} (${code})`;
  return { message: `${what} could not be ${done}: ${why}`, remedy };
}
