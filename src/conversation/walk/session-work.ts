import { type CheckpointId, type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { findMisfits, type Misfit } from '../../checkpoint/read/fit.ts';
import { openCheckpoints } from '../../checkpoint/read/store.ts';
import { linkedIds } from '../../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../../git/commit/trailers.ts';
import type { Repo } from '../../git/locate.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { BRANCHES_OF_PEOPLE } from '../../git/ref/people.ts';
import { type Git, gitFor } from '../../git/run.ts';
import { type CountQuery, LineCounter } from './line-counter.ts';

/** What a repository's record has of a session. */
export interface SessionWork {
  /** Newest first. */
  readonly checkpoints: readonly CheckpointId[];
  /** Commits of any branch that name one of these, which fits them, newest first. */
  readonly commits: readonly ObjectId[];
  /** Those that it does not fit: they are no work of the session. */
  readonly misfits: readonly Misfit[];
  /** Files that it touched, as its checkpoints say; from the top of the worktree, sorted. */
  readonly files: readonly string[];
  /**
   * Lines of HEAD that these commits brought, in files that the session touched, whatever these are called now; `undefined` where
   * they were not counted: with `maxFiles` enough files were looked at, or history is cut off at one of the commits.
   */
  readonly survivingLines: number | undefined;
}

export interface WorkQuery extends CountQuery {
  /** The agents' own ids of sessions. */
  readonly sessions: readonly string[];
}

const SESSION_TRAILER = 'Entire-Session';

/**
 * Joins sessions with the record of a repository: session → checkpoints → commits → lines that survive in HEAD. Five processes, one
 * that reads checkpoints, one for each file that is blamed, no further back than to the first of the commits, and two at most for
 * a session whose files have other names now. Sessions without a checkpoint are not in the answer.
 */
export async function readWork(repo: Repo, query: WorkQuery): Promise<Map<string, SessionWork>> {
  const git = gitFor(repo);
  const store = openCheckpoints(git, repo.commonDir);
  if (store.tips.length === 0 || query.sessions.length === 0) return new Map();
  const bySession = findCheckpoints(git, store.tips, new Set(query.sessions));
  if (bySession.size === 0) return new Map();
  const stored = await readCheckpoints(store, [...new Set([...bySession.values()].flat())]);
  const { commits, misfits } = findFitting(git, repo, stored);
  const all = [...bySession.values()].flat().flatMap((id) => commits.get(id) ?? []);
  const counter = new LineCounter(repo, [...new Set(all.map(({ oid }) => oid))], query);
  const work = [...bySession].map(([session, checkpoints]): [string, SessionWork] => {
    const slots = checkpoints.flatMap((id) => stored.get(id)?.slots ?? []);
    const own = slots.filter(({ metadata }) => metadata.sessionId === session);
    const files = [...new Set(own.flatMap(({ metadata }) => metadata.filesTouched))].sort();
    const rows = checkpoints.flatMap((id) => commits.get(id) ?? []);
    const linked = [...new Set(rows.map(({ oid }) => oid))];
    const odd = checkpoints.flatMap((id) => misfits.get(id) ?? []);
    const survivingLines = counter.count(files, linked);
    return [session, { checkpoints, commits: linked, misfits: odd, files, survivingLines }];
  });
  return new Map(work);
}

/** Commits of any branch that name a checkpoint of one of these sessions, with the day in UTC on which they were made. Five processes. */
export async function readCommitDays(
  repo: Repo,
  sessions: readonly string[],
): Promise<Array<{ readonly commit: ObjectId; readonly day: string; readonly session: string }>> {
  const git = gitFor(repo);
  const store = openCheckpoints(git, repo.commonDir);
  if (store.tips.length === 0 || sessions.length === 0) return [];
  const bySession = findCheckpoints(git, store.tips, new Set(sessions));
  if (bySession.size === 0) return [];
  const stored = await readCheckpoints(store, [...new Set([...bySession.values()].flat())]);
  const { commits } = findFitting(git, repo, stored);
  return [...bySession].flatMap(([session, checkpoints]) =>
    checkpoints.flatMap((id) =>
      (commits.get(id) ?? []).map(({ oid, committedAt }) => ({
        commit: oid,
        day: dayOf(committedAt),
        session,
      })),
    ),
  );
}

/** In UTC; the first there is for a date that is none. */
const dayOf = (time: string): string => new Date(Date.parse(time) || 0).toISOString().slice(0, 10);

/** Checkpoints by session, from the commits of the metadata branch. */
function findCheckpoints(
  git: Git,
  tips: readonly ObjectId[],
  wanted: ReadonlySet<string>,
): Map<string, CheckpointId[]> {
  const query = { range: tips, containing: `${SESSION_TRAILER}: `, trailers: [SESSION_TRAILER] };
  const found = new Map<string, Set<CheckpointId>>();
  for (const { subject, trailers } of readLog(git, query) ?? []) {
    const id = parseCheckpointId(/\bCheckpoint: ([0-9a-f]{12})$/.exec(subject)?.[1]);
    if (id === undefined) continue;
    for (const session of trailers[SESSION_TRAILER]?.map((text) => text.trim()) ?? [])
      if (wanted.has(session)) found.set(session, (found.get(session) ?? new Set()).add(id));
  }
  return new Map([...found].map(([session, ids]) => [session, [...ids]]));
}

/** Commits by the checkpoint they name, and those that a checkpoint does not fit: anybody can copy an id. */
function findFitting(
  git: Git,
  { commonDir }: Repo,
  stored: ReadonlyMap<CheckpointId, StoredCheckpoint>,
): { commits: Map<CheckpointId, LogRow[]>; misfits: Map<CheckpointId, Misfit[]> } {
  const commits = findCommits(git);
  const rows = new Set([...stored.keys()].flatMap((checkpoint) => commits.get(checkpoint) ?? []));
  const misfits = new Map<CheckpointId, Misfit[]>();
  for (const misfit of findMisfits(git, commonDir, [...rows], stored).all) {
    const { commit, checkpoint: id } = misfit;
    misfits.set(id, [...(misfits.get(id) ?? []), misfit]);
    commits.set(id, commits.get(id)?.filter(({ oid }) => oid !== commit) ?? []);
  }
  return { commits, misfits };
}

/** Commits by the checkpoint they name; one that others were squashed into names theirs. */
function findCommits(git: Git): Map<CheckpointId, LogRow[]> {
  const containing = `${CHECKPOINT_TRAILER}:`;
  const from = (range: readonly string[]) => readLog(git, { range, containing });
  // Before the first commit there is no HEAD.
  const rows = from([...BRANCHES_OF_PEOPLE, 'HEAD']) ?? from(BRANCHES_OF_PEOPLE) ?? [];
  const found = new Map<CheckpointId, LogRow[]>();
  for (const row of rows)
    for (const id of linkedIds(row.links)) found.set(id, [...(found.get(id) ?? []), row]);
  return found;
}
