import { lstatInWorktree } from '../base/disk.ts';
import { parseObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readChanges } from '../git/commits.ts';
import { readTree, type TreeEntry } from '../git/objects.ts';
import { readRef } from '../git/refs.ts';
import { type Git, gitText } from '../git/run.ts';
import { findIgnored } from '../git/status.ts';
import type { Work } from './work.ts';

/** Older stashes are not looked into. */
const MAX_STASHES = 10;
const STASH = 'refs/stash';

/**
 * What stashes made since then hold of files that the worktree does not show as changed: work that was put away for a
 * while, and comes back by `git stash pop` when nobody may be there to tell whose it is. The newest stash of a file
 * counts. `undefined`: the stash has it deleted.
 */
export function readStashed(
  git: Git,
  paths: readonly RepoPath[],
  sinceMs: number,
): ReadonlyMap<RepoPath, TreeEntry | undefined> {
  const found = new Map<RepoPath, TreeEntry | undefined>();
  if (paths.length === 0 || !readRef(git, STASH)) return found;
  const asked = new Set<string>(paths);
  const stashes = gitText(git, ['log', '-g', `--max-count=${MAX_STASHES}`, '--format=%ct %H %P', STASH]);
  for (const line of stashes.split('\n')) {
    const [seconds, ...ids] = line.split(' ');
    const [stash, base, , untracked] = ids.map(parseObjectId);
    if ((Number(seconds) + 1) * 1000 <= sinceMs) break;
    if (!stash || !base) continue;
    const others = untracked ? readTree(git, untracked, paths) : undefined;
    const entries: Array<[string, TreeEntry | undefined]> = [...(others ?? [])];
    for (const [path, { after }] of readChanges(git, base, stash, paths)) entries.push([path, after]);
    for (const [path, entry] of entries) {
      // A folder now, where a file was: git names what is in it, and that is not what was asked for.
      const isAsked = asked.has(path) && entry?.mode !== '040000';
      if (isAsked && !found.has(path as RepoPath)) found.set(path as RepoPath, entry);
    }
  }
  return found;
}

/** Files that are there and that git ignores: `git status` says nothing of them, and no step has them. */
export function findIgnoredFiles({ git, repo }: Work, paths: readonly RepoPath[]): readonly RepoPath[] {
  return findIgnored(
    git,
    paths.filter((path) => lstatInWorktree(repo.worktreeRoot, path)),
  ) as RepoPath[];
}
