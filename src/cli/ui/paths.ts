import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { type RepoPath, toRepoPath } from '../../base/repo-path.ts';
import { physicalFile, physicalPath, type Repo, writtenFile } from '../../git/locate.ts';
import { outsideWorktree } from '../messages.ts';

/**
 * A path as somebody typed it, from the top of the worktree. A link stands for itself, and for the file behind it, which is what an edit
 * through it wrote.
 *
 * @throws {EntireError} `NOT_FOUND` for what lies outside of the worktree
 */
export function toPaths(repo: Repo, file: string): RepoPath[] {
  const path = file === '' ? undefined : toRepoPath(repo.worktreeRoot, physicalFile(resolve(file)));
  if (path === undefined) throw new EntireError('NOT_FOUND', outsideWorktree(file));
  const behind = toRepoPath(repo.worktreeRoot, writtenFile(resolve(file)));
  return behind === undefined || behind === path ? [path] : [path, behind];
}

/** {@link toPaths} of what stands behind `--`; none where that is the whole worktree. @throws {EntireError} as that does */
export const toNames = (repo: Repo, words: readonly string[]): RepoPath[] =>
  words.some((word) => word !== '' && physicalPath(resolve(word)) === repo.worktreeRoot)
    ? []
    : words.flatMap((word) => toPaths(repo, word));
