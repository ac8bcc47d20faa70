import type { ObjectId } from '../base/ids.ts';
import type { FilePatch } from '../git/commit/added-lines.ts';

/** What one commit did with one file, by the numbers of its lines, which are ascending. */
export interface FileChange extends Omit<FilePatch, 'added' | 'removed'> {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** A commit, and all that it did. */
export interface ChangedFiles {
  readonly commit: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly files: readonly FileChange[];
}

/** Lines one below the other that came with one commit, or from before all of them. */
export interface Stretch {
  readonly from: { readonly commit: ObjectId; readonly path: string } | undefined;
  /** The number of the first one in the file of that commit. */
  readonly line: number;
  readonly count: number;
}

/** A file after a commit; without lines where it cannot be said which are whose. */
interface FileThen {
  readonly blob: string | undefined;
  readonly lines: readonly Stretch[] | undefined;
}

const BEFORE: FileThen = {
  blob: undefined,
  lines: [{ from: undefined, line: 1, count: Number.POSITIVE_INFINITY }],
};
const EMPTY: FileThen = { blob: undefined, lines: [] };
const UNSURE: FileThen = { blob: undefined, lines: undefined };

/**
 * Which lines of a file came with which commit, by the patches of all commits of a range: as `git blame` has it, which takes a process, and the
 * time for the same patches, for each file. Where branches were joined, a file is known by its contents: one that a merge put together, or that
 * several commits made, is not told of.
 *
 * @param commits newest first
 * @returns `undefined` for a file of which git is to be asked
 */
export function followPatches(
  commits: readonly ChangedFiles[],
): (path: string, blob: string) => readonly Stretch[] | undefined {
  const isLine = commits.every(({ parents }, at) => {
    const next = commits[at + 1];
    return next === undefined ? true : parents.length === 1 && parents[0] === next.commit;
  });
  const known = new Map<string, FileThen>();
  const keyOf = (path: string, blob: string | undefined): string => (isLine ? path : `${path}\0${blob}`);
  const find = (path: string, blob: string | undefined): FileThen => {
    const then = known.get(keyOf(path, blob));
    if (then === undefined && isLine) return BEFORE;
    // Whoever makes the same contents later comes from elsewhere.
    if (then === undefined) known.set(keyOf(path, blob), UNSURE);
    return then === undefined || isOther(then, blob) ? UNSURE : then;
  };
  for (const { commit, files } of commits.toReversed()) {
    const made = files.map((file): FileThen => {
      const { path, formerPath, formerBlob, blob = formerBlob } = file;
      const before = formerPath === undefined ? EMPTY : find(formerPath, formerBlob);
      return { blob, lines: change(before.lines, file, { commit, path }) };
    });
    if (isLine) for (const { formerPath } of files) if (formerPath !== undefined) known.delete(formerPath);
    files.forEach(({ path, formerBlob, blob = formerBlob }, at) => {
      if (isNone(blob)) return;
      const key = keyOf(path, blob);
      known.set(key, !isLine && known.has(key) ? UNSURE : (made[at] as FileThen));
    });
  }
  return (path, blob) => {
    const then = known.get(keyOf(path, blob));
    return then?.blob === blob ? then.lines : undefined;
  };
}

const isOther = (then: FileThen, blob: string | undefined): boolean =>
  blob !== undefined && then.blob !== undefined && then.blob !== blob;

/** The file was removed. */
const isNone = (blob: string | undefined): boolean => blob !== undefined && /^0+$/.test(blob);

/** What is left of lines, and what was put between them. */
function change(
  before: readonly Stretch[] | undefined,
  { added, removed }: FileChange,
  from: Stretch['from'],
): readonly Stretch[] | undefined {
  if (!before) return undefined;
  const lines: Stretch[] = [];
  let [at, done, old, line, gone, come] = [0, 0, 1, 1, 0, 0];
  /** `false`: there are not so many. */
  const take = (count: number, isKept: boolean): boolean => {
    old += count;
    for (let left = count; left > 0; ) {
      const stretch = before[at];
      if (!stretch) return false;
      const some = Math.min(left, stretch.count - done);
      if (isKept) lines.push({ ...stretch, line: stretch.line + done, count: some });
      [left, done] = [left - some, done + some];
      if (done === stretch.count) [at, done] = [at + 1, 0];
    }
    return true;
  };
  while (gone < removed.length || come < added.length) {
    const untilGone = (removed[gone] ?? Number.POSITIVE_INFINITY) - old;
    const untilCome = (added[come] ?? Number.POSITIVE_INFINITY) - line;
    const kept = Math.min(untilGone, untilCome);
    if (kept < 0 || !take(kept, true)) return undefined;
    line += kept;
    const [first, count] = [line, untilGone === kept ? countOn(removed, gone) : countOn(added, come)];
    if (untilGone === kept) {
      if (!take(count, false)) return undefined;
      gone += count;
    } else {
      lines.push({ from, line: first, count });
      [line, come] = [line + count, come + count];
    }
  }
  const rest = before[at];
  if (rest) lines.push({ ...rest, line: rest.line + done, count: rest.count - done });
  for (let next = at + 1; next < before.length; next++) lines.push(before[next] as Stretch);
  return lines;
}

/** How many numbers follow one another from there on. */
function countOn(numbers: readonly number[], from: number): number {
  let to = from + 1;
  while (to < numbers.length && numbers[to] === (numbers[to - 1] as number) + 1) to++;
  return to - from;
}
