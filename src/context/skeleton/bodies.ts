import type { SourceRows } from './source-rows.ts';
import type { Findings, Span } from './spans.ts';

/** Literals of so many lines are still shown. */
const DATA_LINES = 12;
/** What closes a statement after a body is looked at so far. */
const CLOSING_LENGTH = 200;

/** First and last row, counted from 0. */
export type RowRange = readonly [first: number, last: number];

/**
 * The rows that stand for a body alone: neither those of its braces nor, where it begins or ends beside other code, those.
 * `undefined` where nothing is left, or only blank rows.
 */
export function rowsWithin(source: SourceRows, body: Span, doc?: Span): RowRange | undefined {
  const isBraced = '{(['.includes(source.text.charAt(body.start));
  const isAlone = !isBraced && source.isFirst(body.firstRow, body.start);
  const first = doc ? doc.lastRow + 1 : isAlone ? body.firstRow : body.firstRow + 1;
  const last = isAlone && endsItsRow(source, body) ? body.lastRow : body.lastRow - 1;
  return source.areBlank(first, last) ? undefined : [first, last];
}

/** Is there nothing after the body but what closes the statement, or a comment? */
function endsItsRow({ text }: SourceRows, { end }: Span): boolean {
  if (text[end - 1] === '\n') return true;
  const after = text.slice(end, end + CLOSING_LENGTH);
  const isEnd = end + CLOSING_LENGTH >= text.length;
  return /^[^\S\n]*(?:[;,)\]}][^\S\n]*)*(?:#|\n)/.test(isEnd ? `${after}\n` : after);
}

/** What a skeleton leaves out: bodies, and long literals in which there is no code. In order, none within another. */
export function elidedRows(source: SourceRows, found: Findings): RowRange[] {
  const docs = new Set([...found.docs.values()].map(({ id }) => id));
  const starts = found.bodies.map(({ start }) => start).sort((a, b) => a - b);
  const data = found.data.filter(
    ({ id, start, end, firstRow, lastRow }) =>
      lastRow - firstRow - 1 > DATA_LINES &&
      !docs.has(id) &&
      !((starts[indexAfter(starts, start)] ?? end) < end),
  );
  const ranges = [
    ...found.bodies.map((body) => rowsWithin(source, body, found.docs.get(body.id))),
    ...data.map((literal): RowRange => [literal.firstRow + 1, literal.lastRow - 1]),
  ].filter((range) => range !== undefined);
  return union(ranges);
}

/** Ranges that overlap become one. */
function union(ranges: RowRange[]): RowRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Tells of a position whether it lies within one of the spans. */
export function within(spans: readonly Span[]): (position: number) => boolean {
  const outermost: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= (outermost.at(-1)?.end ?? 0)) outermost.push(span);
  }
  const starts = outermost.map(({ start }) => start);
  return (position) => position < (outermost[indexAfter(starts, position + 1) - 1]?.end ?? 0);
}

/** The index of the first number of a sorted list that is not below `value`. */
export function indexAfter(sorted: readonly number[], value: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
