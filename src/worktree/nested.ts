import { resolve } from 'node:path';
import { disk } from '../base/file/disk.ts';
import { readOwnWork } from './own-work.ts';

/**
 * Repositories of their own within a worktree that hold what nothing else does: `git status` tells of none that lies in a folder
 * with tracked files, or in one that is ignored. Looks into every folder, as the removal will.
 *
 * @param known folders of submodules and other worktrees, absolute, which are looked at elsewhere
 * @returns paths relative to the worktree, which end in `/`; and whether a `.git` among them leads elsewhere
 */
export function findRepositories(
  root: string,
  known: readonly string[],
): { readonly repositories: string[]; readonly hasLinks: boolean } {
  const found: string[] = [];
  let hasLinks = false;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const path = resolve(root, folder); // without the last slash, as those that are known
    const entries = disk.readdirSync(path, { withFileTypes: true });
    const isRepository = folder !== '' && entries.some(({ name }) => name === '.git');
    hasLinks ||= isRepository && entries.some((one) => one.name === '.git' && !one.isDirectory());
    if (isRepository && known.includes(path)) continue;
    if (isRepository && hasWork(root, folder)) found.push(folder);
    else
      for (const entry of entries)
        if (entry.isDirectory() && entry.name !== '.git') folders.push(`${folder}${entry.name}/`);
  }
  return { repositories: found.sort(), hasLinks };
}

const hasWork = (root: string, path: string): boolean =>
  readOwnWork(root, path, () => false).some(({ work }) => work.length > 0);
