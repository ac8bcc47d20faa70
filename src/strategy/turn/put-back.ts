import type { RepoPath } from '../../base/repo-path.ts';
import type { Status } from '../../git/worktree/status.ts';
import type { TurnBaseline } from '../../session/record/turn-snapshot.ts';
import type { SessionState } from '../../session/state.ts';
import { readStashed } from '../out-of-sight.ts';
import type { Work } from '../work.ts';

/**
 * Files that the session had changed, and that are as HEAD has them when its turn ends: put back, and its work no
 * longer. Only what happened in this turn is judged, and not what went into a stash: a file that was clean when the
 * turn began is in an older stash, or on another branch.
 */
export function findPutBack(
  work: Work,
  { filesTouched }: SessionState,
  status: Status,
  baseline: TurnBaseline | undefined,
  recorded: ReadonlySet<RepoPath>,
): RepoPath[] {
  if (!baseline) return [];
  const clean = filesTouched.filter(
    (path) => !status.changes.has(path) && (baseline.paths.has(path) || recorded.has(path)),
  );
  const stashed = readStashed(work.git, clean, baseline.takenAtMs);
  return clean.filter((path) => !stashed.has(path));
}
