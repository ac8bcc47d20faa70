import type { RepoPath } from '../../base/repo-path.ts';
import { readTree, type TreeEntry } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { findIgnored } from '../../git/worktree/status.ts';
import { type FileState, MISSING } from '../store/file-state.ts';
import { toState } from '../undo/commit-parts.ts';
import type { TurnBegin } from './turn-begin.ts';

/**
 * What the worktree had when a turn began, by path. One look into git's tree for all that were clean.
 *
 * @param mayBeIgnored whether it has to be asked if git ignores a path that it does not have: nobody knows what was there then
 */
export function readAtPrompt(
  git: Git,
  begin: TurnBegin | undefined,
  paths: readonly RepoPath[],
  mayBeIgnored: (path: RepoPath) => boolean,
): (path: RepoPath) => FileState | undefined {
  if (!begin?.head) return (path) => begin?.files.get(path)?.state;
  const clean = paths.filter((path) => !begin.files.has(path));
  const tree = clean.length === 0 ? new Map<string, TreeEntry>() : readTree(git, begin.head, clean);
  const absent = clean.filter((path) => !tree?.has(path));
  const ignored = new Set(tree ? findIgnored(git, absent.filter(mayBeIgnored)) : absent);
  return (path) => {
    const dirty = begin.files.get(path);
    if (dirty) return dirty.state;
    const entry = tree?.get(path);
    if (entry) return toState(entry);
    return ignored.has(path) ? undefined : MISSING;
  };
}
