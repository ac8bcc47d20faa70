import type { ObjectId } from '../base/ids.ts';
import { readLineSources } from '../git/commit/line-sources.ts';
import { readTree, type TreeEntry } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';

/** Lines that a commit added to a file, by their numbers there, and what is known of each. */
export interface AddedTo<T> {
  readonly commit: ObjectId;
  readonly path: string;
  readonly blob: string | undefined;
  /** The file had another name in the parent. */
  readonly isRenamed: boolean;
  readonly lines: ReadonlyMap<number, T>;
}

/** Where lines are looked for. */
export interface Ending {
  readonly tip: ObjectId;
  /** Nothing that these commits have is asked about. */
  readonly notBefore: readonly ObjectId[];
  /** Hears how many files are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Finds which lines that commits added are still there at the end, as `git blame` has it: in files that these commits touched. A file that
 * one of them alone touched, and that is as it left it, needs no process.
 */
export function findSurvivors<T>(
  git: Git,
  added: readonly AddedTo<T>[],
  { tip, notBefore, onProgress }: Ending,
): T[] {
  const byPath = new Map<string, AddedTo<T>[]>();
  for (const one of added) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  const known = new Map(added.map((one) => [keyOf(one.commit, one.path), one.lines]));
  const there = readTree(git, tip, [...byPath.keys()]) ?? new Map<string, TreeEntry>();
  let done = 0;
  return [...byPath].flatMap(([path, ofPath]) => {
    onProgress?.(done++, byPath.size);
    const entry = there.get(path);
    if (!entry) return [];
    const [only] = ofPath;
    if (only && ofPath.length === 1 && !only.isRenamed && only.blob === entry.oid)
      return [...only.lines.values()];
    const sources = readLineSources(git, { revision: tip, path, notBefore });
    return [...sources.values()].flatMap(({ commit, path: from, line }) => {
      const found = known.get(keyOf(commit, from))?.get(line);
      return found === undefined ? [] : [found];
    });
  });
}

const keyOf = (commit: ObjectId, path: string): string => `${commit}:${path}`;
