import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { type Commit, type PathChanges, readChanges } from '../../git/commit/commits.ts';
import { AMENDED, readLastMove } from '../../git/commit/moves.ts';
import { readVerdictOf, type VerdictReason } from '../../session/record/verdicts.ts';
import type { Work } from '../work.ts';

/** Verdicts after sessions were looked at. A replayed or merged commit may have a conflict that one of them resolved. */
const COUNTED: readonly VerdictReason[] = ['linked', 'kept', 'no-session', 'no-overlap'];

/**
 * An amended commit is judged by what the amend added, once what was in it before has been counted: what sessions have
 * in the same files by now is not in it.
 */
export function sinceAmended(work: Work, commit: Commit): Commit {
  const { git, repo } = work;
  const move = readLastMove(repo.gitDir, commit.oid);
  if (move?.action !== AMENDED) return commit;
  const { own } = commit.links;
  const isStored = own !== undefined && hasCheckpoint(git, own);
  const { verdict } = isStored ? {} : readVerdictOf(repo.commonDir, move.from);
  if (!isStored && !(verdict && COUNTED.includes(verdict.reason))) return commit;
  return { ...commit, changes: only(readChanges(git, move.from, commit.oid), commit.changes) };
}

/** What an amend takes back is not in the commit. */
export const only = (changes: PathChanges, among: PathChanges): PathChanges =>
  new Map([...changes].filter(([path]) => among.has(path)));
