import type { CheckpointId, ObjectId, SessionId } from '../base/ids.ts';
import { isInfrastructurePath, isNamedBy, type RepoPath } from '../base/repo-path.ts';
import { readBlobs } from '../checkpoint/read/blobs.ts';
import { readCheckpoints, type StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks } from '../checkpoint/read/fit.ts';
import { splitPrompts } from '../checkpoint/read/texts.ts';
import { readChangesOfEach } from '../git/commit/commits.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { readVerdicts, type VerdictReason } from '../session/record/verdicts.ts';
import type { SessionState } from '../session/state.ts';
import { listStates } from '../session/state-store.ts';
import { sessionsDir } from '../session/tracking-file.ts';
import type { Branch } from './branch.ts';
import { type AskedSession, askedSessions, type PieceBudget, tellOwnPrompts } from './commit-prompts.ts';
import { type FoundPoint, isOf } from './point.ts';
import { growingBatches, readBranchLog } from './range.ts';
import { readTemporaryPoints } from './temporary.ts';

/** A session that did something, and what it was asked for; as metadata call its agent. */
export type LoggedSession = AskedSession;

/** A turn of an agent that no commit has yet, or that goes on. */
export interface LoggedTurn {
  readonly kind: 'turn';
  /** Its step, by which `entire rewind --to` goes back to it; `undefined` for a turn that has none yet. */
  readonly step: ObjectId | undefined;
  /** RFC 3339. */
  readonly at: string;
  readonly session: LoggedSession;
  readonly files: readonly RepoPath[];
  /** Those of them that the session has in hand still: no commit has them, and nobody took them back. */
  readonly uncommitted: readonly RepoPath[];
  /** The session has none of them in hand, and HEAD not what it left; else hooks did not see what became of those that are not uncommitted. */
  readonly isTakenBack: boolean;
}

/** A commit, and what the record has of it. */
export interface LoggedCommit {
  readonly kind: 'commit';
  readonly commit: LogRow;
  /** Those of all checkpoints that it names; empty where nothing led to it, or nothing is known. */
  readonly sessions: readonly LoggedSession[];
  /** Checkpoints that it names: several where others were squashed into it. */
  readonly checkpoints: readonly CheckpointId[];
  /** Those of them that this clone does not have. */
  readonly missing: readonly CheckpointId[];
  /** Why the checkpoint is not the commit's own, in words. */
  readonly misfit: string | undefined;
  /** What its hook found, where one saw it being made not long ago. */
  readonly verdict: VerdictReason | undefined;
}

export type LogEntry = LoggedTurn | LoggedCommit;

/** Which entries, and how many. */
export interface HistoryQuery {
  readonly limit: number;
  /** Revisions as `git log` takes them; without, the branch that is checked out, and what is not committed. */
  readonly range?: string | undefined;
  /** Only what changed one of these; from the top of the worktree. */
  readonly paths?: readonly RepoPath[] | undefined;
  /** The id of a session, or the beginning of one. */
  readonly session?: string | undefined;
  /** As metadata call it. */
  readonly agent?: string | undefined;
  readonly since?: Date | undefined;
  /** Turns that go on; they come first, as far as they are like what is asked for. */
  readonly running?: readonly LoggedTurn[];
  /** Of each session the files that a commit can still take, and those of them that have another name since; without, what is on record counts. */
  readonly waiting?: (
    states: readonly SessionState[],
  ) => Promise<
    ReadonlyMap<SessionId, { readonly paths: readonly RepoPath[]; readonly renamed: readonly RepoPath[] }>
  >;
}

/** What was found. */
export interface HistoryLog {
  /** Newest first; turns that no commit has on top. */
  readonly entries: readonly LogEntry[];
  /** There are older ones. */
  readonly hasMore: boolean;
}

/**
 * The history of a branch: turns that no commit has yet, and commits with the sessions that led to them. What is read depends on how
 * many are asked for, not on how long the history is; only where a session or an agent is looked for, commits are read on until there
 * are so many.
 *
 * @returns `undefined` where there is no such range
 * @throws {EntireError} `GIT_FAILED` where the history is damaged
 */
export async function readHistoryLog(branch: Branch, query: HistoryQuery): Promise<HistoryLog | undefined> {
  const turns = query.range === undefined ? await readTurns(branch, query) : [];
  const wanted = Math.max(0, query.limit - turns.length) + 1;
  const commits = await readCommits(branch, query, wanted);
  if (!commits) return undefined;
  const entries = [...turns, ...commits];
  return { entries: entries.slice(0, query.limit), hasMore: entries.length > query.limit };
}

/** Turns of this worktree, newest first: those that go on, and steps that no commit has. */
async function readTurns(branch: Branch, query: HistoryQuery): Promise<LoggedTurn[]> {
  const dir = sessionsDir(branch.repo.commonDir);
  const states = listStates(dir, { archived: false }).states.filter(
    (state) => state.worktreeId === branch.repo.worktreeId,
  );
  const points = readTemporaryPoints(branch, query.session, query.limit);
  const turns = [
    ...(query.running ?? []),
    ...(await toTurns(branch, points, new Map(states.map((one) => [one.sessionId, one])), query.waiting)),
  ];
  return turns.filter(
    ({ session, files, at }) =>
      isOf(session.sessionId, query.session) &&
      (query.agent === undefined || session.agent === query.agent) &&
      (query.since === undefined || Date.parse(at) >= query.since.getTime()) &&
      (query.paths === undefined || files.some((file) => isNamedBy(query.paths ?? [], file))),
  );
}

async function toTurns(
  branch: Branch,
  points: readonly FoundPoint[],
  states: ReadonlyMap<string, SessionState>,
  findWaiting: HistoryQuery['waiting'],
): Promise<LoggedTurn[]> {
  if (points.length === 0) return [];
  const shown = new Set<string>(points.map(({ sessionId }) => sessionId));
  const waiting = await findWaiting?.([...states.values()].filter(({ sessionId }) => shown.has(sessionId)));
  const changed = readChanged(branch, points, states);
  const prompts = readBlobs(
    branch.git,
    points.map(({ commit, metadataDir }) => `${commit.oid}:${metadataDir}/prompt.txt`),
  ).found;
  const heldOf = (point: FoundPoint): RepoPath[] => {
    const state = states.get(point.sessionId);
    const inHand = state && new Set(state.filesTouched);
    return (changed.get(point) ?? []).filter((path) => inHand?.has(path) ?? true);
  };
  const committed = findCommitted(
    branch,
    points.filter((point) => heldOf(point).length === 0),
  );
  return points.map((point): LoggedTurn => {
    const { commit, sessionId, metadataDir } = point;
    const state = states.get(sessionId);
    const files = changed.get(point) ?? [];
    const text = prompts.get(`${commit.oid}:${metadataDir}/prompt.txt`)?.data.toString('utf8') ?? '';
    const prompt = splitPrompts(text).at(-1) ?? commit.subject;
    const held = heldOf(point);
    const own = state && waiting?.get(state.sessionId);
    const open = waiting && state && new Set(own?.paths);
    // Where one waits under another name, it is not known which.
    const isMoved = own && own.renamed.length > 0;
    return {
      ...{ kind: 'turn', step: commit.oid, at: commit.committedAt, files },
      session: { sessionId, agent: state?.agentType ?? '', prompt, more: 0 },
      uncommitted: open && !isMoved ? held.filter((path) => open.has(path)) : held,
      isTakenBack: held.length === 0 && !committed.has(point),
    };
  });
}

/** Those of some steps of which HEAD has all that they changed, as they left it: a commit that no hook was told of may have it. */
function findCommitted({ git, head }: Branch, points: readonly FoundPoint[]): Set<FoundPoint> {
  if (!head || points.length === 0) return new Set();
  const since = (parentOf: (point: FoundPoint) => ObjectId) =>
    readChangesOfEach(
      git,
      points.map((point) => ({ commit: point.commit.oid, parent: parentOf(point) })),
    );
  const changes = since(({ commit }) => commit.parents[0] ?? head);
  const missing = since(() => head);
  return new Set(
    points.filter(({ commit: { oid, parents } }) => {
      const own = [...(changes.get(oid)?.keys() ?? [])].filter((path) => !isInfrastructurePath(path));
      // The first one is compared with HEAD as it is.
      return (own.length > 0 || parents.length === 0) && !own.some((path) => missing.get(oid)?.has(path));
    }),
  );
}

/** What each step changed. The first one of a session also has what was different before it: only what else is known to be its own counts. */
function readChanged(
  { git, head }: Branch,
  points: readonly FoundPoint[],
  states: ReadonlyMap<string, SessionState>,
): Map<FoundPoint, RepoPath[]> {
  const pairs = points.flatMap(({ commit: { oid, parents } }) => {
    const parent = parents[0] ?? head;
    return parent ? [{ commit: oid, parent }] : [];
  });
  const changes = readChangesOfEach(git, pairs);
  const known = new Map<string, Set<RepoPath>>();
  const firsts = new Map(points.map((point) => [point.sessionId, point])); // the oldest comes last
  return new Map(
    points.map((point) => {
      const own = known.get(point.sessionId) ?? new Set(states.get(point.sessionId)?.filesTouched);
      known.set(point.sessionId, own);
      const all = [...(changes.get(point.commit.oid)?.keys() ?? [])].filter(
        (path) => !isInfrastructurePath(path),
      );
      if (firsts.get(point.sessionId) === point && states.has(point.sessionId))
        return [point, all.filter((path) => own.has(path))];
      for (const path of all) own.add(path);
      return [point, all];
    }),
  );
}

/** Of transcripts, so that a screen takes no longer where sessions are. */
const MAX_PIECES = 32;
/** Where some are looked for, so many commits are read at first. */
const FIRST_BATCH = 100;

async function readCommits(
  branch: Branch,
  query: HistoryQuery,
  wanted: number,
): Promise<LoggedCommit[] | undefined> {
  const found: LoggedCommit[] = [];
  const budget: PieceBudget = { pieces: MAX_PIECES };
  const { session, agent, since, paths } = query;
  const isSearch = session !== undefined || agent !== undefined;
  const verdicts = new Map(readVerdicts(branch.repo.commonDir).map((one) => [one.commit, one.reason]));
  const containing = isSearch ? { containing: `${CHECKPOINT_TRAILER}:` } : {};
  const pathspecs = paths ? { paths: paths.map((path) => `:(top,literal)${path}`) } : {};
  const batches = growingBatches(Math.max(wanted, isSearch ? FIRST_BATCH : 0), (part) => {
    const asked = { ...part, since, ...containing, ...pathspecs };
    return query.range === undefined
      ? readBranchLog(branch, asked)
      : readLog(branch.git, { ...asked, range: [query.range] });
  });
  for (const rows of batches) {
    if (!rows) return undefined;
    const logged = await toCommits(branch, rows, verdicts, budget);
    found.push(
      ...logged.filter(
        ({ sessions }) =>
          !isSearch ||
          sessions.some(
            (one) => isOf(one.sessionId, session) && (agent === undefined || one.agent === agent),
          ),
      ),
    );
    if (found.length >= wanted) break;
  }
  return found.slice(0, wanted);
}

async function toCommits(
  branch: Branch,
  rows: readonly LogRow[],
  verdicts: ReadonlyMap<string, VerdictReason>,
  budget: PieceBudget,
): Promise<LoggedCommit[]> {
  const ids = [...new Set(rows.flatMap(({ links }) => linkedIds(links)))];
  const stored = ids.length > 0 ? await readCheckpoints(branch.store, ids, ['prompt.txt']) : new Map();
  const misfits = findMisfits(branch.git, branch.repo.commonDir, rows, stored);
  const ledTo = new Map(rows.map((commit) => [commit, followLinks(commit, stored, misfits)]));
  const ownOf = (commit: LogRow): readonly StoredCheckpoint[] => {
    const led = ledTo.get(commit);
    return led?.misfit === undefined ? (led?.checkpoints ?? []) : [];
  };
  const slots = new Set(rows.flatMap((commit) => ownOf(commit).flatMap((one) => one.slots)));
  const prompts = await tellOwnPrompts(
    branch.store,
    [...slots].map((slot) => [slot, splitPrompts(slot.texts.get('prompt.txt') ?? '')]),
    budget,
  );
  return rows.map((commit): LoggedCommit => {
    const misfit = ledTo.get(commit)?.misfit;
    const ids = linkedIds(commit.links);
    return {
      kind: 'commit',
      commit,
      sessions: askedSessions(
        ownOf(commit).flatMap((one) => one.slots),
        prompts,
      ),
      checkpoints: ids,
      missing: ids.filter((id) => !stored.has(id)),
      misfit,
      verdict: verdicts.get(commit.oid),
    };
  });
}
