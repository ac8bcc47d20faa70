import { type CheckpointId, type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { readCheckpoints } from '../../checkpoint/read/checkpoint.ts';
import { openCheckpoints } from '../../checkpoint/read/store.ts';
import { blame } from '../../git/blame.ts';
import type { Repo } from '../../git/locate.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { readHead } from '../../git/refs.ts';
import { type Git, gitFor } from '../../git/run.ts';
import { CHECKPOINT_TRAILER } from '../../git/trailers.ts';

/** What a repository's record has of a session. */
export interface SessionWork {
  /** Newest first. */
  readonly checkpoints: readonly CheckpointId[];
  /** Commits of any branch that name one of these, newest first. */
  readonly commits: readonly ObjectId[];
  /** Files that it touched, as its checkpoints say; from the top of the worktree, sorted. */
  readonly files: readonly string[];
  /**
   * Lines of HEAD that these commits brought, in files that the session touched; `undefined` where they were not counted: with
   * `maxFiles` enough files were looked at.
   */
  readonly survivingLines: number | undefined;
}

export interface WorkQuery {
  /** The agents' own ids of sessions. */
  readonly sessions: readonly string[];
  /** So many files are blamed at most. */
  readonly maxFiles: number;
  /** Hears how far it is. */
  readonly onProgress?: (what: string, done?: number, total?: number) => void;
}

const SESSION_TRAILER = 'Entire-Session';
/** More commits than anybody has. */
const ALL = 10_000_000;

/**
 * Joins sessions with the record of a repository: session → checkpoints → commits → lines that survive in HEAD. Two processes, one
 * that reads checkpoints, and one for each file that is blamed. Sessions without a checkpoint are not in the answer.
 */
export async function readWork(repo: Repo, query: WorkQuery): Promise<Map<string, SessionWork>> {
  const git = gitFor(repo);
  const store = openCheckpoints(git);
  if (store.tips.length === 0 || query.sessions.length === 0) return new Map();
  const bySession = findCheckpoints(git, store.tips, new Set(query.sessions));
  if (bySession.size === 0) return new Map();
  const commits = findCommits(git);
  const stored = await readCheckpoints(store, [...new Set([...bySession.values()].flat())]);
  const counter = new LineCounter(git, readHead(git, repo), query);
  const work = [...bySession].map(([session, checkpoints]): [string, SessionWork] => {
    const slots = checkpoints.flatMap((id) => stored.get(id)?.slots ?? []);
    const own = slots.filter(({ metadata }) => metadata.sessionId === session);
    const files = [...new Set(own.flatMap(({ metadata }) => metadata.filesTouched))].sort();
    const linked = checkpoints.flatMap((id) => commits.get(id) ?? []).map(({ oid }) => oid);
    return [session, { checkpoints, commits: linked, files, survivingLines: counter.count(files, linked) }];
  });
  return new Map(work);
}

/** Commits of any branch that name a checkpoint of one of these sessions, with the day in UTC on which they were made. Three processes. */
export function readCommitDays(
  repo: Repo,
  sessions: readonly string[],
): Array<{ readonly commit: ObjectId; readonly day: string; readonly session: string }> {
  const git = gitFor(repo);
  const store = openCheckpoints(git);
  if (store.tips.length === 0 || sessions.length === 0) return [];
  const bySession = findCheckpoints(git, store.tips, new Set(sessions));
  const commits = bySession.size === 0 ? new Map<CheckpointId, LogRow[]>() : findCommits(git);
  return [...bySession].flatMap(([session, checkpoints]) =>
    checkpoints.flatMap((id) =>
      (commits.get(id) ?? []).map(({ oid, committedAt }) => ({
        commit: oid,
        day: new Date(committedAt).toISOString().slice(0, 10),
        session,
      })),
    ),
  );
}

/** Checkpoints by session, from the commits of the metadata branch. */
function findCheckpoints(
  git: Git,
  tips: readonly ObjectId[],
  wanted: ReadonlySet<string>,
): Map<string, CheckpointId[]> {
  const query = { range: tips, limit: ALL, containing: `${SESSION_TRAILER}: `, trailers: [SESSION_TRAILER] };
  const found = new Map<string, Set<CheckpointId>>();
  for (const { subject, trailers } of readLog(git, query) ?? []) {
    const id = parseCheckpointId(/\bCheckpoint: ([0-9a-f]{12})$/.exec(subject)?.[1]);
    if (id === undefined) continue;
    for (const session of trailers[SESSION_TRAILER]?.map((text) => text.trim()) ?? [])
      if (wanted.has(session)) found.set(session, (found.get(session) ?? new Set()).add(id));
  }
  return new Map([...found].map(([session, ids]) => [session, [...ids]]));
}

/** Commits by the checkpoint they name. */
function findCommits(git: Git): Map<CheckpointId, LogRow[]> {
  const containing = `${CHECKPOINT_TRAILER}:`;
  const from = (range: readonly string[]) => readLog(git, { range, limit: ALL, containing });
  // Before the first commit there is no HEAD.
  const rows = from([...BRANCHES, 'HEAD']) ?? from(BRANCHES) ?? [];
  const found = new Map<CheckpointId, LogRow[]>();
  for (const row of rows)
    if (row.checkpoint !== undefined) found.set(row.checkpoint, [...(found.get(row.checkpoint) ?? []), row]);
  return found;
}

/** Those that only we write are none of the user's. */
const BRANCHES = ['--exclude=entire/*', '--branches'];

/** Blames each file once, whoever asks. */
class LineCounter {
  private readonly git: Git;
  private readonly head: ObjectId | undefined;
  private readonly query: WorkQuery;
  /** Lines of a file by the commit that brought them. */
  private readonly blamed = new Map<string, ReadonlyMap<ObjectId, number>>();

  constructor(git: Git, head: ObjectId | undefined, query: WorkQuery) {
    this.git = git;
    this.head = head;
    this.query = query;
  }

  count(files: readonly string[], commits: readonly ObjectId[]): number | undefined {
    let sum = 0;
    if (commits.length === 0) return sum;
    for (const file of files) {
      const lines = this.linesOf(file);
      if (!lines) return undefined;
      for (const commit of commits) sum += lines.get(commit) ?? 0;
    }
    return sum;
  }

  private linesOf(file: string): ReadonlyMap<ObjectId, number> | undefined {
    const known = this.blamed.get(file);
    if (known) return known;
    if (this.blamed.size >= this.query.maxFiles) return undefined;
    this.query.onProgress?.('Counting lines that survive', this.blamed.size);
    const lines = new Map<ObjectId, number>();
    try {
      if (this.head)
        for (const { commit } of blame(this.git, { path: file, revision: this.head, range: undefined }))
          if (commit) lines.set(commit, (lines.get(commit) ?? 0) + 1);
    } catch {
      // It is not in HEAD any more, or has no lines.
    }
    this.blamed.set(file, lines);
    return lines;
  }
}
