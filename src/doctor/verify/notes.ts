import { EntireError } from '../../base/errors.ts';
import { NOTES_REF } from '../../git/commit/links.ts';
import { treeOf } from '../../git/object/trees.ts';
import { readRef, readRefs } from '../../git/ref/refs.ts';
import { readNotesTree } from '../../sync/notes-tree.ts';
import { gitStore } from '../../sync/store.ts';
import type { Verification } from './problem.ts';
import { findBroken } from './trees.ts';

/** Notes of commits: whether there is a commit, and whether every note can be read. What they say is anybody's to write. */
export function checkNotes({ work, report }: Verification): void {
  const { git } = work;
  const tip = readRef(git, NOTES_REF);
  if (tip === undefined) {
    if (readRefs(git, [NOTES_REF]).size > 0) report({ code: 'ref-broken', where: NOTES_REF });
    return;
  }
  try {
    const { notes } = readNotesTree(gitStore(git), treeOf(git, tip));
    const broken = findBroken(git, [...notes.values()].flat());
    for (const [commit, oids] of notes)
      for (const oid of oids) {
        const how = broken.get(oid);
        if (how) report({ code: `object-${how}`, where: `${NOTES_REF}:${commit}` });
      }
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    report({ code: 'object-missing', where: NOTES_REF, detail: error.message });
  }
}
