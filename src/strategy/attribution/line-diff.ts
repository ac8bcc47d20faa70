import { diffArrays } from 'diff';
import { findMiddles } from './middles.ts';

/** Lines that come in and go when one text becomes another. */
export interface LineDiff {
  readonly added: number;
  readonly removed: number;
}

/** What comparing may cost, in steps; shared by all files of one hook, and used up by them. */
export interface DiffBudget {
  steps: number;
}

/** Steps of one hook; some tenths of a second where it is used up. */
export const newBudget = (): DiffBudget => ({ steps: 6_000_000 });

/** Edits looked for in one file; the steps grow with their square. */
const MAX_EDITS = 1_500;

/** Lines of a text; a last one without a line end counts. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/**
 * Counts the lines that differ, each with its line end: a last line without one is another line.
 *
 * The counts are those of a minimal line diff. Where finding that would cost more than the budget (thousands of lines
 * that changed their places), lines are counted as moved freely: those that stand in both texts, in whatever order, are
 * neither added nor removed. `added - removed` is the difference of the line counts in any case.
 */
export function diffLines(before: string, after: string, budget: DiffBudget): LineDiff {
  if (before === after) return { added: 0, removed: 0 };
  if (before === '') return { added: countLines(after), removed: 0 };
  if (after === '') return { added: 0, removed: countLines(before) };
  const [a, b] = toSymbols(...trimEnds(splitLines(before), splitLines(after)));
  const [inA, inB] = [new Set(a), new Set(b)];
  // A line that stands in one text only has no partner: without it the rest is as it was, and rewritten files are cheap.
  const kept = countKept(
    a.filter((line) => inB.has(line)),
    b.filter((line) => inA.has(line)),
    budget,
  );
  return { added: b.length - kept, removed: a.length - kept };
}

/**
 * Lines of a text that none of the references has, and lines that all of them have and the text does not, wherever they
 * stand: what somebody changed who did not merely merge the references.
 */
export function diffFromAll(references: readonly string[], current: string): LineDiff {
  const known = references.map((text) => countEach(splitLines(text)));
  const now = countEach(splitLines(current));
  const surplus = ([line, count]: readonly [string, number]) =>
    Math.max(0, count - Math.max(...known.map((counts) => counts.get(line) ?? 0)));
  const missing = ([line]: readonly [string, number]) =>
    Math.max(0, Math.min(...known.map((counts) => counts.get(line) ?? 0)) - (now.get(line) ?? 0));
  return {
    added: [...now].reduce((sum, entry) => sum + surplus(entry), 0),
    removed: [...(known[0] ?? [])].reduce((sum, entry) => sum + missing(entry), 0),
  };
}

/**
 * Whether two texts that were made of one have anything of what was made in common: a line that both add, or changes in one place of
 * it, be they different; `undefined` where telling that would cost too much.
 */
export function shareChanges(
  before: string,
  one: string,
  other: string,
  budget: DiffBudget,
): boolean | undefined {
  const [a, b] = [findPlaces(before, one, budget), findPlaces(before, other, budget)];
  if (!a || !b) return undefined;
  const isThere = (line: string) => b.added.has(line.trim());
  return (
    [...a.added].some(isThere) ||
    a.places.some(([start, end]) => b.places.some(([from, to]) => start <= to && from <= end))
  );
}

/** Lines in one place of a text that was changed. */
export interface Block {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * The places where a text was changed; those with nothing but blank lines and punctuation between them are one. `undefined` where
 * telling them would cost too much.
 */
export function findBlocks(before: string, after: string, budget: DiffBudget): Block[] | undefined {
  const { parts } = diffTexts(before, after, budget);
  const blocks: { removed: string[]; added: string[] }[] = [];
  let isApart = true;
  for (const { added, removed, value } of parts ?? []) {
    if (!added && !removed) {
      isApart ||= value.some((line) => /[\p{L}\p{N}]/u.test(line));
      continue;
    }
    if (isApart) blocks.push({ removed: [], added: [] });
    isApart = false;
    blocks.at(-1)?.[added ? 'added' : 'removed'].push(...value);
  }
  return parts && blocks;
}

/** Where a text was changed, as lines of it from and up to, and what stands there now; lines that prove nothing left out. */
interface Places {
  readonly places: readonly (readonly [number, number])[];
  readonly added: ReadonlySet<string>;
}

function findPlaces(before: string, after: string, budget: DiffBudget): Places | undefined {
  const { start, parts } = diffTexts(before, after, budget);
  if (!parts) return undefined;
  const places: (readonly [number, number])[] = [];
  const added = new Set<string>();
  let at = countLines(before.slice(0, start));
  for (const part of parts) {
    const end = part.added ? at : at + part.count;
    if (part.added || part.removed) places.push([at, end]);
    if (part.added) for (const line of part.value) if (/[\p{L}\p{N}]/u.test(line)) added.add(line.trim());
    at = end;
  }
  return { places, added };
}

/** How two texts differ behind what they begin with alike. */
function diffTexts(before: string, after: string, budget: DiffBudget) {
  const { start, ends } = findMiddles(before, after);
  const [old, now] = [splitLines(before.slice(start, ends[0])), splitLines(after.slice(start, ends[1]))];
  return { start, parts: diffWithin(old, now, budget) };
}

/** Lines with their ends. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return lines;
}

/** A number for each distinct line. */
function toSymbols(a: readonly string[], b: readonly string[]): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line);
    if (known === undefined) numbers.set(line, numbers.size);
    return known ?? numbers.size - 1;
  };
  return [a.map(numberOf), b.map(numberOf)];
}

/** Both without the lines that they begin and end with alike. */
function trimEnds<T>(a: readonly T[], b: readonly T[]): [T[], T[]] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** How many lines both have in the same order; in any order where looking would cost too much. */
function countKept(a: number[], b: number[], budget: DiffBudget): number {
  if (a.length === 0 || b.length === 0) return 0;
  const parts = diffWithin(a, b, budget);
  return parts ? countUnchanged(parts) : countCommon(a, b);
}

/** A minimal difference of two lists, and what finding it cost; `undefined` where that would be more than is left. */
function diffWithin<T>(
  a: readonly T[],
  b: readonly T[],
  budget: DiffBudget,
): ReturnType<typeof diffArrays<T>> | undefined {
  const maxEditLength = Math.min(MAX_EDITS, Math.floor(Math.sqrt(Math.max(0, budget.steps))));
  // Longer texts cannot be told apart with fewer edits than their lengths differ by.
  if (Math.abs(a.length - b.length) > maxEditLength) return undefined;
  const parts = diffArrays([...a], [...b], { maxEditLength });
  const edits = parts ? a.length + b.length - 2 * countUnchanged(parts) : maxEditLength;
  budget.steps -= edits ** 2;
  return parts;
}

const countUnchanged = (parts: ReturnType<typeof diffArrays>): number =>
  parts.reduce((sum, part) => (part.added || part.removed ? sum : sum + part.count), 0);

/** Lines that both have, as often as both have them. */
function countCommon(a: readonly number[], b: readonly number[]): number {
  const left = countEach(a);
  let common = 0;
  for (const line of b) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    common++;
  }
  return common;
}

function countEach<T>(lines: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
