import { EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { explainSystemError } from '../base/system-failure.ts';
import type { Repo } from '../git/locate.ts';
import { type Branch, readBranch } from '../history/branch.ts';
import { keepLocks, withSessionLock } from '../session/lock.ts';
import {
  abortOperation,
  type Conclude,
  finishOperation,
  hasJournal,
  readJournal,
} from '../snapshot/operation.ts';
import type { Place, Progress } from '../snapshot/place.ts';
import { importState } from '../snapshot/record/import-state.ts';
import { hasRecord, listRecordIds, readRecordIfSound } from '../snapshot/record/record.ts';
import type { PathChange, SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { sessionStore } from '../snapshot/store/blobs.ts';
import { listStoresOf } from '../snapshot/store/collect.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { hasOpenEdits } from '../snapshot/turn/ledger.ts';
import { applyUndo, planUndo, type UndoPlan, type UndoRequest } from '../snapshot/undo/undo.ts';
import { readStashed } from '../strategy/out-of-sight.ts';
import { keepOpenTurn, peekOpenTurn } from '../strategy/turn/keep.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { isAtWork } from './at-work.ts';
import { settleInHand, sharersOf } from './in-hand.ts';
import { type LogBack, lookAtLogs, withFailures } from './rewind/logs-back.ts';
import { notesOfOthers, othersOf } from './rewind/note.ts';
import { readRecords } from './rewind/records.ts';
import { tellRunningTurns } from './running-turns.ts';

/** Sessions that have something kept for this worktree. */
export const listStepped = (repo: Repo): SessionId[] =>
  listStoresOf(repo).flatMap(({ id, store }) =>
    listRecordIds(store).length > 0 || hasOpenEdits(store) || hasJournal(store) ? id : [],
  );

/** Where a session's files are, and what was kept of them. */
export const placeOf = (repo: Repo, id: SessionId): Place => ({
  root: repo.worktreeRoot,
  store: sessionStore(repo.commonDir, id, repo.worktreeId),
});

/** What came of a step back. */
export interface SteppedBack {
  readonly plan: UndoPlan;
  /** `undefined` for a dry run, and where nothing could be done. */
  readonly record: SnapshotRecord | undefined;
  /** What became of conversations that a rewind cut off, or would. */
  readonly logs: readonly LogBack[];
  /** Nothing of it is in the worktree, and a stash has it: it was not done, or would not be. */
  readonly isStashed: boolean;
}

export interface StepBackOptions {
  /** Says what would be done, and does nothing. */
  readonly isDryRun: boolean;
  /** Does what effects of a rewind say. */
  readonly conclude: (work: Work) => Conclude;
  /** Called before anything is changed; what it throws keeps everything as it is. */
  readonly onPlanned?: (plan: UndoPlan) => void;
  /** The same of a dry run, too, and where nothing can be done. */
  readonly onLooked?: (plan: UndoPlan) => void;
  /** Steps whose work lies in a stash are taken back, too. */
  readonly countsStashed?: boolean;
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
  { isDryRun, conclude, onPlanned, onLooked, countsStashed = false, before = [] }: StepBackOptions,
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
    const isStashed = liesInStash(work, looked);
    const isNothing = isFutile(looked) || (isStashed && !countsStashed);
    if (isDryRun || isNothing)
      return { plan: looked, record: undefined, logs: isNothing ? [] : lookAtLogs(looked.steps), isStashed };
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
      return { plan, record, logs: withFailures(logs, lookAtLogs(plan.steps)), isStashed: false };
    });
  });
}

/** Whether a plan takes back what the session's turn, which goes on, did so far: each look gives that another id. */
const isDone = (before: NonNullable<StepBackOptions['before']>, id: SessionId, { store }: Place): boolean =>
  before.some(({ session, plan }) => session === id && plan.steps.some((step) => !hasRecord(store, step.id)));

/** Whether all files of a plan stay as they are: then nothing is done, and no step of it is over. */
export const isFutile = ({ paths }: UndoPlan): boolean =>
  paths.size > 0 && [...paths.values()].every(({ verdict }) => verdict === 'left');

/**
 * Whether taking back turns would change no file since a stash has their work: it may come back, and they are not over. What was taken away
 * otherwise is gone. A rewind is not of that kind, since what is below it waits for it; nor is an undo, which is over once its work is
 * there again.
 */
function liesInStash({ git }: Work, { paths, steps }: UndoPlan): boolean {
  const isUnchanged =
    paths.size > 0 &&
    [...paths.values()].every(({ verdict }) => verdict === 'left' || verdict === 'already') &&
    steps.every(({ kind }) => kind === 'turn');
  if (!isUnchanged) return false;
  return readStashed(git, [...paths.keys()], Math.min(...steps.map(({ at }) => Date.parse(at)))).size > 0;
}

/** What there would be once plans are carried out, the contents brought along. */
function stateAfter(
  repo: Repo,
  id: SessionId,
  before: NonNullable<StepBackOptions['before']>,
): NonNullable<UndoRequest['asIf']> {
  const { store } = placeOf(repo, id);
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
      importState(placeOf(repo, session).store, store, to);
      states.set(path, to);
    }
  }
  return { states, done, gone };
}

/** What came of an operation that was interrupted. */
export interface Recovered {
  readonly record: SnapshotRecord;
  readonly left: ReadonlyMap<RepoPath, string>;
}

/**
 * Finishes an operation that a killed process left, or takes it back.
 *
 * @throws {EntireError} `NOTHING_TO_UNDO` when there is none
 */
export async function recover(
  repo: Repo,
  id: SessionId,
  how: 'continue' | 'abort',
  conclude: (work: Work) => Conclude,
): Promise<Recovered> {
  const work = workIn(repo);
  const place = placeOf(repo, id);
  return puttingBack(work, id, async (report) => {
    const record = readJournal(place.store);
    if (!record) throw new EntireError('NOTHING_TO_UNDO', 'no step back is waiting to be finished.');
    const steps = record.of.flatMap((one) => readRecordIfSound(place.store, one) ?? []);
    return withLocks(work, alsoConcerned(work, [record, ...steps], id), async () => {
      if (how === 'abort') {
        const onDone = (left: ReadonlyMap<RepoPath, string>): void => {
          const files = asBefore(record.files, left);
          report(files);
          // It may have been killed behind the point where the sessions' work was settled.
          if (record.kind !== 'rewind')
            settleInHand(work, id, steps, { ...record, files, already: [] }, true);
        };
        const aborting = { conclude: conclude(work), onDone, onProgress: keepingLocks() };
        const left = abortOperation(place, record, aborting);
        return { record, left };
      }
      const finished = finishOperation(place, record, {
        conclude: conclude(work),
        onDone: (done) => {
          report(done.files);
          if (done.kind !== 'rewind') settleInHand(work, id, steps, done);
        },
        onProgress: keepingLocks(),
      });
      return { record: finished, left: finished.left };
    });
  });
}

/** What was replaced is there again. */
const asBefore = (
  files: ReadonlyMap<RepoPath, PathChange>,
  left: ReadonlyMap<RepoPath, string>,
): Map<RepoPath, PathChange> =>
  new Map(
    [...files].flatMap(([path, change]) =>
      change.before && !left.has(path) ? [[path, { ...change, after: change.before }] as const] : [],
    ),
  );

/** Whether an operation of the session waits to be finished. */
export const isUnfinished = (repo: Repo, id: SessionId): boolean => hasJournal(placeOf(repo, id).store);

/** One command at a time puts files back in a repository. */
export const RESTORE_LOCK = 'restore' as SessionId;

/**
 * Runs `body` while no other command puts files back, and no hook of the session, or of `others`, works. Running turns of other sessions are
 * told afterwards, even if it fails at last, that what `body` reports is no work of theirs.
 *
 * @throws {EntireError} `LOCKED`; with a hint of how to go on where `body` was stopped halfway
 */
export async function puttingBack<T>(
  work: Work,
  id: SessionId,
  body: (report: (files: SnapshotRecord['files']) => void) => Promise<T>,
  others: readonly SessionId[] = [],
): Promise<T> {
  const files = new Map<RepoPath, PathChange>();
  const report = (done: SnapshotRecord['files']): void => {
    for (const [path, change] of done) files.set(path, change);
  };
  try {
    return await withSessionLock(`${work.repo.commonDir}/entire`, RESTORE_LOCK, () =>
      withSessionLock(work.sessions, id, () =>
        withLocks(work, others, () => sayingHowToFinish(placeOf(work.repo, id).store, () => body(report))),
      ),
    );
  } finally {
    await tellRunningTurns(work, id, files);
  }
}

async function withLocks<T>(work: Work, ids: readonly SessionId[], body: () => Promise<T>): Promise<T> {
  const [first, ...others] = ids;
  if (first === undefined) return body();
  return withSessionLock(work.sessions, first, () => withLocks(work, others, body));
}

/** Sessions that change along with these steps of another one: they went back in a rewind of it. */
export function alsoConcerned(work: Work, steps: readonly SnapshotRecord[], id: SessionId): SessionId[] {
  const ids = new Set([...steps.flatMap(({ effects }) => othersOf(effects)), ...sharersOf(work, id, steps)]);
  ids.delete(id);
  return [...ids].sort();
}

/** Many files take longer than locks last by themselves. */
export const keepingLocks =
  (onProgress?: Progress): Progress =>
  (...done) => {
    keepLocks();
    onProgress?.(...done);
  };

/** A commit or a checkout meanwhile makes what was looked at another matter. @throws {EntireError} `REF_MOVED` */
export function refuseMovedHead({ repo, head, name }: Branch): void {
  const now = readBranch(repo);
  if (now.head === head && now.name === name) return;
  throw new EntireError('REF_MOVED', 'HEAD moved while it was looked at, so nothing was done', {
    hint: 'An agent may be at work here. Run the command again.',
  });
}

async function sayingHowToFinish<T>(store: string, body: () => Promise<T>): Promise<T> {
  const wasUnfinished = hasJournal(store);
  try {
    return await body();
  } catch (error) {
    const isOurs = !wasUnfinished || explainSystemError(error) !== undefined;
    throw isOurs && hasJournal(store) ? stoppedHalfway(error) : error;
  }
}

/** The operation began, and waits to be finished. */
function stoppedHalfway(cause: unknown): unknown {
  const failure = explainSystemError(cause);
  if (!failure && !(cause instanceof EntireError)) return cause;
  const [code, message] =
    cause instanceof EntireError ? [cause.code, cause.message] : [undefined, failure?.message];
  const remedy = failure ? `${failure.remedy} ` : '';
  const hint = `${remedy}Run \`entire undo --continue\` to finish it, or \`entire undo --abort\` to take it back.`;
  return new EntireError(code ?? 'WRITE_FAILED', `it was stopped halfway: ${message}`, { cause, hint });
}
