import { EntireError } from '../../base/errors.ts';
import { countUncommittedLines, type LineCounts } from '../../git/commit/line-counts.ts';
import { showWithGit } from '../../git/show.ts';
import { resetHard } from '../../git/worktree/switch.ts';
import type { Branch } from '../../history/branch.ts';
import type { LogPlan } from '../../restore/log/logs.ts';
import type { CommitPoint } from '../../restore/points.ts';
import { previewReset, type ResetPreview, type ResetResult, resetTo } from '../../restore/rewind/reset.ts';
import type { LogsBack } from '../../restore/rewind/to-logs.ts';
import { workIn } from '../../strategy/work.ts';
import { confirm, oneLine, say, warn } from '../ui/terminal.ts';
import { findCommand } from '../undo/step-sessions.ts';
import * as text from './text.ts';
import {
  agreeToLosses,
  planPointLogs,
  restorePointLogs,
  sayLosses,
  sayResume,
  sayTakeBack,
  writePointLogs,
} from './to.ts';

const short = ({ id }: CommitPoint): string => id.slice(0, 7);

/** What somebody should know before the branch is moved; empty when there is nothing. */
export function describeReset(branch: Branch, preview: ResetPreview): string {
  const counts = countUncommittedLines(branch.git, [...preview.uncommitted.keys()]);
  return renderWarnings(preview, renderUncommitted(preview, counts));
}

/** Moves the branch, and restores the transcripts: `rewind --to … --reset`. Asks nothing; refuses before it does anything. */
export async function resetBranch(branch: Branch, point: CommitPoint, isForced: boolean): Promise<void> {
  const logs = await planPointLogs(branch, point);
  if (!(await agreeToLosses(branch, logs, isForced))) return;
  const result = await moveBranch(branch, point);
  await restoreAfter(branch, point, logs, result);
}

/** The transcripts, once the branch is moved: also where they cannot be restored it is said how that is taken back. */
async function restoreAfter(
  branch: Branch,
  point: CommitPoint,
  logs: readonly LogPlan[],
  result: ResetResult,
): Promise<void> {
  const back = await writePointLogs(branch, point, logs);
  if (back.failure === undefined) sayResume(logs);
  await sayUndo(branch, point, result, back);
  if (back.failure !== undefined) throw back.failure;
}

/** Says what {@link resetBranch} would do; as a diff, what it would make of tracked files. */
export async function previewResetBranch(branch: Branch, point: CommitPoint, isDiff: boolean): Promise<void> {
  const warnings = describeReset(branch, previewReset(workIn(branch.repo), branch, point));
  if (warnings !== '') warn(warnings);
  say(text.wouldReset(short(point)));
  sayLosses(branch, await planPointLogs(branch, point));
  say(text.DRY_RUN);
  if (isDiff)
    await showWithGit(branch.git, [
      'diff',
      ...(process.stdout.isTTY ? [] : ['--no-ext-diff']),
      '-R',
      point.id,
      '--',
    ]);
}

/** The same with a question: the transcripts stay restored where the answer is no. */
export async function offerReset(branch: Branch, point: CommitPoint): Promise<void> {
  const restored = await restorePointLogs(branch, point);
  if (!restored) return;
  const { logs, back } = restored;
  let result: ResetResult | undefined;
  try {
    const preview = previewReset(workIn(branch.repo), branch, point);
    const question = text.resetQuestion(short(point), describeReset(branch, preview));
    if (!(await confirm(question))) return say(text.RESET_CANCELLED);
    result = await moveBranch(branch, point, preview);
  } finally {
    if (!result) await sayTakeBack(branch, back); // else it is another command
  }
  sayResume(logs);
  await sayUndo(branch, point, result, back);
}

/** @param agreed what somebody agreed to; where it is another matter by now, nothing is done */
async function moveBranch(branch: Branch, point: CommitPoint, agreed?: ResetPreview): Promise<ResetResult> {
  const result = await resetTo(
    branch,
    point,
    (preview) => {
      if (!agreed) {
        const warnings = describeReset(branch, preview);
        if (warnings !== '') warn(warnings);
      } else if (`${preview.overwritten}` !== `${agreed.overwritten}`) throw changed();
    },
    resetHard,
  );
  sayKept(result);
  say(text.branchMoved(short(point)));
  return result;
}

function sayKept(result: ResetResult): void {
  const kept = renderKeptByReset(result);
  if (kept !== '') warn(kept);
}

const changed = (): EntireError =>
  new EntireError('REF_MOVED', 'files changed while they were looked at, so the branch was not moved', {
    hint: 'An agent may be at work here. Run the command again.',
  });

/** The branch first: git would throw away what came back before. */
async function sayUndo(
  { head, repo }: Branch,
  { id }: CommitPoint,
  { overwritten, recordId }: ResetResult,
  { recordIds }: LogsBack,
): Promise<void> {
  const ids = new Set([...(overwritten.length > 0 ? [recordId] : []), ...recordIds]);
  const commands = [
    ...(head !== undefined && head !== id ? [`git reset --hard ${head.slice(0, 7)}`] : []),
    ...(ids.size > 0 ? [(await findCommand(repo, 'undo', ids)) ?? 'entire undo --list'] : []),
  ];
  if (commands.length > 0) say(text.undoReset(commands));
}

/** Goes back to a commit of auto-commit that only this branch has: it refuses where something is not committed. */
export async function goToOwnCommit(branch: Branch, point: CommitPoint, isForced = false): Promise<void> {
  const logs = await planPointLogs(branch, point);
  if (!(await agreeToLosses(branch, logs, isForced))) return;
  const result = await resetTo(branch, point, refuseUncommitted, resetHard);
  sayKept(result);
  say(text.resetToCommit(short(point)));
  await restoreAfter(branch, point, logs, result);
}

/** @throws {EntireError} `COMMIT_REFUSED` */
export function refuseUncommitted(preview: ResetPreview): void {
  if (preview.uncommitted.size > 0)
    throw new EntireError('COMMIT_REFUSED', renderRefusal(preview), { hint: text.COMMIT_OR_STASH });
}

/** Tracked files with changes, and how many lines. Empty when there are none. */
export function renderUncommitted(
  { uncommitted }: ResetPreview,
  counts: ReadonlyMap<string, LineCounts>,
): string {
  const paths = [...uncommitted.keys()].sort();
  if (paths.length === 0) return '';
  const rows = paths.map((path) => {
    const stats = renderStats(counts.get(path));
    const status = `${uncommitted.get(path)}:`.padEnd(10);
    return `  ${status} ${oneLine(path)}${stats === '' ? '' : ` (${stats})`}`;
  });
  const known = paths.flatMap((path) => counts.get(path) ?? []);
  const sum = (key: keyof LineCounts): number => known.reduce((total, lines) => total + lines[key], 0);
  const total = known.length > 0 ? [`\nTotal: +${sum('added')}/-${sum('removed')} lines`] : [];
  return [text.WILL_REVERT, ...rows, ...total].join('\n');
}

function renderStats(lines: LineCounts | undefined): string {
  if (!lines) return '';
  const { added, removed } = lines;
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])].join('/');
}

/** Why somebody may not want this reset; empty when there is no reason. */
export function renderWarnings(preview: ResetPreview, uncommitted: string): string {
  const loose = preview.overwritten.filter((path) => !preview.uncommitted.has(path)).map(oneLine);
  return [
    ...(uncommitted === '' ? [] : [`• ${uncommitted}`]),
    ...(loose.length > 0 ? [text.willOverwrite(loose)] : []),
    ...(preview.orphaned > 0 ? [text.orphaned(preview.orphaned)] : []),
  ].join('\n');
}

/** What a reset did, for stderr: where what it overwrote is. */
export function renderKeptByReset({ overwritten, stagedRef }: ResetResult): string {
  return [
    ...(overwritten.length > 0 ? [text.keptFiles(overwritten.length)] : []),
    ...(stagedRef === undefined ? [] : [text.keptStaged(stagedRef)]),
  ].join('\n');
}

/** What keeps auto-commit from going back. */
export function renderRefusal({ uncommitted }: ResetPreview): string {
  const row = (path: string, kind: string): string => `  ${`${kind}:`.padEnd(11)} ${oneLine(path)}`;
  const rows = [...uncommitted].map(([path, kind]) => row(path, kind)).sort();
  return [text.UNCOMMITTED, ...rows].join('\n');
}
