import { diffArrays } from 'diff';

/** A line of a difference: `@` stands between parts of a file. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** Edits looked for in one file; the steps grow with their square. */
const MAX_EDITS = 1_000;
/** Lines around a change. */
const AROUND = 3;

/** What makes one text of another, with a few lines around. Where finding that would cost too much, all of both. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const isPlain = a.length === 0 || b.length === 0 || Math.abs(a.length - b.length) > MAX_EDITS;
  const found = isPlain ? undefined : diffArrays(a, b, { maxEditLength: MAX_EDITS });
  if (!found) return [...a.map(signed('-')), ...b.map(signed('+'))];
  return shorten(
    found.flatMap(({ value, added, removed }) => value.map(signed(added ? '+' : removed ? '-' : ' '))),
  );
}

/** All lines of a text as those of a new file. */
export const addedLines = (text: string): DiffLine[] => linesOf(text).map(signed('+'));

/** The lines of a text in the form of `diff -u`, or of an `apply_patch` section; headers of files are left out. */
export function patchLines(text: string): DiffLine[] {
  return linesOf(text).flatMap((line): DiffLine[] => {
    if (/^(?:--- |\+\+\+ |\*\*\* |diff --git |index |===)/.test(line)) return [];
    if (line.startsWith('@@'))
      return [{ sign: '@', text: line.replace(/^@@\s?/, '').replace(/\s?@@\s*$/, '') }];
    const sign = line[0];
    if (sign === '+' || sign === '-' || sign === ' ') return [{ sign, text: line.slice(1) }];
    return line === '' ? [{ sign: ' ', text: '' }] : [];
  });
}

const signed =
  (sign: DiffLine['sign']) =>
  (text: string): DiffLine => ({ sign, text });

export function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function shorten(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  for (const [at, { sign }] of lines.entries())
    if (sign !== ' ') near.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  const last = near.lastIndexOf(1);
  return lines.flatMap((line, at): DiffLine[] => {
    if (near[at]) return [line];
    return near[at - 1] && at < last ? [{ sign: '@', text: '' }] : [];
  });
}
