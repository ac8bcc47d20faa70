import { basename, dirname, resolve } from 'node:path';
import type { SearchPlace } from '../base/process/find-program.ts';
import { toRepoPath } from '../base/repo-path.ts';
import { locateRepo, physicalPath, type Repo } from './locate.ts';
import { listWorktreeRoots } from './worktree/worktrees.ts';

/**
 * Where programs are looked for that are started for somebody in a repository: nothing of that is ever started, whichever of
 * its worktrees it lies in; nor of those that it is a submodule of.
 */
export const programPlace = (repo: Repo, env: NodeJS.ProcessEnv = process.env): SearchPlace => ({
  env,
  forbidden: foldersOf(repo),
});

/** Whether a file lies in the repository, in whichever of its worktrees, or is a link to what does. */
export function isOfRepository(repo: Repo, file: string): boolean {
  const places = [resolve(file), physicalPath(file)];
  return foldersOf(repo).some((folder) => places.some((place) => toRepoPath(folder, place) !== undefined));
}

/** {@link programPlace} for a folder, which need not be in any repository. */
export function programPlaceAt(folder: string, env: NodeJS.ProcessEnv = process.env): SearchPlace {
  const repo = locateRepo(folder, env);
  return { env, forbidden: repo ? foldersOf(repo) : [] };
}

function foldersOf({ worktreeRoot, commonDir }: Repo): string[] {
  const folders = withThoseAround(commonDir).flatMap((dir) => [
    dir,
    ...listWorktreeRoots({ commonDir: dir }),
  ]);
  return [...new Set([worktreeRoot, ...folders].map(physicalPath))];
}

/** That of a submodule lies in that of its superproject. */
function withThoseAround(commonDir: string): string[] {
  const around = dirname(commonDir);
  if (around === commonDir) return [];
  return [commonDir, ...withThoseAround(around).filter((dir) => basename(dir) === '.git')];
}
