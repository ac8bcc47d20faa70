import { parseObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readChanges } from '../../git/commits.ts';
import { type Change, readTree, type TreeEntry, toChange } from '../../git/objects.ts';
import { readRef } from '../../git/refs.ts';
import { type Git, gitText } from '../../git/run.ts';

/** Older stashes are not looked into. */
const MAX_STASHES = 10;
const STASH = 'refs/stash';

/**
 * What stashes made since then hold of files that the worktree does not show as changed: work that was put away for a
 * while, and comes back by `git stash pop` when nobody may be there to tell whose it is. The newest stash of a file
 * counts.
 */
export function readStashed(git: Git, paths: readonly RepoPath[], sinceMs: number): Change[] {
  if (paths.length === 0 || !readRef(git, STASH)) return [];
  const found = new Map<RepoPath, TreeEntry>();
  const stashes = gitText(git, ['log', '-g', `--max-count=${MAX_STASHES}`, '--format=%ct %H %P', STASH]);
  for (const line of stashes.split('\n')) {
    const [seconds, ...ids] = line.split(' ');
    const [stash, base, , untracked] = ids.map(parseObjectId);
    if ((Number(seconds) + 1) * 1000 <= sinceMs) break;
    if (!stash || !base) continue;
    for (const [path, { after }] of readChanges(git, base, stash, paths)) {
      if (after && !found.has(path)) found.set(path, after);
    }
    const others = untracked ? readTree(git, untracked, paths) : undefined;
    for (const [path, entry] of others ?? []) {
      if (!found.has(path as RepoPath)) found.set(path as RepoPath, entry);
    }
  }
  return [...found].map(([path, entry]) => toChange(path, entry));
}
