import { isChangedAfter } from '../../base/file/change-time.ts';
import { type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import { listCommitsAfter, listCommitsOf, readChangesOfEach } from '../../git/commit/commits.ts';
import { isSequenceInProgress } from '../../git/commit/operation.ts';
import { type HeadMove, readRecentMoves } from '../../git/ref/reflog.ts';
import { readVerdicts } from '../../session/record/verdicts.ts';
import type { SessionState } from '../../session/state.ts';
import { readTurnBegin, type TurnBegin } from '../../snapshot/turn/turn-begin.ts';
import type { CommitPart } from '../../snapshot/undo/commit-parts.ts';
import type { NewHead } from '../../snapshot/undo/head-moved.ts';
import type { Work } from '../work.ts';

/**
 * What commits of the turn took, made by its own agent or by somebody else: `git status` says nothing of it any more. They are known by
 * the checkpoints that they name, which they keep where they are rewritten, or merged, in the turn; a merge itself brings what others
 * made. Two processes where there are any.
 *
 * @param head where HEAD is now
 */
export function committedInTurn(
  work: Work,
  { sessionId, turnCheckpointIds }: Pick<SessionState, 'sessionId' | 'turnCheckpointIds'>,
  store: string,
  head: string | undefined,
): Taken {
  return takenSince(work, store, (begin) => {
    if (head === begin.head) return [];
    const verdicts = readVerdicts(work.repo.commonDir, MAX_VERDICTS);
    const sinceMs = Date.parse(begin.at);
    const linked = verdicts.filter(
      ({ at, sessions }) => sessions.includes(sessionId) && Date.parse(at) >= sinceMs,
    );
    const ids = [
      ...turnCheckpointIds,
      ...linked.flatMap(({ checkpoint }) => parseCheckpointId(checkpoint) ?? []),
    ];
    return listCommitsOf(work.git, [...new Set(ids)], { since: begin.head, withoutMerges: true }).map(
      ([, oid]) => oid,
    );
  });
}

/** As many as are looked at of the newest. */
const MAX_VERDICTS = 200;

/**
 * What commits took that somebody made when the turn was over, of what was there by then: a commit writes no file. Two processes where
 * HEAD moved.
 */
export const committedSince = (work: Work, endMs: number, store: string): Taken =>
  new Map(
    [...takenSince(work, store, (begin) => listCommitsAfter(work.git, begin.head, endMs))].filter(
      ([path]) => !isChangedAfter(work.repo.worktreeRoot, path, endMs),
    ),
  );

/** Where HEAD is now, with what commits of the turn took. @param head `undefined` before the first commit */
export const newHead = ({ repo: { gitDir } }: Work, head: string | undefined, committed: Taken): NewHead => ({
  ...{ head, committed, isReplaying: isSequenceInProgress(gitDir) },
  commitsHere(begin) {
    const moves = readRecentMoves(gitDir);
    if (moves.length === 0) return undefined;
    const beganMs = Date.parse(begin.at);
    // The place in the list tells more than its times: those are whole seconds, and anybody can set them.
    const first = moves.findLastIndex(({ to, atMs }) => to === begin.head && atMs <= beganMs);
    const isSince = ({ atMs }: HeadMove): boolean => first !== -1 || atMs + 999 >= beganMs;
    return moves
      .slice(first + 1)
      .filter((move) => isSince(move) && /^commit\b/.test(move.action))
      .map(({ to }) => to)
      .reverse();
  },
});

/**
 * Paths that commits took, and what each of these made of them, the oldest first. Of what differed from HEAD at the prompt they took that
 * as well.
 */
export type Taken = ReadonlyMap<RepoPath, readonly CommitPart[]>;

/** What was taken in a turn, and then what was taken since. */
export function takenInAll(inTurn: Taken, since: Taken): Taken {
  const all = new Map(inTurn);
  for (const [path, parts] of since) {
    const known = all.get(path) ?? [];
    const more = parts.filter(({ commit }) => !known.some((part) => part.commit === commit));
    all.set(path, [...known, ...more]);
  }
  return all;
}

/** What commits since the prompt changed. */
function takenSince(
  { git }: Work,
  store: string,
  /** The newest first. */
  listCommits: (begin: TurnBegin) => readonly ObjectId[],
): Taken {
  const begin = readTurnBegin(store);
  const commits = begin?.head ? listCommits(begin) : [];
  const taken = new Map<RepoPath, CommitPart[]>();
  if (!begin || commits.length === 0) return taken;
  const changes = readChangesOfEach(
    git,
    commits.map((commit) => ({ commit })),
  );
  for (const commit of commits.toReversed())
    for (const [path, change] of changes.get(commit) ?? [])
      if (!isInfrastructurePath(path)) taken.set(path, [...(taken.get(path) ?? []), { commit, ...change }]);
  return taken;
}
