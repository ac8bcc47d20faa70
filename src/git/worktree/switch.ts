import type { ObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';

/** Whether a tracked file differs from HEAD, in the index or the worktree; of a submodule only the commit it is on. */
export function hasChanges(git: Git): boolean {
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=dirty'];
  return runGit(git, args).stdout.length > 0;
}

/** Git itself overwrites an ignored file, `.env` for one, without a word. */
const QUIET_AND_SAFE = ['--quiet', '--no-overwrite-ignore'];

/**
 * Switches to a branch as the user would, hooks and all.
 *
 * @param start a tracking ref to make the branch from; without one it exists
 * @throws {EntireError} `GIT_FAILED` with git's reason; nothing is switched then
 */
export function checkoutBranch(git: Git, branch: string, start?: string): void {
  // With a ref below `refs/remotes` git sets up what the branch follows, where that can be.
  const args = start === undefined ? ['--no-guess', branch] : ['-b', branch, start];
  runGit(git, ['checkout', ...QUIET_AND_SAFE, ...args, '--']);
}

/** Moves the branch that is checked out, or a detached HEAD, to a commit. @throws {EntireError} `GIT_FAILED` */
export function resetHard(git: Git, commit: ObjectId): void {
  runGit(git, ['reset', '--quiet', '--hard', commit, '--']);
}

/** Checks a commit out, on no branch. Git refuses where that would overwrite something. @throws {EntireError} `GIT_FAILED` */
export function checkOutDetached(git: Git, commit: ObjectId): void {
  runGit(git, ['checkout', ...QUIET_AND_SAFE, '--detach', commit, '--']);
}
