import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type ListedBranch, listShadowBranches } from '../../checkpoint/shadow-branch.ts';
import { updateRefs } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';
import { isUsedByOthers } from '../../strategy/sessions.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { listBusy, readBranches } from './leftovers-sessions.ts';

/** What became of a shadow branch whose session was forgotten. */
export type BranchFate =
  | { readonly kind: 'deleted'; readonly branch: ListedBranch }
  /** Another session has steps on it. */
  | { readonly kind: 'shared'; readonly branch: ListedBranch }
  | { readonly kind: 'not-deleted'; readonly branch: ListedBranch; readonly reason: string };

/**
 * Deletes a shadow branch that no session needs any more, if it still is what it was when that was found out.
 *
 * @param own the session whose lock the caller holds
 * @returns `undefined` where there is none
 */
export function dropBranch(work: Work, name: string, own?: SessionId): BranchFate | undefined {
  const fresh = workIn(work.repo); // sessions are looked at again
  // In this order: whoever makes a step on it meanwhile has the lock or, later, a state that says so.
  const branch = findBranch(work.git, name);
  if (!branch) return undefined;
  const busy = listBusy(work.sessions);
  if (isUsedByOthers(fresh, undefined, name)) return { kind: 'shared', branch };
  if (branch.worktree !== undefined)
    return { kind: 'not-deleted', branch, reason: `it is checked out in ${branch.worktree}` };
  const [last] = readBranches(work.git, [branch], false);
  if (last?.sessions?.some((id) => id !== own && busy.has(id)))
    return { kind: 'not-deleted', branch, reason: 'a hook is at work on it' };
  try {
    updateRefs(work.git, [{ ref: branch.ref, from: branch.tip, to: undefined }]);
  } catch (error) {
    return { kind: 'not-deleted', branch, reason: describeError(error) };
  }
  log('info', 'shadow branch deleted', { branch: name, tip: branch.tip });
  return { kind: 'deleted', branch };
}

/** A shadow branch by its short name. */
export const findBranch = (git: Git, name: string): ListedBranch | undefined =>
  listShadowBranches(git).find((branch) => branch.name === name);
