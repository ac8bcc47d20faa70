import type { ObjectId } from '../base/ids.ts';
import { type Git, runGit } from './run.ts';

/**
 * Where HEAD and the worktree are moved, by git's own commands, because a person asked for it and nobody else. What they
 * overwrite has been kept before.
 */

/** Moves the branch that is checked out, or a detached HEAD, to a commit. @throws {EntireError} `GIT_FAILED` */
export function resetHard(git: Git, commit: ObjectId): void {
  runGit(git, ['reset', '--quiet', '--hard', commit, '--']);
}

/** Checks a commit out, on no branch. Git refuses where that would overwrite something. @throws {EntireError} `GIT_FAILED` */
export function checkOutDetached(git: Git, commit: ObjectId): void {
  runGit(git, ['checkout', '--quiet', '--detach', commit, '--']);
}

/** Paths whose file is not what is staged. */
export const findUnstaged = (git: Git): string[] =>
  runGit(git, ['diff-files', '--name-only', '-z', '--ignore-submodules'])
    .stdout.toString('utf8')
    .split('\0')
    .filter(Boolean);

/** Commits of `tip` that `commit` does not have. */
export const countCommitsSince = (git: Git, commit: ObjectId, tip: ObjectId): number =>
  Number(runGit(git, ['rev-list', '--count', tip, '--not', commit, '--']).stdout.toString('latin1').trim());
