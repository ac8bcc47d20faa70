import { describeError, EntireError } from '../../base/errors.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import type { Branch } from '../../history/branch.ts';
import { readUserLines } from '../../session/record/user-lines.ts';
import { renderState, type TokenUsage } from '../../session/state.ts';
import { readState } from '../../session/state-store.ts';
import { claimFilesTouched, trackAgain } from '../../session/tracking-file.ts';
import { hasJournal, readJournal } from '../../snapshot/operation.ts';
import { type Place, type Progress, placeOf, storeOf, unfinished } from '../../snapshot/place.ts';
import { writeRecord } from '../../snapshot/record/record.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { restorePaths } from '../../snapshot/restore.ts';
import { type FileState, type GitMode, MISSING } from '../../snapshot/store/file-state.ts';
import { keepOpenTurn, peekOpenTurn } from '../../strategy/turn/keep.ts';
import { saveState, type Work, workIn } from '../../strategy/work.ts';
import { isAtWork } from '../at-work.ts';
import { trackOpen } from '../in-hand.ts';
import type { RestoredLog } from '../log/logs.ts';
import { dropBoth } from '../log/replaced-log.ts';
import type { StepPoint } from '../points.ts';
import { keepingLocks, puttingBack, refuseMovedHead } from '../putting-back.ts';
import { rollBackState } from '../rollback.ts';
import { rememberFiles } from '../running-turns.ts';
import { describeOthers } from './along.ts';
import { planStepLog, prepareLog } from './logs.ts';
import { concludeRewind } from './more.ts';
import { parseMore, type RewindMore, toStoredMore } from './note.ts';
import type { Verdict } from './plan.ts';
import { isFutile, previewRewind, type RewindPreview, sessionOf } from './preview.ts';
import { pathsOf } from './steps.ts';
import { findTogether, listIdle } from './together.ts';
import { readAbandonedUsage } from './usage.ts';

export interface RewindOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Told what is about to be done, before anything is. */
  readonly onPreview?: (preview: RewindPreview) => void;
  /** What somebody agreed to: where it is another matter by now, nothing is done. */
  readonly agreed?: RewindPreview;
  /** Other sessions keep what they did, and files become just what the step has. */
  readonly isSessionOnly?: boolean;
  readonly onProgress?: Progress;
}

/** What going back to a step did. */
export interface RewindResult {
  readonly preview: RewindPreview;
  /** What it can be taken back by. */
  readonly recordId: string;
  readonly restored: readonly RepoPath[];
  readonly deleted: readonly RepoPath[];
  /** Paths that could not be changed after all, and why. */
  readonly left: ReadonlyMap<RepoPath, string>;
  /** Whether the shadow branch ends with the step now, others' steps aside. */
  readonly isBranchReset: boolean;
  /** `undefined` where the transcript could not be restored. */
  readonly log: RestoredLog | undefined;
  readonly isTruncated: boolean;
  /** Why the transcript could not be restored; the files are. */
  readonly logFailure: string | undefined;
  /** Checkpoints leave out what was said since the step all the same. */
  readonly isLeftOut: boolean;
}

/**
 * Looks at what going back to a step comes to, a turn that goes on included. Changes nothing.
 *
 * @throws {EntireError} `NOT_FOUND`, `STATE_UNREADABLE`
 */
export async function previewStep(
  branch: Branch,
  point: StepPoint,
  { isSessionOnly = false }: Pick<RewindOptions, 'isSessionOnly'> = {},
): Promise<RewindPreview> {
  const work = workIn(branch.repo);
  const sessionId = sessionOf(point);
  const open = await peekOpenTurn(work, sessionId, { isOver: !isAtWork(work, sessionId) });
  const together = isSessionOnly
    ? undefined
    : await findTogether(work, point, sessionId, listIdle(work, sessionId), false);
  return previewRewind(work, branch, point, { open, together });
}

/**
 * Goes back to a step: files that the session is known to have written become what they were, its state and its shadow
 * branch follow, and its transcript ends there. What was in the files is kept: `entire undo` takes all of it back.
 * HEAD, the index and all other files stay as they are.
 *
 * @throws {EntireError} `LOCKED`, `NOT_FOUND`, `UNDO_UNFINISHED`, `WRITE_FAILED`; `REF_MOVED` when HEAD is
 *   another one by now, and when the files are restored and the branch could not be moved
 */
export async function rewindToStep(
  branch: Branch,
  point: StepPoint,
  options: RewindOptions,
): Promise<RewindResult> {
  const work = workIn(branch.repo);
  const sessionId = sessionOf(point);
  const idle = options.isSessionOnly ? [] : listIdle(work, sessionId);
  const body = (report: Reported['report']) =>
    rewindLocked(work, sessionId, branch, point, { ...options, report, idle });
  return puttingBack(work, sessionId, body, idle);
}

interface Reported extends RewindOptions {
  readonly report: (files: SnapshotRecord['files']) => void;
  /** Sessions that may go back along: their hooks wait. */
  readonly idle: readonly SessionId[];
}

async function rewindLocked(
  work: Work,
  sessionId: SessionId,
  branch: Branch,
  point: StepPoint,
  options: Reported,
): Promise<RewindResult> {
  const { repo } = work;
  refuseMovedHead(branch);
  if (readJournal(storeOf(repo, sessionId))) throw unfinished();
  await keepOpenTurn(work, sessionId, { isOver: !isAtWork(work, sessionId) }); // what is not a turn yet could not be undone behind us
  const idle = options.idle.filter((id) => !isAtWork(work, id));
  const together = options.isSessionOnly ? undefined : await findTogether(work, point, sessionId, idle, true);
  const claim = claimFilesTouched(work.sessions, sessionId);
  const preview = previewRewind(work, branch, point, { claimed: claim.paths, together });
  if (options.agreed) refuseSurprises(options.agreed, preview);
  options.onPreview?.(preview);
  if (isFutile(preview)) {
    trackAgain(work.sessions, sessionId, claim.paths);
    claim.release();
    throw new EntireError(
      'NOTHING_TO_UNDO',
      'each file that differs from that point is left, so nothing was done',
      {
        hint: 'The conversation stays, too. `entire rewind --to <point> --logs-only` goes back in it alone.',
      },
    );
  }
  const { state } = preview;
  const planned = planStepLog({ repo, env: options.env }, branch, point, state);
  const usage = state && (await readAbandonedUsage(work, branch, state, preview.cut));
  const place = placeOf(repo, sessionId);
  const toBeLog = prepareLog(work, planned, state?.agentType ?? '');
  const others = describeOthers(work, preview, branch.head as ObjectId);
  const logs = toBeLog.replaced;
  const more: RewindMore = { ...describeMore(work, preview, usage, toBeLog.log?.file), logs, others };
  let logFailure = toBeLog.failure;
  let isLeftOut = false;
  const restore = {
    kind: 'rewind' as const,
    turnId: '',
    subject: point.subject,
    effects: [{ isBack: false, note: toStoredMore(more) }],
    targets: preview.verdicts.flatMap((verdict) => toTarget(preview, verdict) ?? []),
    conclude: concludeRewind(
      work,
      (sentence) => {
        throw new EntireError('REF_MOVED', sentence);
      },
      (why, isHandled) => {
        logFailure = why;
        isLeftOut = isHandled;
      },
    ),
    onProgress: keepingLocks(options.onProgress),
  };
  const record = restoring(place, more, () => restorePaths(place, work.git, restore));
  options.report(record.files);
  const left = keepLeft(work, preview, record, claim.paths);
  claim.release();
  completeRecord(place, record, work);
  rememberFiles(work, sessionId, preview.files);
  const isDone = (path: RepoPath): boolean => record.files.has(path);
  return {
    preview,
    recordId: record.id,
    restored: [...record.files].flatMap(([path, { after }]) => (after.kind === 'missing' ? [] : path)),
    deleted: [...record.files].flatMap(([path, { after }]) => (after.kind === 'missing' ? path : [])),
    left: new Map([...left].filter(([path]) => !isDone(path))),
    isBranchReset: state !== undefined,
    log: logFailure === undefined ? toBeLog.log : undefined,
    isTruncated: planned.isTruncated,
    logFailure,
    isLeftOut,
  };
}

/** An edit that was recorded since somebody agreed was not among what they saw. */
function refuseSurprises(agreed: RewindPreview, now: RewindPreview): void {
  if (JSON.stringify(agreed.verdicts) === JSON.stringify(now.verdicts)) return;
  throw new EntireError('REF_MOVED', 'files changed while they were looked at, so nothing was done', {
    hint: 'An agent may be at work here. Run the command again.',
  });
}

/** What a rewind puts at a path; `undefined` where that stays as it is. */
export function toTarget(
  { corrected }: RewindPreview,
  verdict: Verdict,
): { path: RepoPath; to: FileState } | undefined {
  const { kind, path } = verdict;
  if (kind === 'leave') return undefined;
  if (kind === 'delete') return { path, to: MISSING };
  return { path, to: corrected.get(path)?.state ?? toState(verdict.to) };
}

const toState = ({ oid, mode }: TreeEntry): FileState => ({ kind: 'git', oid, mode: mode as GitMode });

/** @param log where the transcript goes: what is committed next is read from there, until a hook tells of another place */
function describeMore(
  work: Work,
  preview: RewindPreview,
  usage: TokenUsage | undefined,
  log: string | undefined,
): Omit<RewindMore, 'logs' | 'others'> {
  const { sessionId, state, cut, owned, files, verdicts } = preview;
  const isStep = ({ step }: (typeof cut.later)[number]) => step.sessionId === sessionId && !step.isTask;
  const left = verdicts.flatMap(({ kind, path }) => (kind === 'leave' ? path : []));
  const after =
    state &&
    rollBackState(log === undefined ? state : { ...state, transcriptPath: log }, {
      steps: cut.later.filter(isStep).length,
      usage,
      files: preview.filesAtStep(left),
    });
  return {
    sessionId,
    ref: cut.ref,
    target: cut.target.commit.oid,
    tip: cut.tip,
    owned,
    state: { before: state ? renderState(state) : '', after: after ? renderState(after) : '' },
    userLines: state && readUserLines(work.repo.commonDir, sessionId, state.attributionBaseCommit),
    files,
  };
}

/** What stays is the session's as it was: saved, or waiting for a step. */
function keepLeft(
  work: Work,
  { sessionId, state: known, verdicts, files, cut }: RewindPreview,
  { left }: SnapshotRecord,
  claimed: readonly RepoPath[],
): ReadonlyMap<RepoPath, string> {
  const stays = new Set(verdicts.flatMap(({ kind, path }) => (kind === 'leave' ? path : [])));
  const own = files.filter((path) => left.has(path));
  trackAgain(
    work.sessions,
    sessionId,
    claimed.filter((path) => stays.has(path)),
  );
  // The steps that had it are gone: the next one has it.
  const saved = pathsOf(cut.later, sessionId).filter((path) => stays.has(path));
  trackOpen(work, sessionId, [...new Set(saved)]);
  const state = known && readState(work.sessions, sessionId);
  if (own.length > 0 && state)
    saveState(work, { ...state, filesTouched: sortedUnique([...state.filesTouched, ...own]) });
  return left;
}

/** Where nothing was begun, nothing that was kept for it is needed. */
export function restoring(place: Place, { logs }: RewindMore, body: () => SnapshotRecord): SnapshotRecord {
  try {
    return body();
  } catch (error) {
    if (!hasJournal(place.store)) for (const replaced of logs) dropBoth(replaced);
    throw error;
  }
}

/** The session's state as it is now. Never throws: it differs by the files that could not go back, which undo knows. */
function completeRecord(place: Place, record: SnapshotRecord, work: Work): void {
  try {
    const more = parseMore(record.effects[0]?.note);
    if (!more) return;
    const state = more.state.after === '' ? undefined : readState(work.sessions, more.sessionId);
    const after = state ? renderState(state) : '';
    if (after === more.state.after) return;
    const effects = [{ isBack: false, note: toStoredMore({ ...more, state: { ...more.state, after } }) }];
    writeRecord(place.store, { ...record, effects }, { fsync: true });
  } catch (error) {
    log('warn', 'record of a rewind not completed', { id: record.id, error: describeError(error) });
  }
}
