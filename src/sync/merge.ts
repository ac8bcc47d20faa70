import type { CheckpointId, ObjectId } from '../base/ids.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';
import type { Entries } from '../git/object/trees.ts';
import { chooseChanged, chooseForeign, mergeCheckpoints, type Sides } from './merge-checkpoint.ts';
import type { Store } from './store.ts';

/**
 * The union of two metadata trees: commutative, associative and idempotent, whatever is in them. At every path the
 * side that changed since `base` counts. Where both did, a checkpoint is merged session by session
 * ({@link mergeCheckpoints}); of anything else, which no version of ours writes, one is chosen by its id alone.
 * Folders that are the same on both sides are not opened.
 *
 * @param base the tree both came from; `undefined` for histories that never met
 * @returns the id of the merged tree
 */
export function mergeTrees(store: Store, base: ObjectId | undefined, a: ObjectId, b: ObjectId): ObjectId {
  if (a === b || b === base) return a;
  if (a === base) return b;
  const roots = store.readFolders([a, b, ...(base ? [base] : [])]);
  const at = (oid: ObjectId | undefined): Entries => (oid && roots.get(oid)) ?? NOTHING;
  const root = mergeFolder({ base: at(base), a: at(a), b: at(b) }, isShard);

  const shards = openAll(store, root.open);
  const opened = shards.map(({ name, sides }) => ({ name, ...mergeFolder(sides, isCheckpoint) }));
  const conflicts = opened.flatMap(({ name: shard, open }) =>
    open.map(({ name, base, a, b }) => ({ id: (shard + name) as CheckpointId, base, a, b })),
  );
  const merged = mergeCheckpoints(store, conflicts);
  const folders = opened.map(({ name: shard, entries, open }) => {
    for (const { name } of open) entries.set(name, merged.get((shard + name) as CheckpointId) as TreeEntry);
    return entries;
  });
  const kept = opened.map(({ name }, index) => ({ name, folder: folders[index] as Entries }));
  const written = store.writeFolders(
    kept.filter(({ folder }) => folder.size > 0).map(({ folder }) => folder),
  );
  for (const [index, { name }] of kept.filter(({ folder }) => folder.size > 0).entries())
    root.entries.set(name, { mode: '40000', oid: written[index] as ObjectId });
  return store.writeFolders([root.entries])[0] as ObjectId;
}

const NOTHING: Entries = new Map();

const isShard = (name: string, { base, a, b }: Sides<TreeEntry | undefined>): boolean =>
  /^[0-9a-f]{2}$/.test(name) && [base, a, b].every((side) => side === undefined || isFolder(side));

/** What is there on one side only was added, or changed while the other side deleted it: it stays whole. */
const isCheckpoint = (name: string, { a, b }: Sides<TreeEntry | undefined>): boolean =>
  /^[0-9a-f]{10}$/.test(name) && isFolder(a) && isFolder(b);

type Open = { readonly name: string } & Sides<TreeEntry | undefined>;

/** What is decided of a folder, and what has to be looked into because both sides changed it. */
interface Merged {
  readonly entries: Map<string, TreeEntry>;
  readonly open: readonly Open[];
}

function mergeFolder(
  sides: Sides<Entries>,
  isOpened: (name: string, sides: Sides<TreeEntry | undefined>) => boolean,
): Merged {
  const entries = new Map<string, TreeEntry>();
  const open: Open[] = [];
  for (const name of new Set([...sides.a.keys(), ...sides.b.keys()])) {
    const versions = { base: sides.base.get(name), a: sides.a.get(name), b: sides.b.get(name) };
    const decided = chooseChanged(versions);
    if (decided !== 'both') {
      if (decided) entries.set(name, decided);
    } else if (isOpened(name, versions)) {
      open.push({ name, ...versions });
    } else {
      entries.set(name, chooseForeign(versions.a, versions.b) as TreeEntry);
    }
  }
  return { entries, open };
}

function openAll(store: Store, open: readonly Open[]): { name: string; sides: Sides<Entries> }[] {
  const oids = open.flatMap(({ base, a, b }) => [base, a, b].flatMap((side) => side?.oid ?? []));
  const folders = store.readFolders(oids);
  const at = (entry: TreeEntry | undefined): Entries => (entry && folders.get(entry.oid)) ?? NOTHING;
  return open.map(({ name, base, a, b }) => ({ name, sides: { base: at(base), a: at(a), b: at(b) } }));
}
