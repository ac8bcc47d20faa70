import { createHash } from '../../base/hash.ts';
import type { CustomSlice } from './custom-slice.ts';
import { ANCHOR_LINES, clipLine, type Side, toSide } from './surroundings.ts';

/** A slice with what finds it again, as on disk. */
export interface AnchoredSlice extends CustomSlice {
  /** SHA-256 of its lines, joined by `\n`, in hex. */
  readonly content_hash: string;
  /** The lines around it, in their order, the first 200 letters of each. */
  readonly anchor_lines: readonly string[];
  /** How many of these stand before it. */
  readonly anchor_before: number;
  /** How many lines the file had. */
  readonly line_count: number;
  /** For each line the beginning of its digest, and of that without the white space around it; base64url. */
  readonly line_digests: string;
  /** In how many places the file had this text, its own included. */
  readonly copies: number;
  /** In how many of them the same lines stood around it. */
  readonly twins: number;
}

/** What an {@link AnchoredSlice} says, ready to be compared. */
export interface Anchor {
  /** Where the slice was: the first line counted from 0. */
  readonly start: number;
  readonly length: number;
  readonly contentHash: string;
  readonly before: Side;
  readonly after: Side;
  /** Digests of its lines, and of them without the white space around. */
  readonly raw: readonly string[];
  readonly bare: readonly string[];
  readonly copies: number;
  readonly twins: number;
}

const DIGEST_LETTERS = 6;

const sha256 = (text: string) => createHash('sha256').update(text);

/** The digest of lines, whatever their ends. */
export const hashLines = (lines: readonly string[]): string => sha256(lines.join('\n')).digest('hex');

/** Short digests of lines; lines that repeat cost nothing. */
export function digester(): (line: string) => string {
  const known = new Map<string, string>();
  return (line) => {
    const digest = known.get(line) ?? sha256(line).digest('base64url').slice(0, DIGEST_LETTERS);
    known.set(line, digest);
    return digest;
  };
}

/** The sides of the lines from `start` to before `end`, counted from 0. */
export function sidesOf(lines: readonly string[], start: number, end: number): { before: Side; after: Side } {
  const before = lines.slice(Math.max(0, start - ANCHOR_LINES), start).reverse();
  const after = lines.slice(end, end + ANCHOR_LINES);
  return {
    before: toSide(before, before.length === start),
    after: toSide(after, end + after.length === lines.length),
  };
}

/** What is stored of the lines from `start` to before `end`. */
export function renderAnchor(lines: readonly string[], start: number, end: number) {
  const digest = digester();
  const own = lines.slice(start, end);
  const first = Math.max(0, start - ANCHOR_LINES);
  return {
    content_hash: hashLines(own),
    anchor_lines: [...lines.slice(first, start), ...lines.slice(end, end + ANCHOR_LINES)].map(clipLine),
    anchor_before: start - first,
    line_count: lines.length,
    line_digests: own.map((line) => digest(line) + digest(line.trim())).join(''),
  };
}

/** What was stored, where it is whole: `undefined` for a slice that was made by hand, or by another program. */
export function parseAnchor(slice: CustomSlice): Anchor | undefined {
  const {
    content_hash: contentHash,
    anchor_lines: around,
    anchor_before,
    line_count,
    line_digests,
    copies,
    twins,
  } = slice;
  const start = slice.start_line - 1;
  const length = slice.end_line - start;
  const counts = [anchor_before, line_count, copies, twins];
  if (typeof contentHash !== 'string' || typeof line_digests !== 'string') return undefined;
  if (!isTexts(around) || !counts.every(isCount)) return undefined;
  if (line_digests.length !== length * 2 * DIGEST_LETTERS) return undefined;
  const [before, lineCount] = counts as [number, number];
  if (before > around.length) return undefined;
  const digests = line_digests.match(new RegExp(`.{${DIGEST_LETTERS}}`, 'gs')) ?? [];
  return {
    start,
    length,
    contentHash,
    before: toSide(around.slice(0, before).reverse(), before === start),
    after: toSide(around.slice(before), slice.end_line + around.length - before === lineCount),
    raw: digests.filter((_, at) => at % 2 === 0),
    bare: digests.filter((_, at) => at % 2 === 1),
    copies: copies as number,
    twins: twins as number,
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
