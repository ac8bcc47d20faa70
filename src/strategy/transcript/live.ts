import { transcriptFormatOf } from '../../agents/registry.ts';
import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import { sha256Of } from '../../base/hash.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { isJson } from '../../base/text/json.ts';
import { openDocument } from './document.ts';
import { readRange, transcriptSize } from './file.ts';
import {
  EMPTY_INDEX,
  identifyCache,
  identifyIndex,
  readIndex,
  type TranscriptIndex,
  transcriptCacheDir,
} from './index-file.ts';
import {
  countLineEnds,
  endOfLines,
  LIMITS,
  type LinePiece,
  readPieces,
  type TranscriptLimits,
} from './pieces.ts';
import { isPausedNow, type Mask, maskDocument, maskLines, readMask } from './private.ts';

/** A session's transcript as it is now: what its index knows of the part taken in before, and the lines since. */
export interface LiveTranscript {
  readonly dir: string;
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly index: TranscriptIndex;
  /** The cache file that the index speaks of: another hook may put one of another text in its place. */
  readonly cacheFile: string;
  /** The cache file that it is to take the place of, where older lines were redacted anew. */
  readonly replaced?: string;
  /** The index file as it was read. */
  readonly indexFile: string;
  /** Whole lines after the indexed ones, without blank ones at the end of the transcript. */
  readonly fresh: Buffer;
  /** Where those end in the transcript. */
  readonly end: number;
  /** They are one line in its short form: the bytes are not those of the transcript. */
  readonly isShort: boolean;
  /** What stands behind them, and is too much to be looked at with them; `undefined` where that is all. */
  readonly rest: Rest | undefined;
  readonly limits: TranscriptLimits;
  /**
   * A last line without a line end, if it is a whole JSON value. One that is half written waits for the next look. All of a
   * transcript that is one document, whose items are its messages: nothing of it is settled.
   */
  readonly tail: string;
  readonly isDocument: boolean;
  /** What of it is private, and overwritten wherever it is read. */
  readonly mask: Mask | undefined;
}

/** A part of a transcript that waits until the part before it is taken in. */
export interface Rest {
  /** Where it ends. */
  readonly end: number;
  /** Lines in it. */
  readonly items: () => number;
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
 * Reads what came since the transcript was indexed; of more than {@link TranscriptLimits.lineBytes}, or more lines than a piece
 * has, it only says how much it is (`rest`): until that is taken in, piece by piece, the transcript ends for its readers where it was taken in. One that became shorter, or has other bytes where the index ends
 * (compaction, rewind, another file), is read from the start. One that is gone or emptied is what its index knows of it.
 * Never throws.
 */
export function readLive(
  commonDir: string,
  owner: TranscriptOwner,
  limits: TranscriptLimits = LIMITS,
): LiveTranscript {
  const dir = transcriptCacheDir(commonDir, owner.sessionId);
  const path = owner.transcriptPath ?? '';
  const { index, ...files } = readKnown(dir);
  const format = transcriptFormatOf(owner.agentType);
  const known = { dir, path, ...files, format, limits, mask: undefined };
  const size = transcriptSize(path, known.format);
  const nothing = { index, ...nothingAfter(index.size) };
  if (!size) return { ...known, ...nothing };
  try {
    if (isPausedNow(commonDir, owner.sessionId)) return { ...known, ...nothing };
    const mask = readMask(commonDir, owner.sessionId);
    const fits = index.size <= size && isSameText(path, index);
    if (!fits && index.size > 0) log('info', 'transcript was rewritten: read from the start', { file: path });
    return { ...known, mask, ...readOn({ ...known, mask }, fits ? index : EMPTY_INDEX, size) };
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return { ...known, ...nothing };
  }
}

/** The index, and the cache file that it speaks of: both of the same moment, or of no moment at which there was another text. */
function readKnown(dir: string): Pick<LiveTranscript, 'index' | 'cacheFile' | 'indexFile'> {
  for (let tries = 1; ; tries++) {
    const indexFile = identifyIndex(dir);
    const index = readIndex(dir);
    const cacheFile = identifyCache(dir, index);
    if (indexFile === identifyIndex(dir) || tries === 5) return { index, cacheFile, indexFile };
  }
}

type Known = Pick<LiveTranscript, 'path' | 'format' | 'limits' | 'mask'>;

const nothingAfter = (end: number) => ({
  fresh: Buffer.alloc(0),
  end,
  isShort: false,
  rest: undefined,
  tail: '',
  isDocument: false,
});

/** What stands behind an indexed part. */
function readOn({ path, format, limits, mask }: Known, index: TranscriptIndex, size: number) {
  if (size - index.size <= limits.lineBytes) {
    const bytes = readRange(path, index.size, size);
    const parts = split(format, bytes, index.size, mask);
    const isOfFewLines = endOfLines(bytes, limits.pieceLines + 1) === undefined;
    if (parts.isDocument || isOfFewLines) return { index, ...parts };
  } else if (index.size === 0) {
    const text = openDocument(path, size, format, limits);
    if (text !== undefined)
      return { index, ...nothingAfter(0), tail: maskDocument(mask, text), isDocument: true };
  }
  let items: number | undefined;
  const count = () => {
    items ??= countLineEnds(path, index.size, size);
    return items;
  };
  return { index, ...nothingAfter(index.size), rest: { end: size, items: count } };
}

/** {@link readLive} without what was taken in before. @throws the system error */
export function readFromStart(live: LiveTranscript): LiveTranscript {
  return { ...live, ...readOn(live, EMPTY_INDEX, transcriptSize(live.path, live.format) ?? 0) };
}

/** Of a transcript with a rest the first piece of that; `undefined` where no line of it is whole. @throws the system error */
export function readNextPiece(live: LiveTranscript): LiveTranscript | undefined {
  const { path, index, rest, limits } = live;
  if (!rest) return undefined;
  const [piece] = readPieces(path, index.size, rest.end, limits, live.mask) as Iterable<LinePiece>;
  if (!piece) return undefined;
  const { bytes: fresh, end, isShort } = piece;
  return { ...live, fresh, end, isShort, rest: undefined };
}

/** What stands behind a piece that was taken in: `index` is what became of the index. @throws the system error */
export const readBehind = (live: LiveTranscript, index: TranscriptIndex): LiveTranscript => ({
  ...live,
  ...readOn(live, index, transcriptSize(live.path, live.format) ?? 0),
  cacheFile: identifyCache(live.dir, index),
  indexFile: identifyIndex(live.dir),
});

/** Whether the cache still holds the lines that the index speaks of. What was appended meanwhile does not matter. */
export const hasItsCache = ({ dir, index, cacheFile }: LiveTranscript): boolean =>
  index.redacted === 0 || identifyCache(dir, index) === cacheFile;

/** A transcript that exists only as a text: the copy on a shadow branch. It has no cache. */
export const liveFromText = (text: string, format: TranscriptFormat): LiveTranscript => ({
  dir: '',
  path: '',
  format,
  cacheFile: '',
  indexFile: '',
  index: EMPTY_INDEX,
  limits: LIMITS,
  mask: undefined,
  ...split(format, Buffer.from(text), 0, undefined),
});

function isSameText(path: string, { size, head, tail }: TranscriptIndex): boolean {
  return size === 0 || (digestOfHead(path, size) === head && digestOfTail(path, size) === tail);
}

/** SHA-256 of the first bytes of a transcript's first `size`. @throws the system error */
export const digestOfHead = (path: string, size: number): string =>
  sha256Of(readRange(path, 0, Math.min(size, HEAD_BYTES)));

/** SHA-256 of the last bytes of a transcript's first `size`. @throws the system error */
export const digestOfTail = (path: string, size: number): string =>
  sha256Of(readRange(path, Math.max(0, size - WINDOW_BYTES), size));

const NEWLINE = 0x0a;

type Parts = Pick<LiveTranscript, 'fresh' | 'end' | 'isShort' | 'rest' | 'tail' | 'isDocument'>;

/** @param at where the bytes begin in the transcript */
function split(format: TranscriptFormat, bytes: Buffer, at: number, mask: Mask | undefined): Parts {
  if (at === 0 && format.isDocument && OBJECT.test(bytes.toString('latin1', 0, HEAD_BYTES))) {
    const text = bytes.toString('utf8');
    if (format.isDocument(text))
      return { ...nothingAfter(0), tail: maskDocument(mask, text), isDocument: true };
  }
  const { fresh, tail } = splitTail(maskLines(mask, bytes));
  return { ...nothingAfter(at + fresh.length), fresh, tail };
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
