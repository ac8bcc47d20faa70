import type { ObjectId } from '../base/ids.ts';
import { METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { retryWhenMoved } from '../git/objects.ts';
import { readIdentity, readRef, updateRefs } from '../git/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { findBases, readFolders, treeOf, writeMerge } from '../git/trees.ts';
import { mergeTrees } from './merge.ts';
import { gitStore } from './store.ts';

/** What became of the local branch when a remote's tip was taken in. */
export interface Union {
  readonly kind: 'created' | 'fast-forward' | 'merged' | 'up-to-date';
  readonly before: ObjectId | undefined;
  readonly tip: ObjectId;
}

/** As every release has written it; no newline at the end. */
const MESSAGE = 'Merge remote session logs';

/**
 * Brings the local metadata branch to the union of itself and `remote`, a commit this repository has. Nothing is
 * rebased: both histories stay as they are below a merge commit. The ref moves last, and only from what was read.
 *
 * @throws {EntireError} `REF_MOVED` or `REF_LOCKED` at last; `GIT_FAILED` when an object is missing
 */
export function takeIn(git: Git, remote: ObjectId): Union {
  return retryWhenMoved(() => {
    const before = readRef(git, METADATA_REF);
    if (before === remote) return { kind: 'up-to-date', before, tip: remote };
    const move = (kind: Union['kind'], tip: ObjectId): Union => {
      updateRefs(git, [{ ref: METADATA_REF, from: before, to: tip }]);
      return { kind, before, tip };
    };
    if (!before) return move('created', remote);
    const bases = findBases(git, before, remote);
    if (bases.includes(remote)) return { kind: 'up-to-date', before, tip: before };
    if (bases.includes(before) || isBareStart(git, before)) return move('fast-forward', remote);
    return move('merged', merge(git, before, remote, bases));
  });
}

function merge(git: Git, local: ObjectId, remote: ObjectId, bases: readonly ObjectId[]): ObjectId {
  // Histories that were merged crosswise agree on no base: then everything either side has counts as new.
  const base = bases.length === 1 ? treeOf(git, bases[0] as ObjectId) : undefined;
  const tree = mergeTrees(gitStore(git), base, treeOf(git, local), treeOf(git, remote));
  return writeMerge(git, { tree, parents: [local, remote], message: MESSAGE, author: readIdentity(git) });
}

/** The commit that a fresh branch begins with, and nothing in it: not worth a merge. */
function isBareStart(git: Git, commit: ObjectId): boolean {
  const tree = treeOf(git, commit);
  if ((readFolders(git, [tree]).get(tree)?.size ?? 0) > 0) return false;
  return gitText(git, ['rev-list', '--parents', '--max-count=1', commit]) === commit;
}
