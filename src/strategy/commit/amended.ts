import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { AMENDED, type Commit, readChanges, readLastMove } from '../../git/commits.ts';
import type { Work } from '../work.ts';

/**
 * An amended commit whose checkpoint is stored is judged by what the amend added: the work that was in it before has
 * been counted, and what the session still has in the same files is not in it.
 */
export function sinceAmended(work: Work, commit: Commit): Commit {
  const id = commit.checkpoint;
  const move = id ? readLastMove(work.repo.gitDir, commit.oid) : undefined;
  if (move?.action !== AMENDED || !id || !hasCheckpoint(work.git, id)) return commit;
  return { ...commit, changes: readChanges(work.git, move.from, commit.oid) };
}
