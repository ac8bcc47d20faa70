import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { isUnrecordable } from '../base/repo-path.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks, type Misfits } from '../checkpoint/read/fit.ts';
import { standsFor } from '../checkpoint/read/listed.ts';
import { readPiecesAhead } from '../checkpoint/read/parts.ts';
import { type CheckpointStore, openCheckpoints } from '../checkpoint/read/store.ts';
import { PROMPTS, readPrompts } from '../checkpoint/read/texts.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import { type Links, linkedIds } from '../git/commit/links.ts';
import type { Repo } from '../git/locate.ts';
import { readTree } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import { isUnsure, readVerdicts, type Verdict } from '../session/record/verdicts.ts';
import { listTombstones, stonesOf } from '../session/tombstones.ts';
import { type Work, workIn } from '../strategy/work.ts';
import type { BlamedCommit } from './blamed-commits.ts';
import {
  type FindElsewhere,
  judgeByOthers,
  judgeLines,
  judgeWatched,
  type LineOrigin,
  type Suspect,
} from './classify.ts';
import { openForgottenWork } from './forgotten-work.ts';
import { openFormerNames } from './former-names.ts';
import type { KeptOf } from './kept-lines.ts';
import {
  type FindGone,
  type FormerNames,
  readStoredEdits,
  type TurnSources,
  touches,
  type Wanted,
} from './stored-edits.ts';
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

/** Lines one below the other, and all that their commit brought into the file. */
export interface Texts {
  readonly run: readonly string[];
  readonly all: readonly string[];
  /** The whole file in the commit, where that can be told. */
  readonly file?: (() => string) | undefined;
}

/** What all commits of a file share. */
export interface Context {
  readonly store: CheckpointStore;
  readonly checkpoints: ReadonlyMap<CheckpointId, StoredCheckpoint>;
  /** What commits name and is that of another one. */
  readonly misfits: Misfits;
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

/** What is known of commits, asked for some of them after the other. */
export interface Contexts {
  readonly store: CheckpointStore;
  readonly keptOf: KeptOf;
  /** The context of lines; one that was opened for all that they come from serves again. */
  of(lines: readonly BlamedLine[], commits: ReadonlyMap<ObjectId, BlamedCommit>): Promise<Context>;
}

export function openContexts({ repo, git }: Work, keptOf: KeptOf): Contexts {
  const store = openCheckpoints(git, repo.commonDir);
  let last: { readonly places: ReadonlySet<string>; readonly context: Context } | undefined;
  const placesOf = (lines: readonly BlamedLine[]): Set<string> =>
    new Set(lines.map(({ commit, path }) => `${commit ?? ''}:${path}`));
  return {
    ...{ store, keptOf },
    async of(lines, commits) {
      const places = placesOf(lines);
      if (last && [...places].every((place) => last?.places.has(place))) return last.context;
      const context = await openContext(repo, git, store, lines, commits, keptOf);
      last = { places, context };
      return context;
    },
  };
}

async function openContext(
  repo: Repo,
  git: Git,
  store: CheckpointStore,
  lines: readonly BlamedLine[],
  commits: ReadonlyMap<ObjectId, BlamedCommit>,
  keptOf: KeptOf,
): Promise<Context> {
  const ids = [...new Set([...commits.values()].flatMap(({ links }) => linkedIds(links)))];
  const checkpoints = await readCheckpoints(store, ids, [PROMPTS]);
  const linkedTo = (commit: ObjectId): StoredCheckpoint[] => {
    const links = commits.get(commit)?.links;
    return links ? linkedIds(links).flatMap((id) => checkpoints.get(id) ?? []) : [];
  };
  const formerNames = openFormerNames(git, lines, commits, (commit) => [
    ...new Set(linkedTo(commit).flatMap(({ filesTouched }) => filesTouched)),
  ]);
  // Transcripts are large: only those of sessions that touched the file are read.
  const wanted = new Map<StoredSlot, Set<string>>();
  for (const { commit, path, isBefore } of onePerPlace(lines)) {
    const slots = commit ? linkedTo(commit).flatMap((checkpoint) => checkpoint.slots) : [];
    const names = slots.length > 0 ? [path, ...formerNames(commit, path)] : [];
    // What a session touched on the way is not among what is told of it.
    for (const slot of slots.filter((one) => isBefore || names.some((name) => touches(one, name))))
      wanted.set(slot, (wanted.get(slot) ?? new Set()).add(path));
  }
  const reading = readPiecesAhead(store, [...wanted.keys()]);
  for (const { metadata } of wanted.keys()) keptOf(metadata.sessionId); // read meanwhile, and held
  const namedBy = new Map<CheckpointId, ObjectId[]>();
  for (const [oid, { links }] of commits)
    for (const id of linkedIds(links)) namedBy.set(id, [...(namedBy.get(id) ?? []), oid]);
  const prompts = readPrompts(store, [...wanted.keys()]);
  const ahead = await reading;
  const findGone: FindGone = (checkpoint, paths) =>
    (namedBy.get(checkpoint) ?? []).reduce<readonly string[]>(
      (gone, oid) => notIn(git, oid, gone),
      [...new Set(paths)],
    );
  const findSuspects = suspectsIn(
    store,
    wanted,
    { prompts, keptOf, findGone, ahead },
    ({ checkpoint }, path) => [
      ...new Set((namedBy.get(checkpoint) ?? []).flatMap((oid) => formerNames(oid, path))),
    ],
  );
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

/** Those of some files that a commit does not have. A process, where there are any. */
function notIn(git: Git, commit: ObjectId, paths: readonly string[]): readonly string[] {
  const there = paths.length > 0 ? readTree(git, commit, paths) : undefined;
  return paths.filter((path) => !there?.has(path));
}

const onePerPlace = (lines: readonly BlamedLine[]): Iterable<BlamedLine> =>
  new Map(lines.map((line) => [`${line.commit ?? ''}:${line.path}`, line])).values();

function suspectsIn(
  store: CheckpointStore,
  wanted: Wanted,
  sources: TurnSources,
  namesOf: FormerNames,
): Context['suspects'] {
  const slots = [...wanted.keys()];
  const { prompts } = sources;
  const evidence = readStoredEdits(store, wanted, namesOf, sources);
  const sessions = new Map(slots.map((slot) => [slot, toSession(slot, prompts.get(slot)?.at(-1))]));
  return (checkpoint, path) =>
    checkpoint.slots.flatMap((slot) => {
      const [session, known] = [sessions.get(slot), evidence.get(slot)?.get(path)];
      return session && known
        ? [{ session, evidence: known, writerOf: known.writerOf, hasBrought: known.hasBrought }]
        : [];
    });
}

export const toSession = (
  { checkpoint, metadata: { sessionId, agent } }: StoredSlot,
  prompt: string | undefined,
): BlamedSession => ({ sessionId, agent, checkpoint, prompt });

const madeMs = ({ slots }: StoredCheckpoint): number =>
  Math.min(...slots.map(({ metadata }) => Date.parse(metadata.createdAt) || 0));

export function judgeCommitted(
  context: Context,
  commit: ObjectId,
  links: Links | undefined,
  path: string,
  texts: Texts,
  elsewhere: FindElsewhere<BlamedSession>,
): LineOrigin<BlamedSession>[] {
  const verdict = context.verdict(commit);
  // What an agent does to such a file is not recorded.
  const hasNoName = isUnrecordable(path);
  const isOpen =
    verdict !== undefined && (isUnsure(verdict, path) || (hasNoName && verdict.reason !== 'no-session'));
  const isForgottenWork = context.isForgottenWork(commit, path);
  if (!links || links.all.length === 0) {
    const isWatched = verdict?.reason === 'no-session' || verdict?.reason === 'no-overlap';
    if (isOpen || (isWatched && (context.isUnseenWork(commit) || isForgottenWork)))
      return judgeByOthers(texts.run, elsewhere, 'unseen');
    return isWatched ? judgeWatched(texts.run, elsewhere) : judgeByOthers(texts.run, elsewhere, 'no-record');
  }
  const led = followLinks({ oid: commit, links }, context.checkpoints, context.misfits);
  if (led.misfit !== undefined) return judgeByOthers(texts.run, elsewhere, 'foreign-checkpoint');
  if (led.checkpoints.length === 0) return judgeByOthers(texts.run, elsewhere, 'checkpoint-missing');
  // Who had a line first has written it: a later session that wrote the whole file carried it along. A squash names them in any order.
  const suspects = led.checkpoints
    .toSorted((a, b) => madeMs(a) - madeMs(b))
    .flatMap((checkpoint) => context.suspects(checkpoint, path));
  // Somebody touched it whose session is not there any more, or nothing of the checkpoint can be read; or its name is not stored.
  const isLost =
    hasNoName ||
    led.checkpoints.some(
      ({ slots, filesTouched }) => slots.length === 0 || filesTouched.some((name) => standsFor(name, path)),
    );
  if (suspects.length === 0 && (isLost || isOpen)) return judgeByOthers(texts.run, elsewhere, 'unseen');
  // Of several one may be in another clone.
  const isAllHere = linkedIds(links).every((id) => context.checkpoints.has(id) && !context.isForgotten(id));
  // Of one that was replayed the checkpoint tells nothing of who resolved its conflict.
  const isResolverUnknown = isOpen && verdict?.reason === 'sequence';
  const isAllTold = isAllHere && !isForgottenWork && !isResolverUnknown;
  return judgeLines(texts.run, suspects, { ...texts, elsewhere, isAllTold });
}
