import type { ObjectId } from '../../base/ids.ts';
import type { Look } from '../../checkpoint/read/folders.ts';
import { findExisting } from '../../git/object/sizes.ts';
import { isFolder, parseTreeObject } from '../../git/object/tree-object.ts';
import type { Git } from '../../git/run.ts';

/** What lies below a tree. */
export interface Walked {
  /** Regular files, by path. */
  readonly files: ReadonlyMap<string, ObjectId>;
  /** Folders that cannot be read, by path; the tree itself has the path `''`. */
  readonly unreadable: ReadonlyMap<string, 'missing' | 'damaged'>;
}

/** So many objects are asked for at once. */
const AT_ONCE = 1000;

/**
 * Lists all files below a tree, with a question for each level of folders (and each thousand of them). Other than
 * `git ls-tree`, it goes on where a folder is missing or damaged. Names are text where they are UTF-8.
 *
 * @param tree anything that git takes for a tree
 */
export async function walkTree(look: Look, tree: string, oidLength: number): Promise<Walked> {
  const files = new Map<string, ObjectId>();
  const unreadable = new Map<string, 'missing' | 'damaged'>();
  for (let level = [{ path: '', name: tree }]; level.length > 0; ) {
    const next: typeof level = [];
    for (const { path, data } of await readAll(look, level)) {
      if (typeof data === 'string') {
        unreadable.set(path, data);
        continue;
      }
      for (const entry of parseTreeObject(data, oidLength)) {
        const below = `${path === '' ? '' : `${path}/`}${Buffer.from(entry.name, 'latin1').toString('utf8')}`;
        if (isFolder(entry)) next.push({ path: below, name: entry.oid });
        else if (entry.mode.startsWith('100')) files.set(below, entry.oid);
      }
    }
    level = next;
  }
  return { files, unreadable };
}

/** Objects by name, in order, each with what it was asked for as; those that cannot be had say why. */
export async function readAll<T extends { readonly name: string }>(
  look: Look,
  wanted: readonly T[],
): Promise<Array<T & { readonly data: Buffer | 'missing' | 'damaged' }>> {
  const read: Array<T & { readonly data: Buffer | 'missing' | 'damaged' }> = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    const { found, damaged } = await look([...new Set(some.map(({ name }) => name))]);
    for (const one of some) {
      const data = found.get(one.name)?.data ?? (damaged.has(one.name) ? 'damaged' : 'missing');
      read.push({ ...one, data });
    }
  }
  return read;
}

/** What can be told of objects without reading them: those that git does not have. One process. */
export function findBroken(git: Git, oids: readonly ObjectId[]): Map<ObjectId, 'missing' | 'damaged'> {
  const existing = findExisting(git, oids);
  return new Map(oids.flatMap((oid) => (existing.has(oid) ? [] : [[oid, 'missing']])));
}
