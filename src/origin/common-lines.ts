import { isDistinctive, isTelling, plainLine } from '../base/text/lines.ts';
import { type Evidence, isSameLine } from './evidence.ts';

/** By what a line is judged that many files have: by its own text, or by the line above it; `torn`: neither tells. */
export type CommonWay = 'text' | 'above' | 'torn';

/** @param below the next line that can tell anything; empty where there is none */
export type WayOf = (line: string, above: string, below: string) => CommonWay;

/** What sessions are known to have done in the file of a commit. */
interface Writers {
  /** What the commit brought into it. */
  readonly all: readonly string[];
  /** All of it, in the commit. */
  readonly file: () => string;
  readonly evidence: readonly Evidence[];
}

/**
 * Tells by what a short line is judged of which a commit brings several, so that its text alone does not say whose each is. A session's stands
 * where that wrote it: below the same line. Where it wrote one below a line that was taken away, that one may be anywhere. A brace is judged
 * likewise, but never by its text.
 */
export function openCommon({ all, file, evidence }: Writers): WayOf {
  const counts = countOf(all);
  const brought = trimmedOf(all);
  const isGone = (above: string): boolean => !brought.has(above) && !file().includes(above);
  let followers: ReadonlyMap<string, string> | undefined;
  const hasOwn = (above: string, text: string): boolean => {
    followers ??= followersIn(file());
    return followers.get(plainLine(above)) === text;
  };
  const isWrittenNext = (next: string): boolean =>
    next !== '' && evidence.some(({ written }) => written.has(plainLine(next)));
  return (line, above, next) => {
    const text = plainLine(line);
    if (isDistinctive(line)) return 'text';
    const written = evidence.flatMap(({ short }) => {
      const below = short.get(text);
      return below ? [below] : [];
    });
    const isBelowItsOwn = (below: readonly string[]): boolean => below.some((one) => isSameLine(above, one));
    // Somebody put a line in between, unless each that the session wrote has its own line there; or changed the one above it alone.
    const isApart = (below: readonly string[]): boolean =>
      below.length === 0 || below.some((one) => (isGone(one) ? isWrittenNext(next) : !hasOwn(one, text)));
    if (isTelling(line)) {
      if (written.length === 0 || written.some(isBelowItsOwn)) return 'text';
      if ((counts.get(text) ?? 0) < 2 && written.some(isApart)) return 'text';
    }
    return written.some((below) => below.some(isGone)) ? 'torn' : 'above';
  };
}

/** Of a line of a commit: a session wrote it, somebody else did, or it does not tell. */
export type Telling = 'own' | 'other' | undefined;

/**
 * Finds what closes blocks of a session into the end of which somebody else put lines: the first line there that is indented less than the block,
 * if the session wrote such a one below its last line.
 *
 * @param wroteBelow whether the session that wrote the line at a place wrote this one below it
 * @returns for each line that closes a block the last one of the session's in it, by their places
 */
export function findClosing(
  lines: readonly string[],
  tellingOf: (at: number) => Telling,
  wroteBelow: (at: number, line: string) => boolean,
): Map<number, number> {
  const found = new Map<number, number>();
  let last: number | undefined;
  let isApart = false;
  lines.forEach((line, at) => {
    const telling = tellingOf(at);
    if (telling === 'own') [last, isApart] = [at, false];
    if (last === undefined || telling === 'own' || line.trim() === '') return;
    const isOutside = indentOf(line) < indentOf(lines[last] as string);
    if (isOutside && telling === undefined && isApart && wroteBelow(last, line)) found.set(at, last);
    if (isOutside) last = undefined;
    isApart ||= telling === 'other';
  });
  return found;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** For each line of a file that tells something, the one below it; blank ones are left out. */
function followersIn(file: string): Map<string, string> {
  const lines = file.split('\n').map(plainLine).filter(Boolean);
  return new Map(lines.slice(0, -1).map((line, at) => [line, lines[at + 1] as string]));
}

const trimmed = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The lines without white space at their ends, made once. */
function trimmedOf(lines: readonly string[]): ReadonlySet<string> {
  const found = trimmed.get(lines) ?? new Set(lines.map((line) => line.trim()));
  trimmed.set(lines, found);
  return found;
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** How often each line is there, without what a formatter decides; counted once. */
function countOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = known.get(lines);
  if (found) return found;
  const counts = new Map<string, number>();
  for (const line of lines.map(plainLine)) counts.set(line, (counts.get(line) ?? 0) + 1);
  known.set(lines, counts);
  return counts;
}
