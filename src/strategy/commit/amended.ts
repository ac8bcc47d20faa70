import type { ObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { hasCheckpoint } from '../../checkpoint/committed.ts';
import { type Commit, type PathChanges, readChanges } from '../../git/commit/commits.ts';
import { AMENDED, readLastMove } from '../../git/commit/moves.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { readVerdictOf, type VerdictReason } from '../../session/record/verdicts.ts';
import type { Work } from '../work.ts';

/** Verdicts after sessions were looked at. A replayed or merged commit may have a conflict that one of them resolved. */
const COUNTED: readonly VerdictReason[] = ['linked', 'kept', 'no-session', 'no-overlap'];

/** A commit as it is judged. */
export interface Judged {
  readonly commit: Commit;
  /** The commit that it takes the place of, where that was stored, and held something else. */
  readonly amended: ObjectId | undefined;
  /** Files that the amend took out of it, as they were in it. */
  readonly takenOut: ReadonlyMap<RepoPath, TreeEntry | undefined>;
}

const NOTHING: Judged['takenOut'] = new Map();

/**
 * An amended commit is judged by what the amend added, once what was in it before has been counted: what sessions have
 * in the same files by now is not in it.
 */
export function sinceAmended(work: Work, commit: Commit): Judged {
  const { git, repo } = work;
  const move = readLastMove(repo.gitDir, commit.oid);
  if (move?.action !== AMENDED) return { commit, amended: undefined, takenOut: NOTHING };
  const { own } = commit.links;
  const isStored = own !== undefined && hasCheckpoint(git, own);
  const { verdict } = isStored ? {} : readVerdictOf(repo.commonDir, move.from);
  if (!isStored && !(verdict && COUNTED.includes(verdict.reason)))
    return { commit, amended: undefined, takenOut: NOTHING };
  const since = readChanges(git, move.from, commit.oid);
  return {
    commit: { ...commit, changes: only(since, commit.changes) },
    amended: isStored && since.size > 0 ? move.from : undefined,
    takenOut: new Map(
      [...since].flatMap(([path, { before }]) => (commit.changes.has(path) ? [] : [[path, before] as const])),
    ),
  };
}

/** What an amend takes back is not in the commit. */
export const only = (changes: PathChanges, among: PathChanges): PathChanges =>
  new Map([...changes].filter(([path]) => among.has(path)));
