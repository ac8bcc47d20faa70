import { isChangedAfter } from '../../base/change-time.ts';
import type { ObjectId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { findCommitsOf, listCommitsAfter, readChangesOfEach } from '../../git/commits.ts';
import type { Git } from '../../git/run.ts';
import type { SessionState } from '../../session/state.ts';
import { readVerdicts } from '../../session/verdicts.ts';
import { readTurnBegin } from '../../snapshot/turn-begin.ts';
import type { Work } from '../work.ts';

/**
 * What commits of the turn took: `git status` says nothing of it any more. Of what differed from HEAD at the prompt the start of the
 * turn tells whether it changed. Two processes where there are any.
 */
export function committedInTurn(
  { git }: Work,
  { turnCheckpointIds }: Pick<SessionState, 'turnCheckpointIds'>,
  store: string,
): RepoPath[] {
  const begin = turnCheckpointIds.length === 0 ? undefined : readTurnBegin(store);
  if (!begin?.head) return [];
  const commits = [...findCommitsOf(git, turnCheckpointIds, { since: begin.head }).values()];
  return pathsOf(git, commits).filter((path) => !isInfrastructurePath(path) && !begin.files.has(path));
}

/**
 * What commits took that somebody made when the turn was over, of what was there by then: a commit writes no file. Two processes where
 * HEAD moved.
 */
export function committedSince({ git, repo }: Work, endMs: number, store: string): RepoPath[] {
  const begin = readTurnBegin(store);
  if (!begin?.head) return [];
  const commits = listCommitsAfter(git, begin.head, endMs);
  return pathsOf(git, commits).filter(
    (path) =>
      !isInfrastructurePath(path) &&
      !begin.files.has(path) &&
      !isChangedAfter(repo.worktreeRoot, path, endMs),
  );
}

/**
 * Paths of commits that were made in the turn and are linked to its session, by its own agent or by somebody else: what those took is the
 * turn's. Two processes where HEAD moved.
 *
 * @param head where it is now
 */
export function committedAsOwn(
  { git, repo }: Work,
  { sessionId }: Pick<SessionState, 'sessionId'>,
  store: string,
  head: string | undefined,
): Set<RepoPath> {
  const begin = readTurnBegin(store);
  if (!begin?.head || head === undefined || head === begin.head) return new Set();
  const linked = readVerdicts(repo.commonDir, MAX_VERDICTS).filter(({ sessions }) =>
    sessions.includes(sessionId),
  );
  const isLinked = new Set<string>(linked.map(({ commit }) => commit));
  const commits = listCommitsAfter(git, begin.head, 0).filter((commit) => isLinked.has(commit));
  return new Set(pathsOf(git, commits));
}

/** As many as are looked at of the newest. */
const MAX_VERDICTS = 200;

/** What commits changed. One process where there are any. */
function pathsOf(git: Git, commits: readonly ObjectId[]): RepoPath[] {
  if (commits.length === 0) return [];
  const changes = readChangesOfEach(
    git,
    commits.map((commit) => ({ commit })),
  );
  return sortedUnique([...changes.values()].flatMap((own) => [...own.keys()]));
}
