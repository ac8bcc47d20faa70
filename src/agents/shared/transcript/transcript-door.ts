import { homedir } from 'node:os';
import { describeError, errnoOf } from '../../../base/errors.ts';
import { closeQuietly, disk, openToRead } from '../../../base/file/disk.ts';
import { log } from '../../../base/log.ts';
import type { TranscriptFormat } from './transcript.ts';

/**
 * The door to transcripts. Where one lies, a payload says, a state file, or the record of a sub-agent, and what is read there may
 * end in a git object: only what can be a transcript of that agent is read. It may lie anywhere, since clients have settings
 * for that.
 */

/** So much of a file's beginning is looked at; more where that has no line end. */
const HEAD_BYTES = 8 * 1024;
const LONG_HEAD_BYTES = 64 * 1024;

/** What is known of an open transcript. */
export interface TranscriptFile {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Opens a file for reading that is a regular one and ours. @throws the system error, or one that says why it is not read */
export function openOwn(path: string): number {
  const fd = openToRead(path);
  try {
    const why = refuseFile(disk.fstatSync(fd), findOwners());
    if (why !== undefined) throw new Error(`${path} is not read: ${why}`);
    return fd;
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

/**
 * What a transcript is like that may be read; `undefined` where none is named or there, and for what is none, which the log then says,
 * and with it `entire status`. Never throws.
 *
 * @param looksLike of the agent's format; without it the beginning does not matter, as of what lies beside a transcript
 */
export function lookAtTranscript(
  path: string,
  looksLike: TranscriptFormat['looksLike'] | undefined,
): TranscriptFile | undefined {
  if (path === '') return undefined;
  try {
    const fd = openOwn(path);
    try {
      const { size, mtimeMs } = disk.fstatSync(fd);
      if (looksLike && size > 0 && !looksLike(readHead(fd)))
        throw new Error(`${path} is not read: it does not begin like a transcript of this agent`);
      return { size, mtimeMs };
    } finally {
      closeQuietly(fd);
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') tellOnce(path, describeError(error));
    return undefined;
  }
}

const told = new Set<string>();

/** A hook looks many times. */
function tellOnce(file: string, error: string): void {
  if (told.has(error)) return;
  told.add(error);
  log('warn', 'transcript is unreadable', { file, error });
}

function readHead(fd: number): string {
  const head = readFirst(fd, HEAD_BYTES);
  return head.includes('\n') || head.length < HEAD_BYTES / 4 ? head : readFirst(fd, LONG_HEAD_BYTES);
}

function readFirst(fd: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString('utf8', 0, disk.readSync(fd, buffer, 0, bytes, 0));
}

/** What is asked of a file. */
interface FileFacts {
  readonly uid: number;
  isFile(): boolean;
}

/** Why a file is not read, whatever is in it. */
export function refuseFile(file: FileFacts, owners: ReadonlySet<number> | undefined): string | undefined {
  if (!file.isFile()) return 'it is not a regular file';
  if (owners && !owners.has(file.uid)) return 'it belongs to somebody else';
  return undefined;
}

/**
 * Whose files are ours. Root reads what anybody has: it may have files of whom the home folder or the current one belongs to, too, as in
 * containers, which run as root on folders of a person's, and under `sudo`. `undefined` where files have no owners.
 */
function findOwners(): ReadonlySet<number> | undefined {
  const uid = process.geteuid?.();
  if (uid === undefined) return undefined;
  if (uid !== 0) return new Set([uid]);
  const folders = [process.env.HOME || homedir(), process.cwd()];
  return new Set([
    uid,
    ...folders.flatMap((folder) => disk.statSync(folder, { throwIfNoEntry: false })?.uid ?? []),
  ]);
}
