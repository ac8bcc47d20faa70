import { now } from '../base/clock.ts';
import { disk } from '../base/disk.ts';
import { describeError, EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { explainSystemError } from '../base/system-failure.ts';
import type { Repo } from '../git/locate.ts';
import { type Branch, readBranch } from '../history/branch.ts';
import { keepLocks, withSessionLock } from '../session/lock.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { sessionsDir, trackAgain } from '../session/tracking-file.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { listStoresOf } from '../snapshot/collect.ts';
import type { UndoHistory } from '../snapshot/history.ts';
import { hasOpenEdits } from '../snapshot/ledger.ts';
import {
  abortOperation,
  type Conclude,
  finishOperation,
  hasJournal,
  readJournal,
} from '../snapshot/operation.ts';
import type { Place, Progress } from '../snapshot/place.ts';
import { listRecordIds, type PathChange, type SnapshotRecord } from '../snapshot/record.ts';
import { applyUndo, planUndo, readUndoHistory, type UndoPlan, type UndoRequest } from '../snapshot/undo.ts';
import { keepOpenTurn, peekOpenTurn } from '../strategy/turn/keep.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { tellRunningTurns } from './running-turns.ts';

/** A session that changed files in this worktree. */
export interface SteppedSession {
  readonly id: SessionId;
  /** When it last did, or had it taken back, in milliseconds since 1970. */
  readonly lastMs: number;
}

/** Sessions that have something kept for this worktree, the one heard of last first. */
export const listStepped = (repo: Repo): SteppedSession[] =>
  listStoresOf(repo)
    .flatMap(({ id, store }) => heardOf(store, id) ?? [])
    .sort((a, b) => b.lastMs - a.lastMs);

function heardOf(store: string, id: SessionId): SteppedSession | undefined {
  const last = listRecordIds(store).at(-1);
  const isOpen = hasOpenEdits(store) || hasJournal(store);
  if (last === undefined && !isOpen) return undefined;
  // Whatever is written there by a rename changes the time of the folder: the start of a turn, for one.
  const lastMs = Math.max(disk.statSync(store).mtimeMs, Number(last?.slice(0, 13) ?? 0));
  return { id, lastMs };
}

/** A session without a word for so long is over, though no client says so. */
const SILENT_MS = 24 * 60 * 60 * 1000;

/** Whether a session is over: it ended, or nobody has heard of it for a day. */
export function isOver(repo: Repo, { id, lastMs }: SteppedSession): boolean {
  const phase = readStateIfReadable(sessionsDir(repo.commonDir), id)?.phase ?? 'ended';
  return phase === 'ended' || now().getTime() - lastMs > SILENT_MS;
}

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
}

export interface StepBackOptions {
  /** Says what would be done, and does nothing. */
  readonly isDryRun: boolean;
  /** Does what effects of a rewind say. */
  readonly conclude: (work: Work) => Conclude;
  /** Called before anything is changed; what it throws keeps everything as it is. */
  readonly onPlanned?: (plan: UndoPlan) => void;
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
  { isDryRun, conclude, onPlanned }: StepBackOptions,
): Promise<SteppedBack> {
  const work = workIn(repo);
  const place = placeOf(repo, id);
  const request = { ...asked, onProgress: keepingLocks(asked.onProgress) };
  return puttingBack(work, id, async (report) => {
    const open = await peekOpenTurn(work, id);
    const looked = planUndo(place, work.git, request, open); // what cannot be done makes no step of a turn that goes on
    const isFutile =
      looked.paths.size > 0 && [...looked.paths.values()].every(({ verdict }) => verdict === 'left');
    if (isDryRun || isFutile) return { plan: looked, record: undefined };
    if (open) await keepOpenTurn(work, id);
    const plan = open ? planUndo(place, work.git, request) : looked;
    onPlanned?.(plan);
    const record = applyUndo(place, request, plan, conclude(work));
    report(record.files);
    if (request.paths.length > 0) trackAgain(work.sessions, id, rewoundIn(plan, record));
    return { plan, record };
  });
}

/** Files of rewinds that came back without the steps that have them: the session's, which its next step holds. */
const rewoundIn = ({ steps }: UndoPlan, { files }: SnapshotRecord): RepoPath[] =>
  [...files.keys()].filter((path) => steps.some((step) => step.kind === 'rewind' && step.files.has(path)));

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
    if (how === 'abort') {
      const left = abortOperation(place, record, conclude(work), keepingLocks());
      report(asBefore(record.files, left));
      return { record, left };
    }
    const finished = finishOperation(place, record, conclude(work), keepingLocks());
    report(finished.files);
    return { record: finished, left: finished.left };
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

/** Whether a turn of the session that had no stop has edits on record. */
export const hasOpenTurn = (repo: Repo, id: SessionId): boolean => hasOpenEdits(placeOf(repo, id).store);

/** Whether an operation of the session waits to be finished. */
export const isUnfinished = (repo: Repo, id: SessionId): boolean => hasJournal(placeOf(repo, id).store);

/** {@link readSteps} with what a turn did so far that goes on, and the id that this has in there. */
export async function readStepsNow(
  repo: Repo,
  id: SessionId,
): Promise<UndoHistory & { readonly openId: string | undefined }> {
  const open = await peekOpenTurn(workIn(repo), id).catch((error) => {
    log('warn', 'running turn not looked at', { session_id: id, error: describeError(error) });
    return undefined; // a list is no reason to need a disk that can be written
  });
  return { ...readUndoHistory(placeOf(repo, id).store, open), openId: open?.id };
}

/** The steps of a session that can be taken back, and what can be done again. Reads only. */
export const readSteps = (repo: Repo, id: SessionId) => readUndoHistory(placeOf(repo, id).store);

/** One command at a time puts files back in a repository. */
export const RESTORE_LOCK = 'restore' as SessionId;

/**
 * Runs `body` while no other command puts files back, and no hook of the session works. Running turns of other sessions are
 * told afterwards, even if it fails at last, that what `body` reports is no work of theirs.
 *
 * @throws {EntireError} `LOCKED`; with a hint of how to go on where `body` was stopped halfway
 */
export async function puttingBack<T>(
  work: Work,
  id: SessionId,
  body: (report: (files: SnapshotRecord['files']) => void) => Promise<T>,
): Promise<T> {
  const files = new Map<RepoPath, PathChange>();
  const report = (done: SnapshotRecord['files']): void => {
    for (const [path, change] of done) files.set(path, change);
  };
  try {
    return await withSessionLock(`${work.repo.commonDir}/entire`, RESTORE_LOCK, () =>
      withSessionLock(work.sessions, id, () =>
        sayingHowToFinish(placeOf(work.repo, id).store, () => body(report)),
      ),
    );
  } finally {
    await tellRunningTurns(work, id, files);
  }
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
