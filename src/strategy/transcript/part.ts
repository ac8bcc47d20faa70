import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { readRange, transcriptSize } from './file.ts';
import type { LiveTranscript } from './live.ts';
import { findLine, readPieces } from './pieces.ts';
import { maskLines } from './private.ts';

/** Looks into a transcript without taking anything in: how many items it has, and what stands from one of them on. */

const NEWLINE = 0x0a;

/** Items in the whole transcript: messages of a document, else lines, blank and malformed ones included. */
export const countItems = (live: LiveTranscript): number =>
  live.isDocument
    ? live.format.countItems(live.tail)
    : live.index.items + countLines(live.fresh) + (live.tail === '' ? 0 : 1) + (live.rest?.items() ?? 0);

/** Where the last whole line of it ends, as far as it was looked at. */
export const endOf = ({ rest, end }: Pick<LiveTranscript, 'rest' | 'end'>): number => rest?.end ?? end;

/** Line ends in `bytes`. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** What came after the indexed part, as far as it is looked at. */
export const freshText = ({ fresh, tail }: LiveTranscript): string => fresh.toString('utf8') + tail;

/** A part of a transcript. */
export interface Part {
  readonly text: string;
  /** Nothing was left out at its beginning: it is not longer than what is looked at in one go. */
  readonly isWhole: boolean;
}

/** The transcript from an item on; empty when it has fewer items, cut at its beginning where it is very long. */
export const sliceFrom = (live: LiveTranscript, item: number): string => readPart(live, item).text;

/** {@link sliceFrom}, with whether it is all of it. */
export function readPart(live: LiveTranscript, item: number): Part {
  const { index, fresh, tail, format, isDocument, rest } = live;
  if (isDocument) return { text: format.sliceItems(tail, Math.max(item, 0)), isWhole: true };
  if (!rest && Math.max(item, 0) >= index.items) {
    const text = afterLines(fresh, item - index.items) + (item < countItems(live) ? tail : '');
    return { text, isWhole: true };
  }
  try {
    return readLongPart(live, item);
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: live.path, error: describeError(error) });
    return { text: '', isWhole: true };
  }
}

/** Reads the lines from the disk, and keeps the last of them. */
function readLongPart(live: LiveTranscript, item: number): Part {
  const { path, index, tail, limits, mask } = live;
  const marks = [...index.marks, [index.items, index.size] as const];
  const [known, start] = marks.findLast(([at]) => at <= item) ?? [0, 0];
  const last = endOf(live);
  if ((transcriptSize(path, undefined) ?? 0) < last) throw new Error('it became shorter');
  const from = findLine(path, start, last, item - known);
  const kept: Buffer[] = [];
  let [total, lines, isWhole] = [0, 0, true];
  for (const { bytes } of readPieces(path, from, last, limits, mask)) {
    kept.push(bytes);
    total += bytes.length;
    lines += countLines(bytes);
    for (; (total > limits.partBytes || lines > limits.partLines) && kept.length > 1; isWhole = false) {
      const dropped = kept.shift() as Buffer;
      total -= dropped.length;
      lines -= countLines(dropped);
    }
  }
  if (!isWhole)
    log('info', 'only the end of a long part of the transcript is looked at', { file: path, bytes: total });
  return { text: Buffer.concat(kept).toString('utf8') + tail, isWhole };
}

/** When the first line from an item on was written that says so. */
export function readTimeFrom(live: LiveTranscript, item: number): number | undefined {
  const { path, index, format, limits, mask } = live;
  const part = readPart(live, item);
  if (part.isWhole) return format.readTime(part.text);
  const [known, start] = index.marks.findLast(([at]) => at <= item) ?? [0, 0];
  const last = endOf(live);
  for (const { bytes } of readPieces(path, findLine(path, start, last, item - known), last, limits, mask))
    return format.readTime(bytes.toString('utf8'));
  return undefined;
}

function afterLines(bytes: Buffer, lines: number): string {
  let at = 0;
  for (let passed = 0; passed < lines; passed++) {
    const next = bytes.indexOf(NEWLINE, at);
    if (next === -1) return '';
    at = next + 1;
  }
  return bytes.toString('utf8', at);
}

/** The last message is looked for in so much of a part that waits. */
const LAST_BYTES = 256 * 1024;

/** Id of the last message, or `''`. */
export function lastIdentifier(live: LiveTranscript): string {
  const { format, index, rest, path, mask } = live;
  try {
    const waiting = rest
      ? afterLines(maskLines(mask, readRange(path, Math.max(index.size, rest.end - LAST_BYTES), rest.end)), 1)
      : '';
    return format.readLastIdentifier(waiting || freshText(live)) || index.identifier;
  } catch {
    return index.identifier; // whoever reads the transcript says why
  }
}
