import type { ObjectId } from '../base/ids.ts';
import { METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { retryWhenMoved } from '../git/object/objects.ts';
import { findBases, readFolders, treeOf, writeMerge } from '../git/object/trees.ts';
import { readIdentity, readRef, updateRefs } from '../git/ref/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { listTombstones, type Tombstone } from '../session/tombstones.ts';
import { leaveOut } from './forgotten.ts';
import { mergeTrees } from './merge.ts';
import { gitStore } from './store.ts';

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
