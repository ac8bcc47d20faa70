import { DEFAULT_AGENT } from '../../agents/names.ts';
import { findAgent } from '../../agents/registry.ts';
import { localMinute } from '../../base/clock.ts';
import type { SessionId } from '../../base/ids.ts';
import { shortenLine, showPath } from '../../base/text/text.ts';
import type { RewindPoint } from '../../restore/points.ts';
import type { RewindPreview } from '../../restore/rewind/preview.ts';
import type { RewindResult } from '../../restore/rewind/rewind.ts';
import type { LogLoss } from '../../restore/rewind/to-logs.ts';
import { renderResumeCommand } from '../ui/restored-logs.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import { widthOf } from '../ui/width.ts';
import { withSession } from '../ui/with-session.ts';
import * as text from './text.ts';

/**
 * The points as `rewind --list` prints them: keys in the order of v0.4.4, then `misfit`. Optional ones that are empty
 * are left out.
 */
export const renderPointsJson = (points: readonly RewindPoint[]): string =>
  renderJson(
    points.map((point) => ({
      id: point.id,
      message: point.subject,
      metadata_dir: point.metadataDir,
      date: point.date,
      is_task_checkpoint: point.toolUseId !== undefined,
      tool_use_id: point.toolUseId || undefined,
      is_logs_only: point.kind === 'commit' && point.isLogsOnly,
      condensation_id: point.kind === 'commit' ? point.checkpoint.id : undefined,
      session_id: point.sessionId || undefined,
      session_prompt: point.sessionPrompt || undefined,
      misfit: point.kind === 'commit' ? point.misfit : undefined,
    })),
  );

/** The points for people. @param width columns of the terminal */
export function renderPoints(points: readonly RewindPoint[], width?: number): string {
  if (points.length === 0) return text.NO_POINTS;
  const sessions = new Set(points.map(({ sessionId }) => sessionId));
  const rows = points.map((point) => {
    const session = sessions.size === 1 ? '' : point.sessionId.slice(0, 8);
    const front = `  ${renderFront(point)}`;
    return front + withSession(oneLine(point.subject), session, width && width - widthOf(front));
  });
  return [text.LIST_TITLE, ...rows, '', ...hintsOf(points).map((hint) => text.LIST_HINTS[hint])].join('\n');
}

/** What stands before the subject of a point: its id, time and kind, and that a commit does not fit its checkpoint. */
export const renderFront = (point: RewindPoint): string =>
  `${point.id.slice(0, 7)}  ${shownMinute(point.date)}  ${text.KINDS[kindOf(point)].padEnd(6)}  ${misfitOf(point)}`;

/** The mark of a commit that does not fit its checkpoint; empty for any other point. */
export const misfitOf = (point: RewindPoint): string =>
  point.kind === 'commit' && point.misfit !== undefined ? text.MISFIT : '';

/** What a point is. */
export const kindOf = ({ kind, toolUseId }: RewindPoint): 'step' | 'task' | 'commit' =>
  kind === 'commit' ? 'commit' : toolUseId === undefined ? 'step' : 'task';

type Hint = 'step' | 'commit' | 'own';

/** What going back to a point does. */
const hintOf = (point: RewindPoint): Hint =>
  point.kind === 'step' ? 'step' : point.isLogsOnly ? 'commit' : 'own';

/** What is to be said of some points, each once. */
export const hintsOf = (points: readonly RewindPoint[]): Hint[] =>
  (['step', 'commit', 'own'] as const).filter((hint) => points.some((point) => hintOf(point) === hint));

/** A time by the clock of this machine, to the minute; what is none, as it stands. */
export const shownMinute = (time: string): string => localMinute(time) || oneLine(time);

/** What is about to be deleted, and what stays, before anything is done. Empty when there is nothing to say. */
export function renderPreview({
  verdicts,
  othersWork,
  state,
  sessionId,
  along,
  merged,
  onlyAlone,
}: RewindPreview): string {
  const deleted = (isTracked: boolean): string[] =>
    verdicts.flatMap((verdict) =>
      verdict.kind === 'delete' && verdict.isTracked === isTracked ? showPath(verdict.path) : [],
    );
  const [tracked, untracked] = [deleted(true), deleted(false)];
  return [
    ...(state?.phase === 'active' ? [text.inTurn(sessionId)] : []),
    ...along
      .filter(({ files }) => files.length > 0)
      .map((one) => text.goesAlong(one.sessionId, oneLine(one.agentType), one.files.map(showPath))),
    ...(merged.length > 0 ? [text.mergedFiles(merged.map(showPath))] : []),
    ...(untracked.length > 0 ? [text.uncommittedDeleted(untracked)] : []),
    ...(tracked.length > 0 ? [text.trackedDeleted(tracked)] : []),
    ...(othersWork.length > 0 ? [text.othersWorkGoes(othersWork.map(oneLine))] : []),
    ...verdicts.flatMap((verdict) =>
      verdict.kind === 'leave' ? text.leftPath(showPath(verdict.path), verdict.reason, verdict) : [],
    ),
    ...(onlyAlone.length > 0 ? [text.allTheSame(onlyAlone.map(showPath))] : []),
  ].join('\n');
}

/** What a dry run has to say. */
export function renderDryRun({ verdicts }: RewindPreview): string {
  const lines = verdicts.flatMap(({ kind, path }) => {
    if (kind === 'leave') return [];
    return kind === 'restore' ? text.wouldRestore(showPath(path)) : text.wouldDelete(showPath(path));
  });
  const none = verdicts.length > 0 ? text.NOTHING_GOES : text.NOTHING_DIFFERS;
  return [...(lines.length > 0 ? lines : [none]), text.DRY_RUN].join('\n');
}

/** Which turns logs lose; empty where they lose none. */
export const renderLosses = (losses: readonly LogLoss[]): string =>
  losses
    .flatMap(({ sessionId, prompts, isAtWork }) => [
      ...(isAtWork ? [text.inTurn(sessionId)] : []),
      text.cutsOff(sessionId, prompts.map(showPrompt)),
    ])
    .join('\n');

/** Names of turns, not whole prompts. */
export const showPrompt = (prompt: string): string => shortenLine(oneLine(prompt), 40);

/** Sessions with work that no commit has, and its files. */
export const renderUncommittedOf = (losses: readonly LogLoss[]): string =>
  losses.map(({ sessionId, files }) => text.notCommitted(sessionId, files.map(showPath))).join('; ');

/** What was done to files and branch, for stderr. */
export function renderDone({ deleted, restored, left, isBranchReset, preview }: RewindResult): string {
  const { cut, otherSteps } = preview;
  const branch = cut.ref.replace('refs/heads/', '');
  return [
    ...deleted.map((path) => text.deletedPath(showPath(path))),
    ...restored.map((path) => text.restoredPath(showPath(path))),
    ...[...left].map(([path, why]) => text.leftFor(showPath(path), oneLine(why))),
    ...(isBranchReset ? [text.branchReset(branch, cut.target.commit.oid.slice(0, 7))] : []),
    ...(isBranchReset && otherSteps > 0 ? [text.othersKept(otherSteps)] : []),
  ].join('\n');
}

/** The command that goes on with the session one went back in. */
export function resumeCommandOf(sessionId: SessionId, agentType: string): string {
  const agent = agentType === '' ? DEFAULT_AGENT : findAgent(agentType);
  return agent ? renderResumeCommand({ agent, sessionId }) : text.goOnWith(oneLine(agentType));
}

/** How the list is coloured. */
export const TONES: readonly RegExp[] = [
  /^ {2}(?<id>[0-9a-f]{7}) {2}(?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d) {2}(?:(?<open>step|task)|(?<good>commit)) .*? {2}(?<quiet2>\((?:session )?\w+\))$/d,
  /^ {2}(?<id>[0-9a-f]{7}) {2}(?<quiet>\d{4}-\d\d-\d\d \d\d:\d\d) {2}(?:(?<open>step|task)|(?<good>commit)) /d,
];
