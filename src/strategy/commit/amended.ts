import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { AMENDED, type Commit, type PathChanges, readChanges, readLastMove } from '../../git/commits.ts';
import { readVerdictOf, type VerdictReason } from '../../session/verdicts.ts';
import type { Work } from '../work.ts';

/** Verdicts of commits whose work no session has any more. */
const COUNTED: readonly VerdictReason[] = ['linked', 'kept', 'no-session', 'no-overlap'];

/**
 * An amended commit is judged by what the amend added, once what was in it before has been counted: what sessions have
 * in the same files by now is not in it.
 */
export function sinceAmended(work: Work, commit: Commit): Commit {
  const { git, repo } = work;
  const move = readLastMove(repo.gitDir, commit.oid);
  if (move?.action !== AMENDED) return commit;
  const since = () => readChanges(git, move.from, commit.oid);
  if (commit.checkpoint && hasCheckpoint(git, commit.checkpoint)) return { ...commit, changes: since() };
  const { verdict } = readVerdictOf(repo.commonDir, move.from);
  if (!verdict || !COUNTED.includes(verdict.reason)) return commit;
  return { ...commit, changes: only(since(), commit.changes) };
}

/** What an amend takes back is not in the commit. */
export const only = (changes: PathChanges, among: PathChanges): PathChanges =>
  new Map([...changes].filter(([path]) => among.has(path)));
