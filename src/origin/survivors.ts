import type { ObjectId } from '../base/ids.ts';
import { type LineSource, readLineSources } from '../git/commit/line-sources.ts';
import { readTree, type TreeEntry } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import type { Stretch } from './follow-patches.ts';

/** Lines that a commit added to a file. */
export interface AddedTo {
  readonly commit: ObjectId;
  readonly path: string;
  readonly blob: string | undefined;
  /** The file had another name in the parent. */
  readonly isRenamed: boolean;
  /** Their numbers there: those that are looked for. */
  readonly lines: { has(line: number): boolean; keys(): Iterable<number> };
}

/** A line that is still there. */
export interface Survivor<A> {
  /** With what it was added. */
  readonly of: A;
  /** Its number there. */
  readonly line: number;
  /** Its number at the end. */
  readonly atEnd: number;
}

/** What is left of added lines in one file. */
export interface LeftInFile<A> {
  /** At the end. */
  readonly path: string;
  readonly lines: readonly Survivor<A>[];
}

/** Where lines are looked for. */
export interface Ending {
  readonly tip: ObjectId;
  /** Nothing that these commits have is asked about. */
  readonly notBefore: readonly ObjectId[];
  /** Whose the lines of a file are with these contents, where that is known. */
  readonly linesOf: (path: string, blob: string) => readonly Stretch[] | undefined;
  /** Hears how many files are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Finds which lines that commits added are still there at the end, as `git blame` has it: in files that these commits touched, one after the
 * other. One of which the patches tell, and one that a commit alone
 * touched and that is as it left it, needs no process.
 */
export function* findSurvivors<A extends AddedTo>(
  git: Git,
  added: readonly A[],
  { tip, notBefore, linesOf, onProgress }: Ending,
): Generator<LeftInFile<A>> {
  const byPath = new Map<string, A[]>();
  for (const one of added) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  const known = new Map(added.map((one) => [keyOf(one.commit, one.path), one]));
  const there = readTree(git, tip, [...byPath.keys()]) ?? new Map<string, TreeEntry>();
  const linesIn = (path: string, ofPath: readonly A[], blob: string): Survivor<A>[] => {
    const [only] = ofPath;
    if (only && ofPath.length === 1 && !only.isRenamed && only.blob === blob)
      return [...only.lines.keys()].map((line) => ({ of: only, line, atEnd: line }));
    const told = linesOf(path, blob);
    const sources = told ? eachOf(told) : readLineSources(git, { revision: tip, path, notBefore });
    return [...sources].flatMap(([atEnd, { commit, path: from, line }]) => {
      const of = known.get(keyOf(commit, from));
      return of?.lines.has(line) ? [{ of, line, atEnd }] : [];
    });
  };
  let done = 0;
  for (const [path, ofPath] of byPath) {
    onProgress?.(done++, byPath.size);
    const entry = there.get(path);
    const lines = entry ? linesIn(path, ofPath, entry.oid) : [];
    if (lines.length > 0) yield { path, lines };
  }
}

/** By their numbers, the lines that came with a commit. */
function* eachOf(told: readonly Stretch[]): Generator<[number, LineSource]> {
  let atEnd = 1;
  for (const { from, line, count } of told) {
    for (let at = 0; from && at < count; at++) yield [atEnd + at, { ...from, line: line + at }];
    atEnd += count;
  }
}

const keyOf = (commit: ObjectId, path: string): string => `${commit}:${path}`;
