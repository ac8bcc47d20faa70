import type { RepoPath } from '../base/repo-path.ts';
import { readTree, type TreeEntry } from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import { findIgnored } from '../git/status.ts';
import { type FileState, type GitMode, MISSING } from './file-state.ts';
import type { HeadMoved } from './head-moved.ts';
import type { TurnBegin } from './turn-begin.ts';

/**
 * What the worktree had when a turn began, by path. One look into git's tree for all that were clean.
 *
 * @param mayBeIgnored whether it has to be asked if git ignores a path that it does not have: nobody knows what was there then
 * @param brought what HEAD has of paths now, where that is what the turn found: see {@link readHeadMoved}
 */
export function readAtPrompt(
  git: Git,
  begin: TurnBegin | undefined,
  paths: readonly RepoPath[],
  mayBeIgnored: (path: RepoPath) => boolean,
  brought: HeadMoved['brought'] = new Map(),
): (path: RepoPath) => FileState | undefined {
  if (!begin?.head) return (path) => begin?.files.get(path)?.state;
  const clean = paths.filter((path) => !begin.files.has(path));
  const tree = clean.length === 0 ? new Map<string, TreeEntry>() : readTree(git, begin.head, clean);
  const entryOf = (path: RepoPath) => (brought.has(path) ? brought.get(path) : tree?.get(path));
  const absent = clean.filter((path) => !entryOf(path));
  const ignored = new Set(tree ? findIgnored(git, absent.filter(mayBeIgnored)) : absent);
  return (path) => {
    const dirty = begin.files.get(path);
    if (dirty) return dirty.state;
    const entry = entryOf(path);
    if (entry) return isGitFile(entry.mode) ? { kind: 'git', oid: entry.oid, mode: entry.mode } : undefined;
    return ignored.has(path) ? undefined : MISSING;
  };
}

const isGitFile = (mode: string): mode is GitMode => ['100644', '100755', '120000'].includes(mode);
