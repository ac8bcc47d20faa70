import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { retryWhenMoved, type TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';
import { type Entries, findBases, readFolders, treeOf, writeMerge } from '../git/object/trees.ts';
import { readIdentity, readRef, updateRefs } from '../git/ref/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { listTombstones, type Tombstone } from '../session/tombstones.ts';
import { leaveOut } from './forgotten.ts';
import { chooseChanged, chooseForeign, mergeCheckpoints, type Sides } from './merge-checkpoint.ts';
import { gitStore, type Store } from './store.ts';

/** What became of the local branch when a remote's tip was taken in. */
export interface Union {
  readonly kind: 'created' | 'fast-forward' | 'merged' | 'up-to-date';
  readonly before: ObjectId | undefined;
  readonly tip: ObjectId;
  /** What the remote has, and was forgotten here: it was left out. */
  readonly leftOut: readonly Tombstone[];
}

/** As every release has written it; no newline at the end. */
const MESSAGE = 'Merge remote session logs';

/**
 * Brings the local metadata branch to the union of itself and `remote`, a commit this repository has. Nothing is
 * rebased: both histories stay as they are below a merge commit. The ref moves last, and only from what was read. What was
 * forgotten here is in the older commits that come along, and not in the tree of the new one.
 *
 * @param commonDir where tombstones are
 * @throws {EntireError} `REF_MOVED` or `REF_LOCKED` at last; `GIT_FAILED` when an object is missing
 */
export function takeIn(git: Git, commonDir: string, remote: ObjectId): Union {
  const stones = listTombstones(commonDir);
  return retryWhenMoved(() => {
    const before = readRef(git, METADATA_REF);
    if (before === remote) return { kind: 'up-to-date', before, tip: remote, leftOut: [] };
    const bases = before ? findBases(git, before, remote) : [];
    if (before && bases.includes(remote)) return { kind: 'up-to-date', before, tip: before, leftOut: [] };
    const sift = (tree: ObjectId) => leaveOut(gitStore(git), tree, stones);
    const { tree: there, left: leftOut } =
      stones.length > 0 ? sift(treeOf(git, remote)) : { tree: undefined, left: [] };
    const move = (kind: Union['kind'], tip: ObjectId): Union => {
      updateRefs(git, [{ ref: METADATA_REF, from: before, to: tip }]);
      return { kind, before, tip, leftOut };
    };
    const isAhead = !before || bases.includes(before) || isBareStart(git, before);
    if (isAhead && leftOut.length === 0) return move(before ? 'fast-forward' : 'created', remote);
    const write = (tree: ObjectId, parents: readonly ObjectId[]): ObjectId =>
      writeMerge(git, { tree, parents, message: MESSAGE, author: readIdentity(git) });
    const theirs = there ?? treeOf(git, remote);
    if (!before || (isAhead && !bases.includes(before)))
      return move(before ? 'merged' : 'created', write(theirs, [remote]));
    // Histories that were merged crosswise agree on no base: then everything either side has counts as new.
    const base = bases.length === 1 ? treeOf(git, bases[0] as ObjectId) : undefined;
    const tree = mergeTrees(gitStore(git), base && sift(base).tree, treeOf(git, before), theirs);
    return move('merged', write(tree, [before, remote]));
  });
}

/** The commit that a fresh branch begins with, and nothing in it: not worth a merge. */
function isBareStart(git: Git, commit: ObjectId): boolean {
  const tree = treeOf(git, commit);
  if ((readFolders(git, [tree]).get(tree)?.size ?? 0) > 0) return false;
  return gitText(git, ['rev-list', '--parents', '--max-count=1', commit]) === commit;
}

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
