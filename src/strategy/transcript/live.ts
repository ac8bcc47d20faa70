import { createHash } from 'node:crypto';
import { transcriptFormatOf } from '../../agents/registry.ts';
import type { TranscriptFormat } from '../../agents/transcript.ts';
import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { isJson } from '../../base/json.ts';
import { log } from '../../base/log.ts';
import { readRange, transcriptSize } from './file.ts';
import {
  EMPTY_INDEX,
  identifyCache,
  readIndex,
  type TranscriptIndex,
  transcriptCacheDir,
} from './index-file.ts';

/** A session's transcript as it is now: what its index knows of the part taken in before, and the lines since. */
export interface LiveTranscript {
  readonly dir: string;
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly index: TranscriptIndex;
  /** The cache file that the index speaks of: another hook may put one of another text in its place. */
  readonly cacheFile: string;
  /** Whole lines after the indexed ones, without blank ones at the end of the transcript. */
  readonly fresh: Buffer;
  /**
   * A last line without a line end, if it is a whole JSON value. One that is half written waits for the next look. All of a
   * transcript that is one document, whose items are its messages: nothing of it is settled.
   */
  readonly tail: string;
  readonly isDocument: boolean;
}

/** What says which transcript a session has. */
export interface TranscriptOwner {
  readonly sessionId: SessionId;
  readonly agentType: string;
  readonly transcriptPath: string | undefined;
}

/** So much of the indexed part's beginning and end is compared before its index is believed. */
const HEAD_BYTES = 4 * 1024;
const WINDOW_BYTES = 64 * 1024;

/**
 * Reads what came since the transcript was indexed. One that became shorter, or has other bytes where the index ends
 * (compaction, rewind, another file), is read from the start. One that is gone or emptied is what its index knows of it.
 * Never throws.
 */
export function readLive(commonDir: string, owner: TranscriptOwner): LiveTranscript {
  const dir = transcriptCacheDir(commonDir, owner.sessionId);
  const path = owner.transcriptPath ?? '';
  const cacheFile = identifyCache(dir); // before the index: one of a later file is told by it, too
  const known = { dir, path, cacheFile, format: transcriptFormatOf(owner.agentType) };
  const index = readIndex(dir);
  const size = transcriptSize(path, known.format);
  const nothing = { index, fresh: Buffer.alloc(0), tail: '', isDocument: false };
  if (!size) return { ...known, ...nothing };
  try {
    const fits = index.size <= size && isSameText(path, index);
    if (!fits && index.size > 0) log('info', 'transcript was rewritten: read from the start', { file: path });
    const used = fits ? index : EMPTY_INDEX;
    return { ...known, index: used, ...split(known.format, readRange(path, used.size, size), used.size) };
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return { ...known, ...nothing };
  }
}

/** {@link readLive} without what was taken in before. */
export function readFromStart(live: LiveTranscript): LiveTranscript {
  const bytes = readRange(live.path, 0, transcriptSize(live.path, live.format) ?? 0);
  return { ...live, index: EMPTY_INDEX, ...split(live.format, bytes, 0) };
}

/** Whether the cache still holds the lines that the index speaks of. What was appended meanwhile does not matter. */
export const hasItsCache = ({ dir, index, cacheFile }: LiveTranscript): boolean =>
  index.redacted === 0 || identifyCache(dir) === cacheFile;

/** A transcript that exists only as a text: the copy on a shadow branch. It has no cache. */
export const liveFromText = (text: string, format: TranscriptFormat): LiveTranscript => ({
  dir: '',
  path: '',
  format,
  cacheFile: '',
  index: EMPTY_INDEX,
  ...split(format, Buffer.from(text), 0),
});

function isSameText(path: string, { size, head, tail }: TranscriptIndex): boolean {
  return size === 0 || (digestOfHead(path, size) === head && digestOfTail(path, size) === tail);
}

/** SHA-256 of the first bytes of a transcript's first `size`. @throws the system error */
export const digestOfHead = (path: string, size: number): string =>
  digest(readRange(path, 0, Math.min(size, HEAD_BYTES)));

/** SHA-256 of the last bytes of a transcript's first `size`. @throws the system error */
export const digestOfTail = (path: string, size: number): string =>
  digest(readRange(path, Math.max(0, size - WINDOW_BYTES), size));

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const NEWLINE = 0x0a;

type Parts = Pick<LiveTranscript, 'fresh' | 'tail' | 'isDocument'>;

/** @param at where the bytes begin in the transcript */
function split(format: TranscriptFormat, bytes: Buffer, at: number): Parts {
  if (at === 0 && format.isDocument && OBJECT.test(bytes.toString('latin1', 0, HEAD_BYTES))) {
    const text = bytes.toString('utf8');
    if (format.isDocument(text)) return { fresh: Buffer.alloc(0), tail: text, isDocument: true };
  }
  return { ...splitTail(bytes), isDocument: false };
}

/** Lines begin like that, too: parsing tells. */
const OBJECT = /^\s*\{/;

function splitTail(bytes: Buffer): { fresh: Buffer; tail: string } {
  const last = endOfText(bytes, bytes.length);
  if (last === 0) return { fresh: Buffer.alloc(0), tail: '' };
  const lineEnd = bytes.indexOf(NEWLINE, last);
  if (lineEnd !== -1) return { fresh: bytes.subarray(0, lineEnd + 1), tail: '' };
  const start = bytes.lastIndexOf(NEWLINE, last) + 1;
  const tail = bytes.toString('utf8', start, last);
  if (isJson(tail)) return { fresh: bytes.subarray(0, start), tail };
  const before = endOfText(bytes, start);
  return {
    fresh: before === 0 ? Buffer.alloc(0) : bytes.subarray(0, bytes.indexOf(NEWLINE, before) + 1),
    tail: '',
  };
}

/** Index after the last byte before `end` that is not white space. */
function endOfText(bytes: Buffer, end: number): number {
  let at = end;
  while (at > 0 && (bytes[at - 1] as number) <= 0x20) at--;
  return at;
}

/** Items in the whole transcript: messages of a document, else lines, blank and malformed ones included. */
export const countItems = (live: LiveTranscript): number =>
  live.isDocument
    ? live.format.countItems(live.tail)
    : live.index.items + countLines(live.fresh) + (live.tail === '' ? 0 : 1);

/** Line ends in `bytes`. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** What came after the indexed part. */
export const freshText = ({ fresh, tail }: LiveTranscript): string => fresh.toString('utf8') + tail;

/** The transcript from an item on; empty when it has fewer items. */
export function sliceFrom(live: LiveTranscript, item: number): string {
  const { index, path, fresh, tail, format, isDocument } = live;
  if (isDocument) return format.sliceItems(tail, Math.max(item, 0));
  if (Math.max(item, 0) >= index.items)
    return afterLines(fresh, item - index.items) + tailIfReached(live, item, tail);
  const [known, start] = index.marks.findLast(([at]) => at <= item) ?? [0, 0];
  try {
    const older = readRange(path, start, index.size);
    return afterLines(Buffer.concat([older, fresh]), item - known) + tail;
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return '';
  }
}

const tailIfReached = (live: LiveTranscript, item: number, tail: string): string =>
  item < countItems(live) ? tail : '';

function afterLines(bytes: Buffer, lines: number): string {
  let at = 0;
  for (let passed = 0; passed < lines; passed++) {
    const next = bytes.indexOf(NEWLINE, at);
    if (next === -1) return '';
    at = next + 1;
  }
  return bytes.toString('utf8', at);
}

/** Id of the last message, or `''`. */
export const lastIdentifier = (live: LiveTranscript): string =>
  live.format.readLastIdentifier(freshText(live)) || live.index.identifier;
