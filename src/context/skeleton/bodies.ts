import { indexAfter, isWhite, type SourceRows } from './source-rows.ts';
import type { Findings, Span } from './spans.ts';
import type { CharRange } from './structure.ts';

/** Literals of so many lines are still shown. */
const DATA_LINES = 12;
/** What closes a statement after a body is looked at so far. */
const CLOSING_LENGTH = 200;

/** First and last row, counted from 0. */
export type RowRange = readonly [first: number, last: number];

/** What stands for a body alone: where it shares no row with other code those rows, which a reader then finds marked. */
export interface Hidden {
  readonly content: CharRange;
  readonly rows: RowRange | undefined;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/**
 * Tells what of a body, or of the members of a type, is hidden where it is not shown: neither its braces, nor the text that
 * documents it, nor a comment beside its opening brace. `undefined` where nothing is left.
 */
export function hiding(source: SourceRows, found: Findings): (part: Span) => Hidden | undefined {
  const { text } = source;
  const comments = new Map(found.comments.map(({ start, end }) => [start, end]));
  return (part) => {
    const doc = found.docs.get(part.id);
    const isBraced = !doc && CLOSING[text.charAt(part.start)] === text.charAt(part.end - 1);
    const end = trimmedEnd(text, part.start, isBraced ? part.end - 1 : part.end);
    let start = nextVisible(text, doc?.end ?? (isBraced ? part.start + 1 : part.start), doc ? ';' : '');
    const commentEnd = comments.get(start);
    const isBeside = isBraced && commentEnd !== undefined && start < source.start(part.firstRow + 1);
    if (isBeside && source.isLast(part.firstRow, commentEnd)) start = nextVisible(text, commentEnd);
    if (start >= end || (isBeside && commentEnd >= end)) return undefined;
    const first = doc ? doc.lastRow + 1 : isBraced ? part.firstRow + 1 : part.firstRow;
    const last = isBraced ? part.lastRow - 1 : part.lastRow;
    const isAlone =
      source.start(first) <= start &&
      source.isFirst(source.rowAt(start), start) &&
      (isBraced ? source.start(last + 1) > end - 1 : endsItsRow(source, end));
    return { content: [start, end], rows: isAlone ? [first, last] : undefined };
  };
}

function nextVisible(text: string, from: number, skipped = ''): number {
  let at = from;
  while (at < text.length && (isWhite(text, at) || skipped === text.charAt(at))) at++;
  return at;
}

function trimmedEnd(text: string, start: number, from: number): number {
  let at = from;
  while (at > start && isWhite(text, at - 1)) at--;
  return at;
}

/** Is there nothing after the body but what closes the statement, or a comment? */
function endsItsRow({ text }: SourceRows, end: number): boolean {
  const after = text.slice(end, end + CLOSING_LENGTH);
  const isEnd = end + CLOSING_LENGTH >= text.length;
  return /^[^\S\n]*(?:[;,)\]}][^\S\n]*)*(?:#|\n)/.test(isEnd ? `${after}\n` : after);
}

/** What a skeleton leaves out, in order, none within another: rows, and parts of rows. */
export interface Elided {
  readonly rows: readonly RowRange[];
  readonly folds: readonly CharRange[];
}

/** Bodies, and long literals in which there is no code. */
export function elide(found: Findings, hide: (body: Span) => Hidden | undefined): Elided {
  const docs = new Set([...found.docs.values()].map(({ id }) => id));
  const starts = found.bodies.map(({ start }) => start).sort((a, b) => a - b);
  const data = found.data.filter(
    ({ id, start, end, firstRow, lastRow }) =>
      lastRow - firstRow - 1 > DATA_LINES &&
      !docs.has(id) &&
      !((starts[indexAfter(starts, start)] ?? end) < end),
  );
  const bodies = outermost(found.bodies.map(hide).filter((hidden) => hidden !== undefined));
  const folds = bodies.flatMap(({ content, rows }) => (rows ? [] : [content]));
  const isFolded = within(folds.map(([start, end]) => ({ start, end })));
  const literals = data
    .filter(({ start }) => !isFolded(start))
    .map((literal): RowRange => [literal.firstRow + 1, literal.lastRow - 1]);
  return { rows: union([...bodies.flatMap(({ rows }) => (rows ? [rows] : [])), ...literals]), folds };
}

/** Those that are within no other one, in order. */
function outermost(bodies: readonly Hidden[]): Hidden[] {
  let end = 0;
  return bodies
    .toSorted((a, b) => a.content[0] - b.content[0] || b.content[1] - a.content[1])
    .filter(({ content: [start, ends] }) => {
      if (start < end) return false;
      end = ends;
      return true;
    });
}

/** Ranges that overlap become one. */
export function union(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Tells of a position whether it lies within one of the spans. */
export function within(spans: readonly Pick<Span, 'start' | 'end'>[]): (position: number) => boolean {
  const outer: Pick<Span, 'start' | 'end'>[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= (outer.at(-1)?.end ?? 0)) outer.push(span);
  }
  const starts = outer.map(({ start }) => start);
  return (position) => position < (outer[indexAfter(starts, position + 1) - 1]?.end ?? 0);
}
