import { isChangedAfter } from '../../base/change-time.ts';
import { type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import { listCommitsAfter, listCommitsOf, readChangesOfEach } from '../../git/commits.ts';
import type { TreeEntry } from '../../git/objects.ts';
import type { SessionState } from '../../session/state.ts';
import { readVerdicts } from '../../session/verdicts.ts';
import { readTurnBegin, type TurnBegin } from '../../snapshot/turn-begin.ts';
import type { Work } from '../work.ts';

/**
 * What commits of the turn took, made by its own agent or by somebody else: `git status` says nothing of it any more. They are known by
 * the checkpoints that they name, which they keep where they are rewritten, or merged, in the turn. Two processes where there are any.
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
    return listCommitsOf(work.git, [...new Set(ids)], { since: begin.head }).map(([, oid]) => oid);
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

/** Paths that commits took, each with what the oldest of them found there: `undefined` where there was no file. */
export type Taken = ReadonlyMap<RepoPath, TreeEntry | undefined>;

/** What commits since the prompt changed; of what differed from HEAD by then the start of the turn tells whether it changed. */
function takenSince(
  { git }: Work,
  store: string,
  listCommits: (begin: TurnBegin) => readonly ObjectId[],
): Taken {
  const begin = readTurnBegin(store);
  const commits = begin?.head ? listCommits(begin) : [];
  const taken = new Map<RepoPath, TreeEntry | undefined>();
  if (!begin || commits.length === 0) return taken;
  const changes = readChangesOfEach(
    git,
    commits.map((commit) => ({ commit })),
  );
  for (const commit of commits)
    for (const [path, { before }] of changes.get(commit) ?? [])
      if (!isInfrastructurePath(path) && !begin.files.has(path)) taken.set(path, before);
  return taken;
}
