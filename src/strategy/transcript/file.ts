import { join } from 'node:path';
import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { lookAtTranscript, openOwn } from '../../agents/shared/transcript/transcript-door.ts';
import { closeQuietly, disk, makePlainFolder, naming, openToAppend, writeAll } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { metadataDir } from '../../checkpoint/shadow-branch.ts';

/** How long a turn end waits for the agent's last words to reach the transcript. They come within 100 ms. */
const FLUSH_WAIT_MS = 250;
/** The same for a mark, which is sure to come: with a sub-agent in the background it has taken 560 ms. */
const MARK_WAIT_MS = 1000;
const FLUSH_POLL_MS = 10;
/** Last words are looked for in this much of the file's end. */
const TAIL_BYTES = 64 * 1024;

/**
 * Size of a transcript in bytes; `undefined` when it is not named, missing, or not read as one (see `agents/shared/transcript/transcript-door.ts`).
 * Never throws.
 */
export const transcriptSize = (path: string, format: TranscriptFormat | undefined): number | undefined =>
  lookAtTranscript(path, format?.looksLike)?.size;

/** When the client last wrote to a transcript, in milliseconds since 1970; 0 where there is none. Never throws. */
export const transcriptTime = (path: string): number => lookAtTranscript(path, undefined)?.mtimeMs ?? 0;

/** Bytes `start` … `end` of a file, fewer where it ends before. @throws the system error */
export function readRange(path: string, start: number, end: number): Buffer {
  return readingTranscript(path, (fd) => readRangeOf(fd, start, end));
}

/** Runs `act` on a file that may have become another one meanwhile. @throws the system error, or one that says why it is not read */
export function readingTranscript<T>(path: string, act: (fd: number) => T): T {
  const fd = openOwn(path);
  try {
    return naming(path, () => act(fd));
  } finally {
    closeQuietly(fd);
  }
}

/** {@link readRange} of an open file. */
export function readRangeOf(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, end - start));
  let filled = 0;
  while (filled < buffer.length) {
    const count = disk.readSync(fd, buffer, filled, buffer.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/**
 * Waits until the transcript holds the agent's last words, for {@link FLUSH_WAIT_MS} or {@link MARK_WAIT_MS} at
 * most. A later event picks up what comes after that. Does not wait for a file that does not exist, unless a mark says that there will be one.
 *
 * @param mark what stands behind those words, where they are not known
 */
export async function waitForLastWords(
  format: TranscriptFormat,
  path: string | undefined,
  message: string | undefined,
  mark?: string,
): Promise<void> {
  if (!path || !(message || mark)) return;
  const isComplete = (tail: string): boolean =>
    (!mark || tail.includes(mark)) && (!message || format.holdsMessage(tail, message));
  for (const deadline = Date.now() + (mark ? MARK_WAIT_MS : FLUSH_WAIT_MS); Date.now() < deadline; ) {
    const tail = readTail(path);
    if (tail === undefined ? !mark : isComplete(tail)) return;
    await new Promise((resolve) => setTimeout(resolve, FLUSH_POLL_MS));
  }
  log('debug', 'last words not in the transcript yet', { file: path });
}

function readTail(path: string): string | undefined {
  try {
    const size = disk.statSync(path).size;
    return readRange(path, Math.max(0, size - TAIL_BYTES), size).toString('utf8');
  } catch {
    return undefined; // missing or unreadable: nothing to wait for
  }
}

/**
 * Keeps the working copy `.entire/metadata/<session-id>/full.jsonl` up to date with the transcript at `path`: new bytes
 * are appended; a transcript that was rewritten (compaction, rewind) replaces it.
 *
 * @param mask takes out what is private, where something is
 */
export function copyTranscript(
  root: string,
  id: SessionId,
  path: string,
  mask?: (bytes: Buffer) => Buffer,
): void {
  makePlainFolder(root, '.entire', 'metadata', id);
  const file = join(root, metadataDir(id), 'full.jsonl');
  const size = disk.statSync(path).size;
  if (mask) return writeFileAtomic(file, mask(readRange(path, 0, size)));
  const copied = disk.lstatSync(file, { throwIfNoEntry: false });
  if (!copied?.isFile() || copied.size > size || !isPrefix(file, path, copied.size)) {
    writeFileAtomic(file, readRange(path, 0, Math.min(size, COPY_BYTES)));
    if (size > COPY_BYTES) appendFrom(file, path, COPY_BYTES, size);
    return;
  }
  if (copied.size < size) appendFrom(file, path, copied.size, size);
}

/** So much is held in memory at once. */
const COPY_BYTES = 4 * 1024 * 1024;

function appendFrom(file: string, path: string, start: number, end: number): void {
  const fd = openToAppend(file);
  try {
    for (let at = start; at < end; at += COPY_BYTES)
      writeAll(fd, readRange(path, at, Math.min(end, at + COPY_BYTES)));
  } finally {
    disk.closeSync(fd);
  }
}

/** Whether both files begin alike, as far as their first and last bytes up to `size` tell. */
function isPrefix(copy: string, path: string, size: number): boolean {
  const windows = [
    [0, Math.min(size, 4096)],
    [Math.max(0, size - 4096), size],
  ] as const;
  return windows.every(([start, end]) => readRange(copy, start, end).equals(readRange(path, start, end)));
}
