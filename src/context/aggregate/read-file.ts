import { isUtf8 } from 'node:buffer';
import { describeError, errnoOf } from '../../base/errors.ts';
import { disk, O_NONBLOCK } from '../../base/file/disk.ts';
import { counted } from '../../base/text/text.ts';

/** Longer files are data, or made by programs. In bytes. */
export const MAX_FILE_BYTES = 2_000_000;

/** How many bytes the files of a context have together: far more than any model takes, and less than a text can have. */
export const MAX_TOTAL_BYTES = 100_000_000;

/** What came of reading a file: its text, why it is none that a context can show, or why it could not be read. */
export type FileReading =
  | { readonly status: 'text'; readonly text: string; readonly mtime: number }
  | { readonly status: 'not-text'; readonly reason: string; readonly mtime: number }
  | { readonly status: 'missing' }
  | { readonly status: 'unreadable'; readonly reason: string; readonly mtime: number };

/**
 * Reads a file for a context. Never throws, and never waits: a pipe or a device is not opened for its content.
 *
 * `mtime` is in seconds since 1970, as a fraction; 0 where it is not known.
 */
export function readFileForContext(path: string, maxBytes = MAX_FILE_BYTES): FileReading {
  let mtime = 0;
  let fd: number | undefined;
  try {
    const seen = disk.statSync(path);
    mtime = seen.mtimeMs / 1000;
    if (!seen.isFile()) return { status: 'unreadable', reason: kindOf(seen), mtime };
    fd = disk.openSync(path, O_NONBLOCK); // it may have become a pipe since
    const stat = disk.fstatSync(fd);
    mtime = stat.mtimeMs / 1000;
    if (stat.size > maxBytes) {
      const reason = `${counted(stat.size, 'byte')}, the limit is ${maxBytes}`;
      return { status: 'not-text', reason, mtime };
    }
    const bytes = disk.readFileSync(fd);
    const reason = whyNoText(bytes);
    return reason ? { status: 'not-text', reason, mtime } : { status: 'text', text: decode(bytes), mtime };
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' };
    return { status: 'unreadable', reason: REASONS[code ?? ''] ?? code ?? describeError(error), mtime };
  } finally {
    if (fd !== undefined) disk.closeSync(fd);
  }
}

/** The system's own sentences name the whole path. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'a link that leads in a circle',
  EISDIR: 'a folder',
  ENAMETOOLONG: 'the name is too long',
};

const kindOf = (stat: { isDirectory(): boolean }): string =>
  stat.isDirectory() ? 'a folder' : 'neither a file nor a folder';

/** As git does: a NUL byte near the beginning. */
const LOOKED_AT = 8000;

function whyNoText(bytes: Buffer): string | undefined {
  const size = counted(bytes.length, 'byte');
  if (/^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2))) return `UTF-16, not UTF-8; ${size}`;
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return `binary; ${size}`;
  return isUtf8(bytes) ? undefined : `not UTF-8; ${size}`;
}

/** Without a byte order mark, which is no part of the text. */
const decode = (bytes: Buffer): string => new TextDecoder().decode(bytes);
