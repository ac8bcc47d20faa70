import { join } from 'node:path';
import type { TranscriptFormat } from '../agents/transcript.ts';
import {
  disk,
  makePlainFolder,
  O_APPEND,
  O_CREAT,
  O_NOFOLLOW,
  O_WRONLY,
  readTextIfExists,
} from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';
import { metadataDir } from '../checkpoint/shadow-branch.ts';

/** How long a turn end waits for the agent's last words to reach the transcript. They come within 100 ms. */
const FLUSH_WAIT_MS = 250;
const FLUSH_POLL_MS = 10;
/** Last words are looked for in this much of the file's end. */
const TAIL_BYTES = 64 * 1024;

/** The live transcript; empty when it is not named, missing, or no regular file. Never throws. */
export function readTranscript(path: string | undefined): string {
  if (!path) return '';
  try {
    if (!disk.statSync(path, { throwIfNoEntry: false })?.isFile()) return '';
    return readTextIfExists(path) ?? '';
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return '';
  }
}

/**
 * Waits until the transcript holds the agent's last words, at most {@link FLUSH_WAIT_MS}. A later event picks up
 * what comes after that. Does not wait for a file that does not exist.
 */
export async function waitForLastWords(
  format: TranscriptFormat,
  path: string | undefined,
  message: string | undefined,
): Promise<void> {
  if (!path || !message) return;
  for (const deadline = Date.now() + FLUSH_WAIT_MS; Date.now() < deadline; ) {
    const tail = readTail(path);
    if (tail === undefined || format.holdsMessage(tail, message)) return;
    await new Promise((resolve) => setTimeout(resolve, FLUSH_POLL_MS));
  }
  log('debug', 'last words not in the transcript yet', { file: path });
}

function readTail(path: string): string | undefined {
  try {
    const size = disk.statSync(path).size;
    return readFrom(path, Math.max(0, size - TAIL_BYTES)).toString('utf8');
  } catch {
    return undefined; // missing or unreadable: nothing to wait for
  }
}

function readFrom(path: string, start: number): Buffer {
  const fd = disk.openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, disk.fstatSync(fd).size - start));
    let filled = 0;
    while (filled < buffer.length) {
      const count = disk.readSync(fd, buffer, filled, buffer.length - filled, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } finally {
    disk.closeSync(fd);
  }
}

/**
 * Keeps the working copy `.entire/metadata/<session-id>/full.jsonl` up to date: new bytes are appended; a
 * transcript that was rewritten (compaction, rewind) replaces it.
 */
export function copyTranscript(root: string, id: SessionId, text: string): void {
  makePlainFolder(root, '.entire', 'metadata', id);
  const file = join(root, metadataDir(id), 'full.jsonl');
  const bytes = Buffer.from(text);
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > bytes.length || !endsAlike(file, stat.size, bytes)) {
    writeFileAtomic(file, bytes);
    return;
  }
  if (stat.size === bytes.length) return;
  const fd = disk.openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    for (let at = stat.size; at < bytes.length; ) at += disk.writeSync(fd, bytes, at);
  } finally {
    disk.closeSync(fd);
  }
}

/** Whether the copy's last bytes are those of the transcript at the same place. */
function endsAlike(file: string, size: number, bytes: Buffer): boolean {
  const start = Math.max(0, size - 4096);
  return readFrom(file, start).equals(bytes.subarray(start, size));
}
