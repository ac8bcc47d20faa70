import { EntireError } from '../base/errors.ts';
import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits } from '../checkpoint/read/fit.ts';
import { standsFor } from '../checkpoint/read/listed.ts';
import { type CheckpointStore, openCheckpoints } from '../checkpoint/read/store.ts';
import { readPrompts } from '../checkpoint/read/texts.ts';
import { type BlamedLine, type BlameQuestion, blameAsTold, readLine, runsOf } from '../git/commit/blame.ts';
import type { PorcelainLine } from '../git/commit/blame-porcelain.ts';
import type { Repo } from '../git/locate.ts';
import { readRef } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { isUnsure, readVerdicts, type Verdict } from '../session/record/verdicts.ts';
import { listTombstones, stonesOf } from '../session/tombstones.ts';
import { workIn } from '../strategy/work.ts';
import { type BlamedCommit, readCommits } from './blamed-commits.ts';
import {
  joinRuns,
  judgeLines,
  judgeUnlinked,
  judgeWatched,
  type LineClass,
  type LineOrigin,
  type Suspect,
} from './classify.ts';
import { isWritten } from './evidence.ts';
import { openForgottenWork } from './forgotten-work.ts';
import { openFormerNames } from './former-names.ts';
import { type KeptOf, openKeptLines } from './kept-lines.ts';
import { openAllSeen, openLive } from './live-edits.ts';
import { type FormerNames, readStoredEdits, type Wanted } from './stored-edits.ts';
import { findStrangers } from './strangers.ts';
import { openUnseenWork } from './unseen-work.ts';

/** A session that wrote some of the lines. */
export interface BlamedSession {
  readonly sessionId: string;
  readonly agent: string;
  /** `undefined`: not committed yet. */
  readonly checkpoint: CheckpointId | undefined;
  /** The last prompt of the checkpoint; of a live session the first. Another one may have led to a line. */
  readonly prompt: string | undefined;
}

export interface OriginLine extends LineOrigin<BlamedSession> {
  readonly line: number;
  readonly text: string;
  /** `undefined`: not committed yet. */
  readonly commit: ObjectId | undefined;
  /** Who committed it, by name; empty where nobody has. */
  readonly author: string;
  /** As git tells of it. */
  readonly told: PorcelainLine;
}

export interface BlameReport {
  readonly path: string;
  readonly lines: readonly OriginLine[];
  readonly counts: Readonly<Record<LineClass, number>>;
}

/** What is asked of a file. */
export interface OriginQuestion extends Omit<BlameQuestion, 'revision' | 'notBefore'> {
  readonly revision: string | undefined;
  /** Hooks are on here: what no commit has yet and no session wrote is a person's. */
  readonly isOn: boolean;
}

/**
 * Says of each line which session wrote it, or that a person did, or that it is unknown. Looks at the commits the file's
 * lines come from and, for lines that would be a person's, at checkpoints that no other commit names; what they share is read once.
 *
 * @throws {EntireError} `NOT_FOUND` when there is no such file, line or revision
 */
export async function readBlame(
  repo: Repo,
  { range, revision, isOn, ...question }: OriginQuestion,
): Promise<BlameReport> {
  const { path } = question;
  const work = workIn(repo);
  const whole = { ...question, range: undefined, revision: requireRevision(work.git, revision) };
  const wanted = range === undefined ? undefined : blameAsTold(work.git, { ...whole, range });
  const all = blameAsTold(work.git, whole); // what stands beside a line tells whose it is
  const lines = all.map(readLine);
  const commits = readCommits(work.git, [...new Set(lines.flatMap(({ commit }) => commit ?? []))]);
  const keptOf = openKeptLines(work);
  const context = await openContext(repo, work.git, lines, commits, keptOf);
  const live = openLive(work, keptOf);
  const isAllSeen = openAllSeen(work);
  const placeOf = ({ commit, path: named }: BlamedLine) => `${commit ?? ''}:${named}`;
  const judgeWaiting = (named: string, { run, all }: Texts, isElsewhere: IsOther) => {
    const suspects: Suspect<BlamedSession>[] = live(named);
    const isAllTold = isOn && isAllSeen(suspects) && !context.isForgottenWork(undefined, named);
    return judgeLines(run, suspects, { all, isElsewhere, isAllTold });
  };
  const byPlace = new Map<string, string[]>(lines.map((line) => [placeOf(line), []]));
  for (const line of lines) byPlace.get(placeOf(line))?.push(line.text);
  const judgeRun = (run: readonly BlamedLine[], isElsewhere: IsElsewhere) => {
    const first = run[0] as BlamedLine;
    const { commit, path: named } = first;
    const texts = { run: run.map(({ text }) => text), all: byPlace.get(placeOf(first)) ?? [] };
    const isOther = isElsewhere(commit, named);
    const origins: LineOrigin<BlamedSession>[] =
      commit === undefined
        ? judgeWaiting(named, texts, isOther)
        : judgeCommitted(context, commit, commits.get(commit)?.checkpoint, named, texts, isOther);
    const madeMs = commit ? Date.parse(commits.get(commit)?.committedAt ?? '') || 0 : Infinity;
    return { place: placeOf(first), madeMs, texts: texts.run, origins };
  };
  const runs = runsOf(lines);
  const judge = (isElsewhere: IsElsewhere) => joinRuns(runs.map((run) => judgeRun(run, isElsewhere)));
  const first = judge(() => () => false);
  // A line is a person's only where it is no session's for another commit.
  const doubtful = lines.filter((_, at) => first[at]?.kind === 'human');
  const judged =
    doubtful.length === 0
      ? first
      : judge(await openElsewhere(work.git, context, doubtful, commits, revision ?? 'HEAD'));
  const result = (wanted ?? all).map((told): OriginLine => {
    const { line, text, commit } = readLine(told);
    const author = (commit && commits.get(commit)?.author) ?? '';
    const origin = judged[line - 1] ?? judgeUnlinked('unseen'); // the file grew meanwhile
    return { line, text, commit, author, told, ...origin };
  });
  const count = (kind: LineClass) => result.filter((line) => line.kind === kind).length;
  const counts = { agent: count('agent'), human: count('human'), unknown: count('unknown') };
  return { path, lines: result, counts };
}

function requireRevision(git: Git, revision: string | undefined): ObjectId | undefined {
  if (revision === undefined) return undefined;
  const notFound = (cause?: unknown) =>
    new EntireError('NOT_FOUND', `commit not found: ${revision}`, { cause });
  if (revision.startsWith('-') || revision === '') throw notFound();
  let oid: ObjectId | undefined;
  try {
    oid = readRef(git, revision);
  } catch (error) {
    throw notFound(error); // such as `@{u}` of a branch that has none
  }
  if (!oid) throw notFound();
  return oid;
}

/** Lines one below the other, and all that their commit brought into the file. */
interface Texts {
  readonly run: readonly string[];
  readonly all: readonly string[];
}

type IsOther = (line: string) => boolean;

/** Tells of the lines of a file in a commit which are a session's work for another commit. */
type IsElsewhere = (commit: ObjectId | undefined, path: string) => IsOther;

/** How a commit came to be is known where its hook saw it being made; what a rebase or an amend made may hold others. */
const SEEN: ReadonlySet<string | undefined> = new Set(['linked', 'no-session', 'no-overlap']);

async function openElsewhere(
  git: Git,
  { store, verdict, formerNames }: Context,
  lines: readonly BlamedLine[],
  commits: ReadonlyMap<ObjectId, BlamedCommit>,
  revision: string,
): Promise<IsElsewhere> {
  const paths = new Map<ObjectId | undefined, Set<string>>();
  for (const { commit, path } of lines)
    paths.set(commit, new Set([...(paths.get(commit) ?? []), ...[path, ...formerNames(commit, path)]]));
  const places = [...paths].map(([commit, named]) => {
    const known = commit && commits.get(commit);
    const { committedAt, checkpoint } = known ?? { committedAt: undefined, checkpoint: undefined };
    return { commit, committedAt, checkpoint, paths: [...named] };
  });
  const strangers = await findStrangers(git, store, revision, places);
  return (commit, path) => {
    const known = [path, ...formerNames(commit, path)].flatMap((name) => strangers(commit, name));
    const isSeen = commit === undefined || SEEN.has(verdict(commit)?.reason);
    // What it wrote is not all on record, so that any of the lines may be among it.
    if (!isSeen && known.some(({ evidence }) => !evidence.isComplete)) return () => true;
    return (line) => known.some(({ evidence }) => isWritten(line, evidence));
  };
}

/** What all commits of a file share. */
interface Context {
  readonly store: CheckpointStore;
  readonly checkpoints: ReadonlyMap<CheckpointId, StoredCheckpoint>;
  /** Commits that name the checkpoint of another one. */
  readonly misfits: ReadonlyMap<ObjectId, string>;
  /** Sessions of a checkpoint that touched a file, and what they wrote into it. */
  suspects(checkpoint: StoredCheckpoint, path: string): Suspect<BlamedSession>[];
  /** What a file may have been called before a commit that brings it. */
  formerNames(commit: ObjectId | undefined, path: string): readonly string[];
  /** The verdict of a commit, where there is one. */
  verdict(commit: ObjectId): Verdict | undefined;
  /** An agent was at work before the commit, and no hook told of it. */
  isUnseenWork(commit: ObjectId): boolean;
  /** Something of the checkpoint was forgotten, and with it whose its lines are. */
  isForgotten(checkpoint: CheckpointId): boolean;
  /** Lines of the file in the commit, or that wait, may be work that was forgotten. */
  isForgottenWork(commit: ObjectId | undefined, path: string): boolean;
}

async function openContext(
  repo: Repo,
  git: Git,
  lines: readonly BlamedLine[],
  commits: ReadonlyMap<ObjectId, BlamedCommit>,
  keptOf: KeptOf,
): Promise<Context> {
  const store = openCheckpoints(git, repo.commonDir);
  const ids = [...new Set([...commits.values()].flatMap(({ checkpoint }) => checkpoint ?? []))];
  const checkpoints = await readCheckpoints(store, ids);
  // Transcripts are large: only those of sessions that touched the file are read.
  const wanted = new Map<StoredSlot, Set<string>>();
  for (const { commit, path } of lines) {
    const id = commit && commits.get(commit)?.checkpoint;
    const slots = (id && checkpoints.get(id)?.slots) || [];
    for (const slot of slots.filter((one) => touches(one, path)))
      wanted.set(slot, (wanted.get(slot) ?? new Set()).add(path));
  }
  const formerNames = openFormerNames(git, commits);
  const findSuspects = suspectsIn(store, wanted, keptOf, ({ checkpoint }, path) => [
    ...new Set(
      [...commits].flatMap(([oid, own]) => (own.checkpoint === checkpoint ? formerNames(oid, path) : [])),
    ),
  ]);
  const verdicts = readVerdicts(repo.commonDir, Number.POSITIVE_INFINITY);
  const byCommit = new Map(verdicts.map((verdict) => [verdict.commit, verdict]));
  const stones = listTombstones(repo.commonDir);
  const rows = [...commits].map(([oid, commit]) => ({ oid, ...commit }));
  const misfits = findMisfits(git, repo.commonDir, rows, checkpoints);
  const verdictOf = (commit: ObjectId) => byCommit.get(commit);
  const isForgottenWork = openForgottenWork(stones, commits, verdictOf);
  return {
    ...{ store, checkpoints, misfits, formerNames },
    suspects: findSuspects,
    verdict: verdictOf,
    isUnseenWork: openUnseenWork(workIn(repo), commits, verdicts, process.env),
    isForgotten: (checkpoint) => stonesOf(stones, checkpoint).length > 0,
    isForgottenWork: (commit, path) => isForgottenWork(commit, [path, ...formerNames(commit, path)]),
  };
}

/** Where a session's files are not stored (the slot of a task, one that cannot be read) it may have touched each. */
const touches = ({ metadata: { filesTouched } }: StoredSlot, path: string): boolean =>
  filesTouched.length === 0 || filesTouched.includes(path);

function suspectsIn(
  store: CheckpointStore,
  wanted: Wanted,
  keptOf: KeptOf,
  namesOf: FormerNames,
): Context['suspects'] {
  const slots = [...wanted.keys()];
  const prompts = readPrompts(store, slots);
  const evidence = readStoredEdits(store, wanted, namesOf, { prompts, keptOf });
  const sessions = new Map(slots.map((slot) => [slot, toSession(slot, prompts.get(slot)?.at(-1))]));
  return (checkpoint, path) =>
    checkpoint.slots.flatMap((slot) => {
      const [session, known] = [sessions.get(slot), evidence.get(slot)?.get(path)];
      return session && known
        ? [{ session, evidence: known, writerOf: known.writerOf, hasBrought: known.hasBrought }]
        : [];
    });
}

const toSession = (
  { checkpoint, metadata: { sessionId, agent } }: StoredSlot,
  prompt: string | undefined,
): BlamedSession => ({ sessionId, agent, checkpoint, prompt });

function judgeCommitted(
  context: Context,
  commit: ObjectId,
  id: CheckpointId | undefined,
  path: string,
  texts: Texts,
  isElsewhere: IsOther,
): LineOrigin<BlamedSession>[] {
  const verdict = context.verdict(commit);
  const isOpen = verdict !== undefined && isUnsure(verdict, path);
  const isForgottenWork = context.isForgottenWork(commit, path);
  if (id === undefined) {
    const isWatched = verdict?.reason === 'no-session' || verdict?.reason === 'no-overlap';
    if (isOpen || (isWatched && (context.isUnseenWork(commit) || isForgottenWork)))
      return texts.run.map(() => judgeUnlinked('unseen'));
    return isWatched ? judgeWatched(texts.run, isElsewhere) : texts.run.map(() => judgeUnlinked('no-record'));
  }
  const checkpoint = context.checkpoints.get(id);
  if (context.misfits.has(commit)) return texts.run.map(() => judgeUnlinked('foreign-checkpoint'));
  if (!checkpoint) return texts.run.map(() => judgeUnlinked('checkpoint-missing'));
  const suspects = context.suspects(checkpoint, path);
  // Somebody touched it whose session is not there any more, or nothing of the checkpoint can be read; or its name is not stored.
  const isLost =
    checkpoint.slots.length === 0 || checkpoint.filesTouched.some((name) => standsFor(name, path));
  if (suspects.length === 0 && (isLost || isOpen)) return texts.run.map(() => judgeUnlinked('unseen'));
  const isAllTold = !context.isForgotten(id) && !isForgottenWork;
  return judgeLines(texts.run, suspects, { all: texts.all, isElsewhere, isAllTold });
}
