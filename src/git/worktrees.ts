import { basename, dirname, join, resolve } from 'node:path';
import { listNames, readTextIfExists } from '../base/disk.ts';
import type { Repo } from './locate.ts';

/**
 * Tops of the worktrees that share a folder, the main one first; a bare repository has none of that kind. Some may be gone.
 * What cannot be read is left out.
 *
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export function listWorktreeRoots({ commonDir }: Pick<Repo, 'commonDir'>): string[] {
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : [];
  const linked = listQuietly(join(commonDir, 'worktrees')).flatMap((name) => {
    const own = join(commonDir, 'worktrees', name);
    const dotGit = readQuietly(join(own, 'gitdir'));
    return dotGit ? dirname(resolve(own, dotGit)) : []; // relative where `worktree.useRelativePaths` says so
  });
  return [...main, ...linked];
}

function listQuietly(dir: string): string[] {
  try {
    return listNames(dir);
  } catch {
    return [];
  }
}

function readQuietly(file: string): string | undefined {
  try {
    return readTextIfExists(file)?.trim();
  } catch {
    return undefined;
  }
}
