import type { RepoPath } from '../../base/repo-path.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import { readTree, type TreeEntry } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';

/** What the commit before the one that is judged has at paths. One process, where some of them are none that it changes. */
export type ReadBefore = (paths: readonly RepoPath[]) => (path: RepoPath) => TreeEntry | undefined;

/** @param changes what is staged, or what HEAD changed: everything else is there as HEAD has it */
export const beforeReader =
  (git: Git, changes: PathChanges): ReadBefore =>
  (paths) => {
    const rest = paths.filter((path) => !changes.has(path));
    const head = rest.length > 0 ? readTree(git, 'HEAD', rest) : undefined;
    return (path) => (changes.has(path) ? changes.get(path)?.before : head?.get(path));
  };
