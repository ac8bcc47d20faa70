import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import { transcriptSize } from './file.ts';
import type { LiveTranscript } from './live.ts';
import { countItems, countLines, endOf } from './part.ts';
import { findLines, readPieces } from './pieces.ts';

/** What stands in a transcript from one item on, and before another one: as a turn of its session. */
export interface Stretch {
  readonly text: string;
  /** Nothing was left out at its end: it is not longer than what is looked at in one go. */
  readonly isWhole: boolean;
  /** Long texts in it were left out. */
  readonly isShort: boolean;
}

/**
 * Cuts a transcript at items of it. Where these stand is looked for once, in one pass at most, and each stretch is read for itself: what a
 * session says later costs the one who asks for a turn of it nothing.
 *
 * @param items where stretches begin
 * @returns reads the one that begins with an item, up to where the next one begins; `undefined` where there is nothing, or it cannot be read.
 *   Of a long one what was written behind a time (`untilMs`) is left out, as nearly as lines are read together
 */
export function openStretches(
  live: LiveTranscript,
  items: readonly number[],
): (item: number, untilMs: number) => Stretch | undefined {
  const starts = [...new Set(items)].sort((a, b) => a - b);
  const places = once(() => trying(live, () => findPlaces(live, starts)));
  const read = (item: number, untilMs: number): Stretch | undefined => {
    const at = starts.indexOf(item);
    const next = starts[at + 1];
    if (live.isDocument)
      return { text: live.format.sliceItems(live.tail, item, next), isWhole: true, isShort: false };
    const [from, to = endOf(live)] = places()?.slice(at, at + 2) ?? [];
    return from === undefined ? undefined : readLines(live, { from, to, untilMs }, hasTail(live, item, next));
  };
  return (item, untilMs) => {
    const found = trying(live, () => read(item, untilMs));
    return found && found.text.trim() !== '' ? found : undefined;
  };
}

/** Whether the last line has no line end, and is one from an item on, and before the next one. */
function hasTail(live: LiveTranscript, item: number, next = Number.POSITIVE_INFINITY): boolean {
  if (live.tail === '') return false;
  const count = countItems(live);
  return item < count && next >= count;
}

/** `undefined` where the transcript cannot be read. */
function trying<T>({ path }: LiveTranscript, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    log('warn', 'transcript is unreadable', { file: path, error: describeError(error) });
    return undefined;
  }
}

/** Where lines begin. What lies behind one that is known is passed over up to the last that is looked for there. @throws the system error */
function findPlaces(live: LiveTranscript, starts: readonly number[]): number[] {
  const { path, index } = live;
  const end = endOf(live);
  if ((transcriptSize(path, undefined) ?? 0) < end) throw new Error('it became shorter');
  const marks = [[0, 0] as const, ...index.marks, [index.items, index.size] as const];
  return marks.flatMap(([item, place], at) => {
    const [next, until] = marks[at + 1] ?? [Number.POSITIVE_INFINITY, end];
    const own = starts.filter((start) => item <= start && start < next);
    return findLines(
      path,
      place,
      until,
      own.map((start) => start - item),
    );
  });
}

/** Lines of a stretch: where they begin, and where and when the stretch is over. */
interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly untilMs: number;
}

/** As much of whole lines as is looked at in one go, and a last line without a line end. @throws the system error */
function readLines(live: LiveTranscript, { from, to, untilMs }: Bounds, hasTail: boolean): Stretch {
  const { path, limits, mask, format } = live;
  const kept: string[] = [];
  let [total, lines, isShort] = [0, 0, false];
  const told = (isWhole: boolean, tail = ''): Stretch => ({ text: kept.join('') + tail, isWhole, isShort });
  const timeOf = (text: string): number => format.readTime(text) ?? Number.NaN;
  for (const piece of readPieces(path, from, to, limits, mask)) {
    const text = piece.bytes.toString('utf8');
    // By a clock of which the beginning is not before the end nothing can be told.
    const [first] = kept;
    if (first !== undefined && timeOf(text) > untilMs && timeOf(first) <= untilMs) return told(true);
    total += piece.bytes.length;
    lines += countLines(piece.bytes);
    if (first !== undefined && (total > limits.partBytes || lines > limits.partLines)) return told(false);
    kept.push(text);
    isShort ||= piece.isShort;
  }
  return told(true, hasTail ? live.tail : '');
}
