import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { readTree } from '../git/object/objects.ts';
import { readDirty } from '../git/worktree/status.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import type { Conclude } from '../snapshot/operation.ts';
import { type Place, placeOf, storeOf } from '../snapshot/place.ts';
import { importState } from '../snapshot/record/import-state.ts';
import { hasRecord, readRecordIfSound } from '../snapshot/record/record.ts';
import type { SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { applyUndo, planUndo, type UndoPlan, type UndoRequest } from '../snapshot/undo/undo.ts';
import { openKeptWork } from '../strategy/kept-work.ts';
import { readStashed } from '../strategy/out-of-sight.ts';
import { keepOpenTurn, peekOpenTurn } from '../strategy/turn/keep.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { isAtWork } from './at-work.ts';
import { alsoConcerned, settleInHand } from './in-hand.ts';
import { keepingLocks, puttingBack, withLocks } from './putting-back.ts';
import { type LogBack, lookAtLogs, withFailures } from './rewind/logs-back.ts';
import { isOfLogsAlone, notesOfOthers } from './rewind/note.ts';
import { readRecords } from './rewind/records.ts';

/** What came of a step back. */
export interface SteppedBack {
  readonly plan: UndoPlan;
  /** `undefined` for a dry run, and where nothing could be done. */
  readonly record: SnapshotRecord | undefined;
  /** What became of conversations that a rewind cut off, or would. */
  readonly logs: readonly LogBack[];
  /** It was not done, or would not be, since it would change nothing: what it is about is elsewhere for now. */
  readonly waits: Waits | undefined;
}

/** Nothing of a turn is in the worktree, and a stash has it; or a conversation that a rewind cut off went on since. */
export type Waits = 'stash' | 'log';

export interface StepBackOptions {
  /** Says what would be done, and does nothing. */
  readonly isDryRun: boolean;
  /** Does what effects of a rewind say. */
  readonly conclude: (work: Work) => Conclude;
  /** Called before anything is changed; what it throws keeps everything as it is. */
  readonly onPlanned?: (plan: UndoPlan) => void;
  /** The same of a dry run, too, and where nothing can be done. */
  readonly onLooked?: (plan: UndoPlan) => void;
  /** Steps that wait are taken back, too. */
  readonly countsWaiting?: boolean;
  /** What a dry run found before for other sessions, whose steps would be done first. */
  readonly before?: readonly { readonly session: SessionId; readonly plan: UndoPlan }[];
}

/**
 * Takes back the last steps of a session in this worktree, or does again what was taken back.
 *
 * @throws {EntireError} `NOTHING_TO_UNDO`, `UNDO_UNFINISHED`, `WRITE_FAILED`, `SNAPSHOT_DAMAGED`, `LOCKED`
 */
export async function stepBack(
  repo: Repo,
  id: SessionId,
  asked: UndoRequest,
  { isDryRun, conclude, onPlanned, onLooked, countsWaiting = false, before = [] }: StepBackOptions,
): Promise<SteppedBack> {
  const work = workIn(repo);
  const place = placeOf(repo, id);
  const asIf = stateAfter(repo, id, before);
  const request = { ...asked, asIf, onProgress: keepingLocks(asked.onProgress) };
  return puttingBack(work, id, async (report) => {
    const turn = { isOver: !isAtWork(work, id) };
    const peeked = await peekOpenTurn(work, id, turn);
    const open = peeked && isDone(before, id, place) ? undefined : peeked;
    const looked = planUndo(place, work.git, request, open); // what cannot be done makes no step of a turn that goes on
    onLooked?.(looked);
    const isLeft = isFutile(looked);
    const backs = isLeft ? [] : lookAtLogs(looked.steps);
    const waits = hasLogsLeft(looked, backs) ? 'log' : liesInStash(work, id, looked) ? 'stash' : undefined;
    if (isDryRun || isLeft || (waits && !countsWaiting))
      return { plan: looked, record: undefined, logs: backs, waits };
    if (open) await keepOpenTurn(work, id, turn);
    const plan = open ? planUndo(place, work.git, request) : looked;
    const steps = plan.steps.map((step) => readRecordIfSound(place.store, step.id) ?? step); // of a part the plan has files alone
    return withLocks(work, alsoConcerned(work, steps, id), async () => {
      onPlanned?.(plan);
      const logs = lookAtLogs(plan.steps);
      const record = applyUndo(place, request, plan, conclude(work), (done) => {
        report(done.files);
        settleInHand(work, id, steps, done);
      });
      return { plan, record, logs: withFailures(logs, lookAtLogs(plan.steps)), waits: undefined };
    });
  });
}

/** Whether a plan takes back what the session's turn, which goes on, did so far: each look gives that another id. */
const isDone = (before: NonNullable<StepBackOptions['before']>, id: SessionId, { store }: Place): boolean =>
  before.some(({ session, plan }) => session === id && plan.steps.some((step) => !hasRecord(store, step.id)));

/** Whether all files of a plan stay as they are: then nothing is done, and no step of it is over. */
export const isFutile = ({ paths }: UndoPlan): boolean =>
  paths.size > 0 && [...paths.values()].every(({ verdict }) => verdict === 'left');

/** Whether steps are about conversations alone, all of which went on since: none would come back, and the steps would be over. */
const hasLogsLeft = ({ steps, paths }: UndoPlan, logs: readonly LogBack[]): boolean =>
  paths.size === 0 && logs.length > 0 && logs.every(({ why }) => why !== '') && steps.every(isOfLogsAlone);

/**
 * Whether taking back turns would change no file since a stash has their work: it may come back, and they are not over. What was taken away
 * otherwise is gone. A rewind is not of that kind, since what is below it waits for it; nor is an undo, which is over once its work is
 * there again.
 */
function liesInStash(work: Work, id: SessionId, { paths, steps }: UndoPlan): boolean {
  const isUnchanged =
    paths.size > 0 &&
    [...paths.values()].every(({ verdict }) => verdict === 'left' || verdict === 'already') &&
    steps.every(({ kind }) => kind === 'turn');
  if (!isUnchanged) return false;
  try {
    return isStashed(work, id, [...paths.keys()], steps);
  } catch (error) {
    log('warn', 'stashes not looked into', { error: describeError(error) });
    return false;
  }
}

/** Whether a stash has what turns made of files. All worktrees have their stashes in common, and whoever made one may have changed the same file. */
function isStashed(
  work: Work,
  id: SessionId,
  paths: readonly RepoPath[],
  steps: readonly SnapshotRecord[],
): boolean {
  const { git, repo } = work;
  const dirty = readDirty(git, paths);
  const clean = paths.filter((path) => !dirty.has(path));
  const stashed = readStashed(git, clean, Math.min(...steps.map(({ at }) => Date.parse(at))));
  if (stashed.size === 0) return false;
  const store = storeOf(repo, id);
  if (steps.some((step) => !hasRecord(store, step.id))) return true; // of a turn that goes on there is no record to compare with
  const files = [...stashed.keys()];
  const head = readTree(git, 'HEAD', files);
  const state = readStateIfReadable(work.sessions, id);
  const checkpointCount = state?.worktreeId === repo.worktreeId ? state.checkpointCount : 0;
  const entries = [...stashed.values(), ...(head?.values() ?? [])];
  const { holds, versions } = openKeptWork(work, { sessionId: id, checkpointCount }, files, entries);
  const isIn = (path: RepoPath): boolean =>
    holds(path, versions.ofEntry(stashed.get(path)), versions.ofEntry(head?.get(path))) !== false;
  return files.some(isIn); // what cannot be compared may be
}

/** What there would be once plans are carried out, the contents brought along. */
function stateAfter(
  repo: Repo,
  id: SessionId,
  before: NonNullable<StepBackOptions['before']>,
): NonNullable<UndoRequest['asIf']> {
  const store = storeOf(repo, id);
  const states = new Map<RepoPath, FileState>();
  const done = new Set<string>();
  const gone = new Set<string>();
  for (const { session, plan } of before) {
    for (const step of plan.steps) {
      done.add(step.id);
      for (const [other, isNoted] of notesOfOthers(step.effects))
        for (const record of other === id ? readRecords(store) : []) if (isNoted(record)) gone.add(record.id);
    }
    for (const [path, { verdict, to }] of plan.paths) {
      if (verdict === 'left') continue;
      importState(storeOf(repo, session), store, to);
      states.set(path, to);
    }
  }
  return { states, done, gone };
}
