import { isSameEntry, type TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';

/** Three versions of one thing. */
export interface Sides<T> {
  readonly base: T;
  readonly a: T;
  readonly b: T;
}

/** The side that changed; `'both'` when each did, in its own way. */
export function chooseChanged({ base, a, b }: Sides<TreeEntry | undefined>): TreeEntry | undefined | 'both' {
  if (isSameEntry(a, b) || isSameEntry(b, base)) return a;
  return isSameEntry(a, base) ? b : 'both';
}

/** One of two things of which only the names are known: what is there, folders, then the greater id. */
export function chooseForeign(a: TreeEntry | undefined, b: TreeEntry | undefined): TreeEntry | undefined {
  if (!a || !b) return a ?? b;
  const rank = (entry: TreeEntry) => `${isFolder(entry) ? 1 : 0} ${entry.oid} ${entry.mode}`;
  return rank(a) > rank(b) ? a : b;
}
