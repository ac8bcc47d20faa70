import type { ObjectId } from '../base/ids.ts';
import { NOTES_REF } from '../git/commit/links.ts';
import { retryWhenMoved } from '../git/object/objects.ts';
import { findBases, treeOf, writeMerge } from '../git/object/trees.ts';
import { readIdentity, readRef, updateRefs } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { type NotesTree, readNotesTree } from './notes-tree.ts';
import { mergeNotes } from './notes-union.ts';
import { gitStore } from './store.ts';

/** What became of the notes here when a remote's were taken in. */
export interface NotesUnion {
  readonly kind: 'created' | 'fast-forward' | 'merged' | 'up-to-date';
  readonly before: ObjectId | undefined;
  readonly tip: ObjectId;
}

const MESSAGE = 'Merge remote notes';

/**
 * Brings the notes here to the union of themselves and `remote`, a commit this repository has. A note that names what was
 * forgotten here stays, like a message of a commit: it holds nothing but ids.
 *
 * @throws {EntireError} `REF_MOVED` or `REF_LOCKED` at last; `GIT_FAILED` when an object is missing, or there are too many
 */
export function takeInNotes(git: Git, remote: ObjectId): NotesUnion {
  return retryWhenMoved(() => {
    const before = readRef(git, NOTES_REF);
    const bases = before && before !== remote ? findBases(git, before, remote) : [];
    if (before && (before === remote || bases.includes(remote)))
      return { kind: 'up-to-date', before, tip: before };
    const move = (kind: NotesUnion['kind'], tip: ObjectId): NotesUnion => {
      updateRefs(git, [{ ref: NOTES_REF, from: before, to: tip }]);
      return { kind, before, tip };
    };
    if (!before || bases.includes(before)) return move(before ? 'fast-forward' : 'created', remote);
    // As with checkpoints: where histories were merged crosswise, all that either side has is new.
    const base = bases.length === 1 ? treeOf(git, bases[0] as ObjectId) : undefined;
    const tree = mergeNotes(gitStore(git), base, treeOf(git, before), treeOf(git, remote));
    const parents = [before, remote];
    return move('merged', writeMerge(git, { tree, parents, message: MESSAGE, author: readIdentity(git) }));
  });
}

/** How many commits have a note in `to` that is not in `from`, or is another one there. */
export function countNotes(git: Git, from: ObjectId | undefined, to: ObjectId): number {
  if (from === to) return 0;
  const read = (commit: ObjectId | undefined): NotesTree['notes'] =>
    commit ? readNotesTree(gitStore(git), treeOf(git, commit)).notes : new Map();
  const known = read(from);
  return [...read(to)].filter(([commit, oids]) => known.get(commit)?.join() !== oids.join()).length;
}
