import type { RepoPath } from '../base/repo-path.ts';
import { readPauses } from '../session/pause.ts';
import { readPauseBegin } from '../session/pause-notes.ts';
import { readPrivateOfWorktree } from '../session/private-record.ts';
import { fingerprints } from '../session/turn-snapshot.ts';
import type { Work } from './work.ts';

/**
 * Those of some files that changed in a private stretch and not since: no step and no prompt keeps them as they are.
 *
 * @param own what the session that asks recorded itself, beside another one that is paused
 */
export function findPrivatePaths(
  { repo }: Work,
  paths: readonly string[],
  own: ReadonlySet<string> = new Set(),
): Set<RepoPath> {
  const { commonDir, worktreeId, worktreeRoot } = repo;
  const known: ReadonlyMap<string, string> =
    readPrivateOfWorktree(commonDir, worktreeId)?.paths ?? new Map<string, string>();
  const pauses = readPauses(commonDir);
  const open =
    pauses === 'unreadable'
      ? []
      : pauses.flatMap(({ id }) => readPauseBegin(commonDir, id)?.worktrees.get(worktreeId)?.paths ?? []);
  if (known.size === 0 && open.length === 0) return new Set();
  const isPrivate = (path: string, print: string): boolean =>
    known.get(path) === print || (!own.has(path) && open.some((before) => before.get(path) !== print));
  const found = [...fingerprints(worktreeRoot, paths)].filter(([path, print]) => isPrivate(path, print));
  return new Set(found.map(([path]) => path as RepoPath));
}
