import { openOwn } from '../../agents/shared/transcript/transcript-door.ts';
import { closeQuietly, disk, naming } from '../../base/file/disk.ts';
import { isJson } from '../../base/text/json.ts';
import { JsonShortener, LEFT_OUT_KEY, type ShortLimits } from '../../base/text/shorten-json.ts';
import { readingTranscript, readRangeOf } from './file.ts';
import { type Mask, maskLines } from './private.ts';

/**
 * Transcripts are read in pieces of whole lines: one of any size costs a hook no more memory than a piece. A line that is longer than
 * that is read in its short form.
 */
export interface TranscriptLimits extends ShortLimits {
  /** Lines are read together up to here. */
  readonly pieceBytes: number;
  /** And up to so many: what looks at a line costs something for each, an empty one, too. */
  readonly pieceLines: number;
  /** Longer lines are read in their short form, of `totalBytes` at most. */
  readonly lineBytes: number;
  /** Of the part that a turn adds, so much is looked at in one go: the end of it. */
  readonly partBytes: number;
  readonly partLines: number;
  /** Documents, which can only be read whole, are read in their short form beyond this, and not at all where that is longer. */
  readonly documentBytes: number;
}

const KIB = 1024;

/** Measured: redacting takes 15 bytes of memory for each that is redacted at once. */
export const LIMITS: TranscriptLimits = {
  pieceBytes: 2048 * KIB,
  pieceLines: 16 * KIB,
  lineBytes: 4096 * KIB,
  textBytes: 32 * KIB,
  totalBytes: 1024 * KIB,
  partBytes: 8192 * KIB,
  partLines: 64 * KIB,
  documentBytes: 4096 * KIB,
};

/** Whole lines of a transcript. */
export interface LinePiece {
  readonly bytes: Buffer;
  /** Where they end in the transcript. */
  readonly end: number;
  /** One line in its short form: the bytes are not those of the transcript. */
  readonly isShort: boolean;
}

const NEWLINE = 0x0a;
const READ_BYTES = 1024 * KIB;

/** The lines from `start` on, as many as make a piece; `undefined` where no line ends before `end`. @throws the system error */
export function readLines(
  fd: number,
  start: number,
  end: number,
  limits: TranscriptLimits,
): LinePiece | undefined {
  const few = readRangeOf(fd, start, Math.min(end, start + limits.pieceBytes));
  const last = endOfLines(few, limits.pieceLines) ?? few.lastIndexOf(NEWLINE) + 1;
  if (last > 0) return { bytes: few.subarray(0, last), end: start + last, isShort: false };
  if (few.length < limits.pieceBytes) return undefined;
  const close = findNewline(fd, start + few.length, end);
  if (close === undefined) return undefined;
  if (close - start <= limits.lineBytes)
    return { bytes: readRangeOf(fd, start, close + 1), end: close + 1, isShort: false };
  const short = shortenRange(fd, start, close, limits);
  return { bytes: Buffer.concat([short, Buffer.of(NEWLINE)]), end: close + 1, isShort: true };
}

/** Where so many lines end; `undefined` where there are fewer. */
export function endOfLines(bytes: Buffer, lines: number): number | undefined {
  let end = 0;
  for (let left = lines; left > 0; left--) {
    end = bytes.indexOf(NEWLINE, end) + 1;
    if (end === 0) return undefined;
  }
  return end;
}

/**
 * The pieces of a stretch that begins where a line does; what stands behind the last line end is left out.
 *
 * @param mask what of them is private, and overwritten
 * @throws the system error
 */
export function* readPieces(
  path: string,
  start: number,
  end: number,
  limits: TranscriptLimits = LIMITS,
  mask?: Mask,
): Generator<LinePiece> {
  const fd = openOwn(path); // open as long as somebody asks for more
  const read = (at: number): LinePiece | undefined => naming(path, () => readLines(fd, at, end, limits));
  try {
    for (let at = start; at < end; ) {
      const piece = read(at);
      if (!piece) return;
      yield mask ? { ...piece, bytes: maskLines(mask, piece.bytes) } : piece;
      at = piece.end;
    }
  } finally {
    closeQuietly(fd);
  }
}

/** A JSON value that lies between two bytes of a file, in its short form. @throws the system error */
export function shortenRange(fd: number, start: number, end: number, limits: ShortLimits): Buffer {
  const shortener = new JsonShortener(limits);
  for (const bytes of readBlocks(fd, start, end)) shortener.push(bytes);
  const short = shortener.end();
  return isJson(short.toString('utf8')) ? short : Buffer.from(`{"${LEFT_OUT_KEY}":${end - start}}`);
}

/** Where the next line end is; `undefined` when there is none before `end`. @throws the system error */
export function findNewline(fd: number, start: number, end: number): number | undefined {
  let at = start;
  for (const bytes of readBlocks(fd, start, end)) {
    const found = bytes.indexOf(NEWLINE);
    if (found !== -1) return at + found;
    at += bytes.length;
  }
  return undefined;
}

/** How many lines end in a stretch. @throws the system error */
export function countLineEnds(path: string, start: number, end: number): number {
  let count = 0;
  eachBlock(path, start, end, (bytes) => {
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  });
  return count;
}

/** Where the line begins that `lines` others precede in a stretch; its end where it has fewer. @throws the system error */
export const findLine = (path: string, start: number, end: number, lines: number): number =>
  findLines(path, start, end, [lines])[0] as number;

/** {@link findLine} of several, in one pass. @param counts in ascending order @throws the system error */
export function findLines(path: string, start: number, end: number, counts: readonly number[]): number[] {
  const found = counts.filter((lines) => lines <= 0).map(() => start);
  if (found.length === counts.length) return found;
  let passed = 0;
  let offset = start;
  eachBlock(path, start, end, (bytes) => {
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
      passed++;
      while (counts[found.length] === passed) found.push(offset + at + 1);
      if (found.length === counts.length) return false;
    }
    offset += bytes.length;
  });
  return counts.map((_, nth) => found[nth] ?? end);
}

/** Where bytes stand in a stretch of a file; `undefined` where they do not. @throws the system error */
export function findBytes(path: string, start: number, end: number, wanted: Buffer): number | undefined {
  let found: number | undefined;
  let offset = start;
  let before = Buffer.alloc(0);
  eachBlock(path, start, end, (bytes) => {
    const window = Buffer.concat([before, bytes]);
    const at = window.indexOf(wanted);
    if (at !== -1) {
      found = offset - before.length + at;
      return false;
    }
    offset += bytes.length;
    before = Buffer.from(window.subarray(Math.max(0, window.length - wanted.length + 1)));
  });
  return found;
}

/** Calls `use` with one block after the other, until it returns false. */
function eachBlock(path: string, start: number, end: number, use: (bytes: Buffer) => unknown): void {
  readingTranscript(path, (fd) => {
    for (const bytes of readBlocks(fd, start, end)) if (use(bytes) === false) return;
  });
}

/** The bytes of a stretch; each block is gone when the next one is read. */
function* readBlocks(fd: number, start: number, end: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(READ_BYTES, end - start)));
  for (let at = start; at < end; ) {
    const count = disk.readSync(fd, buffer, 0, Math.min(buffer.length, end - at), at);
    if (count === 0) return;
    yield buffer.subarray(0, count);
    at += count;
  }
}
