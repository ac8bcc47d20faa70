import { basename, dirname, join, resolve } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import type { Repo } from '../locate.ts';

/**
 * Tops of the worktrees that share a folder, the main one first; a bare repository has none of that kind. Some may be gone.
 * What cannot be read is left out.
 *
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export function listWorktreeRoots(repo: Pick<Repo, 'commonDir'>): string[] {
  const main = basename(repo.commonDir) === '.git' ? [dirname(repo.commonDir)] : [];
  return [...main, ...listLinkedRoots(repo).values()];
}

/** Tops of the linked worktrees, by worktree id: the name under `<common-dir>/worktrees`. */
export function listLinkedRoots({ commonDir }: Pick<Repo, 'commonDir'>): Map<string, string> {
  const roots = new Map<string, string>();
  for (const id of listQuietly(join(commonDir, 'worktrees'))) {
    const own = join(commonDir, 'worktrees', id);
    const dotGit = readQuietly(join(own, 'gitdir'));
    if (dotGit && !dotGit.includes('\0')) roots.set(id, dirname(resolve(own, dotGit))); // relative where `worktree.useRelativePaths` says so
  }
  return roots;
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
    return readUserText(file, 'git')?.trim();
  } catch {
    return undefined;
  }
}

/** Whether git has no linked worktree of that id any more. The main one, whose id is empty, is always there. */
export const isRemoved = (commonDir: string, worktreeId: string): boolean =>
  worktreeId !== '' && !disk.existsSync(join(commonDir, 'worktrees', worktreeId));
