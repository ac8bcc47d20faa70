import { EntireError } from '../../base/errors.ts';
import { parseSessionId } from '../../base/ids.ts';
import { tellMisfit } from '../../checkpoint/read/fit.ts';
import type { Branch } from '../../history/branch.ts';
import type { LogPlace, LogPlan, LogPlans } from '../../restore/log/logs.ts';
import type { RewindPoint, StepPoint } from '../../restore/points.ts';
import { planCheckpointLogs, planStepLog } from '../../restore/rewind/logs.ts';
import { isFutile, type RewindPreview } from '../../restore/rewind/preview.ts';
import { previewStep, type RewindResult, rewindToStep } from '../../restore/rewind/rewind.ts';
import { findLosses, type LogsBack, rewindLogs } from '../../restore/rewind/to-logs.ts';
import { changesOfRewind } from '../../restore/would-change.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { showPreviews } from '../diff/show.ts';
import { type Progress, withProgress } from '../ui/progress.ts';
import { renderKept, renderRestoring, renderResumeCommands, renderSkipped } from '../ui/restored-logs.ts';
import { canAsk, confirm, plain, say, warn } from '../ui/terminal.ts';
import { findCommand } from '../undo/step-sessions.ts';
import * as text from './text.ts';
import {
  renderDone,
  renderDryRun,
  renderLosses,
  renderPreview,
  renderUncommittedOf,
  resumeCommandOf,
} from './view.ts';

const warnIfAny = (message: string): void => {
  if (message !== '') warn(message);
};

/**
 * Goes back to a step: the files, the session, its transcript. Asks nothing.
 *
 * @param agreed what somebody agreed to; where it is another matter by now, nothing is done
 */
export async function goToStep(
  branch: Branch,
  point: StepPoint,
  { agreed, isSessionOnly }: { readonly agreed?: RewindPreview; readonly isSessionOnly: boolean },
): Promise<void> {
  const result = await withProgress((progress) =>
    rewindToStep(branch, point, {
      env: process.env,
      isSessionOnly,
      ...(agreed ? { agreed } : { onPreview: (preview) => warnIfAny(renderWhole(branch, point, preview)) }),
      onProgress: (what, done, of) => progress.step(what, done, of),
    }),
  );
  await report(branch, point, result);
}

async function report({ repo }: Branch, point: StepPoint, result: RewindResult): Promise<void> {
  const { log, logFailure, isLeftOut, isTruncated, preview } = result;
  warnIfAny(renderDone(result));
  if (result.restored.length > 0) say(text.restoredFiles(point.id.slice(0, 7)));
  else if (result.deleted.length > 0) say(text.deletedFiles(point.id.slice(0, 7)));
  else say(preview.verdicts.length > 0 ? text.ALL_LEFT : text.NOTHING_DIFFERS);
  if (log)
    warn(isTruncated && log.outcome === 'written' ? text.truncated(plain(log.file)) : renderRestoring([log]));
  if (log) warnIfAny(renderKept([log]));
  if (logFailure !== undefined) warn(text.logFailed(plain(logFailure), isLeftOut));
  const command = resumeCommandOf(preview.sessionId, preview.state?.agentType ?? '');
  say(isTruncated ? text.rewoundTask(command) : text.rewound(point.id.slice(0, 7), command));
  const back = await findCommand(repo, 'undo', new Set([result.recordId]));
  if (back !== undefined) warn(text.takeBack(back));
}

/** What going back to a step does to files, and to the conversation. Empty when there is nothing to say. */
export function renderWhole(branch: Branch, point: StepPoint, preview: RewindPreview): string {
  const files = renderPreview(preview);
  if (isFutile(preview)) return files;
  const { log } = planStepLog({ repo: branch.repo, env: process.env }, branch, point, preview.state);
  const losses = 'why' in log ? [] : findLosses(branch, [log]).map((loss) => ({ ...loss, isAtWork: false }));
  const isLeft = losses.length > 0 && preview.verdicts.some(({ kind }) => kind === 'leave');
  return [files, renderLosses(losses), isLeft ? text.LEFT_LINES : '']
    .filter((part) => part !== '')
    .join('\n');
}

/** Says what {@link goToStep} would do. */
export async function previewGoToStep(
  branch: Branch,
  point: StepPoint,
  { isDiff, ...how }: { readonly isSessionOnly: boolean; readonly isDiff: boolean },
): Promise<void> {
  const preview = await previewStep(branch, point, how);
  warnIfAny(renderWhole(branch, point, preview));
  if (!isDiff) return say(renderDryRun(preview));
  const { sessionId: session } = preview;
  const changes = changesOfRewind(branch.repo, preview);
  await showPreviews(branch.repo, [{ session, message: renderDryRun(preview), changes }]);
}

/** The transcripts of a point, restored. */
interface PointLogs {
  readonly logs: readonly LogPlan[];
  readonly back: LogsBack;
}

/**
 * Restores the transcripts of a point, and nothing else, once somebody agreed to what they lose. Who calls it says how that is taken back.
 *
 * @returns `undefined` where nobody agreed: nothing was done then, and that is said
 * @throws {EntireError} `NOT_FOUND` when there are none; `CONSENT_MISSING`; what keeps one from being written
 */
export async function restorePointLogs(
  branch: Branch,
  point: RewindPoint,
  isForced = false,
): Promise<PointLogs | undefined> {
  const logs = await planPointLogs(branch, point);
  if (!(await agreeToLosses(branch, logs, isForced))) return undefined;
  const back = await writePointLogs(branch, point, logs);
  if (back.failure === undefined) return { logs, back };
  await sayTakeBack(branch, back);
  throw back.failure;
}

/** Says which turns logs lose, and asks where work of theirs is not committed. @throws {EntireError} `CONSENT_MISSING` */
export async function agreeToLosses(
  branch: Branch,
  logs: readonly LogPlan[],
  isForced: boolean,
): Promise<boolean> {
  const losses = findLosses(branch, logs);
  warnIfAny(renderLosses(losses));
  const open = losses.filter(({ files }) => files.length > 0);
  if (isForced || open.length === 0) return true;
  const { question, refusal } = text.cutOff(renderUncommittedOf(open));
  if (!canAsk()) throw new EntireError('CONSENT_MISSING', refusal.message, { hint: refusal.hint });
  if (await confirm(question)) return true;
  say(text.CANCELLED);
  return false;
}

/** Writes what {@link planPointLogs} found, and says so; a failure is for the caller to throw. */
export async function writePointLogs(
  branch: Branch,
  point: RewindPoint,
  logs: readonly LogPlan[],
): Promise<LogsBack> {
  warn(renderRestoring(logs));
  const back = await rewindLogs(branch, point, logs);
  warnIfAny(renderKept(back.logs));
  return back;
}

/** Says how transcripts alone are taken back. */
export async function sayTakeBack({ repo }: Branch, { recordIds }: LogsBack): Promise<void> {
  if (recordIds.length === 0) return;
  const command = await findCommand(repo, 'undo', new Set(recordIds));
  warn(text.takeBack(command ?? 'entire undo --list'));
}

const placeOf = ({ repo }: Branch, { step: onProgress }: Progress): LogPlace => ({
  repo,
  env: process.env,
  onProgress,
});

/** What restoring the transcripts of a point comes to. @throws {EntireError} `NOT_FOUND` when there are none */
export async function planPointLogs(branch: Branch, point: RewindPoint): Promise<readonly LogPlan[]> {
  const { logs, skipped } = await withProgress((progress) => {
    const place = placeOf(branch, progress);
    return point.kind === 'commit'
      ? planCheckpointLogs(place, branch, point.checkpoint)
      : planOne(place, branch, point);
  });
  for (const one of skipped) warnIfAny(renderSkipped(one));
  if (point.kind === 'commit' && point.misfit !== undefined) warn(plain(tellMisfit(point.id, point.misfit)));
  if (logs.length > 0) return logs;
  throw new EntireError('NOT_FOUND', `no transcript of ${point.id.slice(0, 7)} can be restored`, {
    hint: 'The warnings say why. `entire explain` shows what the checkpoint holds.',
  });
}

function planOne(place: LogPlace, branch: Branch, point: StepPoint): LogPlans {
  const id = parseSessionId(point.sessionId);
  const state = id && readStateIfReadable(sessionsDir(branch.repo.commonDir), id);
  const { log } = planStepLog(place, branch, point, state);
  return 'why' in log ? { logs: [], skipped: [log] } : { logs: [log], skipped: [] };
}

/** Says what {@link goToLogs} would do. */
export async function previewLogs(branch: Branch, point: RewindPoint): Promise<void> {
  const logs = await planPointLogs(branch, point);
  for (const { file, state } of logs)
    say(state === 'unchanged' ? text.logStays(plain(file)) : text.wouldWrite(plain(file)));
  sayLosses(branch, logs);
  say(text.DRY_RUN);
}

/** What a dry run says of turns that logs would lose. */
export function sayLosses(branch: Branch, logs: readonly LogPlan[]): void {
  const losses = findLosses(branch, logs);
  if (losses.length === 0) return;
  say(renderLosses(losses));
  if (losses.some(({ files }) => files.length > 0)) say(text.WOULD_ASK);
}

export const sayResume = (logs: readonly LogPlan[]): void =>
  say(renderResumeCommands(logs, { lead: text.RESUME_LEAD }));

/** The transcripts alone: the files stay, and this says so. */
export async function goToLogs(branch: Branch, point: RewindPoint, isForced: boolean): Promise<void> {
  const restored = await restorePointLogs(branch, point, isForced);
  if (!restored) return;
  await sayTakeBack(branch, restored.back);
  sayResume(restored.logs);
  say(text.UNCHANGED_WORKTREE);
}
