import { EntireError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { branchRef, isShadowBranch, METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { readRefs } from '../../git/ref/refs.ts';
import type { Branch } from '../../history/branch.ts';

/** A branch that somebody named. */
export interface BranchTarget {
  readonly kind: 'branch';
  readonly name: string;
  /** `undefined` before its first commit. */
  readonly tip: ObjectId | undefined;
  readonly where: 'checked-out' | 'local' | 'origin';
}

/**
 * The branch of that name, here or on `origin`; `undefined` for none.
 *
 * @throws {EntireError} `NOT_FOUND` for one of our own
 */
export function findBranch({ git, name, head }: Branch, word: string): BranchTarget | undefined {
  if (word === name) return { kind: 'branch', name, tip: head, where: 'checked-out' };
  if (word === '' || word.startsWith('-')) return undefined;
  const [here, origin] = [branchRef(word), `refs/remotes/origin/${word}`];
  const refs = readRefs(git, [here, origin]);
  const tip = refs.get(here) ?? refs.get(origin);
  if (!tip || word === 'HEAD') return undefined; // what `origin/HEAD` leads to is no branch of that name
  if (here === METADATA_REF || isShadowBranch(word)) {
    throw new EntireError(
      'NOT_FOUND',
      `${word} is a branch of Entire's own: there is no work to go on with`,
      {
        hint: 'Name a branch of yours, or a checkpoint, a session or a commit.',
      },
    );
  }
  return { kind: 'branch', name: word, tip, where: refs.has(here) ? 'local' : 'origin' };
}
