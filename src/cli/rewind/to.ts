import { EntireError } from '../../base/errors.ts';
import { tellMisfit } from '../../checkpoint/read/fit.ts';
import type { Branch } from '../../history/branch.ts';
import type { LogPlace, LogPlan, LogPlans } from '../../restore/log/logs.ts';
import { writeLogs } from '../../restore/log/logs-write.ts';
import type { RewindPoint, StepPoint } from '../../restore/points.ts';
import { planCheckpointLogs, planStepLog } from '../../restore/rewind/logs.ts';
import type { RewindPreview } from '../../restore/rewind/preview.ts';
import { previewStep, type RewindResult, rewindToStep } from '../../restore/rewind/rewind.ts';
import { changesOfRewind } from '../../restore/would-change.ts';
import { showPreviews } from '../diff/show.ts';
import { type Progress, withProgress } from '../ui/progress.ts';
import { renderKept, renderRestoring, renderResumeCommands, renderSkipped } from '../ui/restored-logs.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import { findCommand } from '../undo/step-sessions.ts';
import * as text from './text.ts';
import { renderDone, renderDryRun, renderPreview, resumeCommandOf } from './view.ts';

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
      ...(agreed ? { agreed } : { onPreview: (preview) => warnIfAny(renderPreview(preview)) }),
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

/** Says what {@link goToStep} would do. */
export async function previewGoToStep(
  branch: Branch,
  point: StepPoint,
  { isDiff, ...how }: { readonly isSessionOnly: boolean; readonly isDiff: boolean },
): Promise<void> {
  const preview = await previewStep(branch, point, how);
  warnIfAny(renderPreview(preview));
  if (!isDiff) return say(renderDryRun(preview));
  const { sessionId: session } = preview;
  const changes = changesOfRewind(branch.repo, preview);
  await showPreviews(branch.repo, [{ session, message: renderDryRun(preview), changes }]);
}

/** Restores the transcripts of a point, and nothing else. @throws {EntireError} `NOT_FOUND` when there are none */
export async function restorePointLogs(branch: Branch, point: RewindPoint): Promise<readonly LogPlan[]> {
  const logs = await planPointLogs(branch, point);
  await writePointLogs(branch, logs);
  return logs;
}

/** Writes what {@link planPointLogs} found, and says so. */
export async function writePointLogs(branch: Branch, logs: readonly LogPlan[]): Promise<void> {
  warn(renderRestoring(logs));
  const written = await withProgress((progress) => writeLogs(placeOf(branch, progress), logs));
  warnIfAny(renderKept(written));
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
  const { log } = planStepLog(place, branch, point, undefined);
  return 'why' in log ? { logs: [], skipped: [log] } : { logs: [log], skipped: [] };
}

/** Says what {@link goToLogs} would do. */
export async function previewLogs(branch: Branch, point: RewindPoint): Promise<void> {
  for (const { file, state } of await planPointLogs(branch, point))
    say(state === 'unchanged' ? text.logStays(plain(file)) : text.wouldWrite(plain(file)));
  say(text.DRY_RUN);
}

export const sayResume = (logs: readonly LogPlan[]): void =>
  say(renderResumeCommands(logs, { lead: text.RESUME_LEAD }));

/** The transcripts alone: the files stay, and this says so. */
export async function goToLogs(branch: Branch, point: RewindPoint): Promise<void> {
  sayResume(await restorePointLogs(branch, point));
  say(text.UNCHANGED_WORKTREE);
}
