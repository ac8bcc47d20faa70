import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { isUnrecordable, type RepoPath, toRepoPath } from '../../base/repo-path.ts';
import { physicalFile, physicalPath, type Repo, writtenFile } from '../../git/locate.ts';
import { hasLineBreak, LINE_BREAK_HINT, outsideWorktree } from '../messages.ts';

/** A path as somebody typed it, from the top of the worktree. @throws {EntireError} `NOT_FOUND` for what lies outside of it */
export function toPath(repo: Repo, file: string): RepoPath {
  const path = file === '' ? undefined : toRepoPath(repo.worktreeRoot, physicalFile(resolve(file)));
  if (path !== undefined) return path;
  if (isUnrecordable(file) && lstatIfExists(resolve(file)))
    throw new EntireError('NOT_FOUND', hasLineBreak(file), { hint: LINE_BREAK_HINT });
  throw new EntireError('NOT_FOUND', outsideWorktree(file));
}

/**
 * {@link toPath}, and what is behind it. A link stands for itself, and for the file behind it, which is what an edit
 * through it wrote.
 *
 * @throws {EntireError} `NOT_FOUND` for what lies outside of the worktree
 */
export function toPaths(repo: Repo, file: string): RepoPath[] {
  const path = toPath(repo, file);
  const behind = toRepoPath(repo.worktreeRoot, writtenFile(resolve(file)));
  return behind === undefined || behind === path ? [path] : [path, behind];
}

/** {@link toPaths} of what stands behind `--`; none where that is the whole worktree. @throws {EntireError} as that does */
export const toNames = (repo: Repo, words: readonly string[]): RepoPath[] =>
  words.some((word) => word !== '' && physicalPath(resolve(word)) === repo.worktreeRoot)
    ? []
    : words.flatMap((word) => toPaths(repo, word));

/** A path of this machine with `~` for the user's home. */
export function homely(path: string): string {
  const home = process.env.HOME || homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
