import { EntireError } from '../../base/errors.ts';
import { findOperation } from '../../git/commit/operation.ts';
import { isIndexFree } from '../../git/worktree/user-index.ts';
import { isCommitOpen } from '../../session/record/open-commits.ts';
import { tell } from '../progress.ts';
import type { Work } from '../work.ts';

/** What a worktree is like when something is to be committed in it. */
export interface Moment {
  /** What git is in the middle of. */
  readonly operation: string | undefined;
  /** Short name of what is checked out; `undefined` when HEAD is detached. */
  readonly branch: string | undefined;
  readonly isIndexFree: boolean;
  /** Somebody writes the message of a commit. */
  readonly isCommitOpen: boolean;
}

/** Why nothing is committed now; `undefined` when nothing speaks against it. */
export function findRefusal({ operation, branch, isIndexFree, isCommitOpen }: Moment): string | undefined {
  if (operation !== undefined) return `a ${operation} is in progress`;
  // A commit that no branch holds is lost with the next `git switch`.
  if (branch === undefined) return 'HEAD is detached';
  if (branch.startsWith('entire/')) return `${branch} is one of Entire's own branches`;
  // Somebody is about to commit: their command would fail when HEAD moves under it.
  if (isCommitOpen) return 'a git commit is waiting for its message';
  if (!isIndexFree) return 'a git command has the index locked';
  return undefined;
}

/**
 * Looks whether a commit may be made in a worktree; waits a moment for a git command that has the index locked.
 *
 * @throws {EntireError} `COMMIT_REFUSED` with the reason
 */
export async function assertMayCommit({ repo }: Work, branch: string | undefined): Promise<void> {
  const reason = findRefusal({
    operation: findOperation(repo.gitDir),
    branch,
    isIndexFree: await isIndexFree(repo.gitDir),
    isCommitOpen: isCommitOpen(repo),
  });
  if (reason !== undefined) refuse(reason);
}

/**
 * What is not committed waits: the session keeps its files, and the end of its next turn tries again.
 *
 * @throws {EntireError} `COMMIT_REFUSED`
 */
export function refuse(reason: string): never {
  const sentence = `not committed, since ${reason}; the changes wait for the end of the next turn`;
  tell(`[entire] Warning: ${sentence}`);
  throw new EntireError('COMMIT_REFUSED', sentence);
}
