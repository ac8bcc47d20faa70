import { EntireError } from '../base/errors.ts';
import { countUncommittedLines } from '../git/line-counts.ts';
import { resetHard } from '../git/switch.ts';
import type { Branch } from '../history/branch.ts';
import type { CommitPoint } from '../restore/points.ts';
import { previewReset, type ResetPreview, type ResetResult, resetTo } from '../restore/rewind-reset.ts';
import { workIn } from '../strategy/work.ts';
import * as text from './rewind-messages.ts';
import { renderKeptByReset, renderRefusal, renderUncommitted, renderWarnings } from './rewind-reset-view.ts';
import { planPointLogs, restorePointLogs, sayResume, writePointLogs } from './rewind-to.ts';
import { findCommand } from './step-sessions.ts';
import { confirm, say, warn } from './terminal.ts';

const short = ({ id }: CommitPoint): string => id.slice(0, 7);

/** What somebody should know before the branch is moved; empty when there is nothing. */
export function describeReset(branch: Branch, preview: ResetPreview): string {
  const counts = countUncommittedLines(branch.git, [...preview.uncommitted.keys()]);
  return renderWarnings(preview, renderUncommitted(preview, counts));
}

/** Moves the branch, and restores the transcripts: `rewind --to … --reset`. Asks nothing; refuses before it does anything. */
export async function resetBranch(branch: Branch, point: CommitPoint): Promise<void> {
  const logs = await planPointLogs(branch, point);
  await moveBranch(branch, point);
  await writePointLogs(branch, logs);
  sayResume(logs);
  sayUndo(branch, point);
}

/** Says what {@link resetBranch} would do. */
export function previewResetBranch(branch: Branch, point: CommitPoint): void {
  const warnings = describeReset(branch, previewReset(workIn(branch.repo), branch, point));
  if (warnings !== '') warn(warnings);
  say(`${text.wouldReset(short(point))}\n${text.DRY_RUN}`);
}

/** The same with a question: the transcripts stay restored where the answer is no. */
export async function offerReset(branch: Branch, point: CommitPoint): Promise<void> {
  const logs = await restorePointLogs(branch, point);
  const preview = previewReset(workIn(branch.repo), branch, point);
  const question = text.resetQuestion(short(point), describeReset(branch, preview));
  if (!(await confirm(question))) return say(text.RESET_CANCELLED);
  await moveBranch(branch, point, preview);
  sayResume(logs);
  sayUndo(branch, point);
}

/** @param agreed what somebody agreed to; where it is another matter by now, nothing is done */
async function moveBranch(branch: Branch, point: CommitPoint, agreed?: ResetPreview): Promise<void> {
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
  await sayKept(branch, result);
  say(text.branchMoved(short(point)));
}

async function sayKept({ repo }: Branch, result: ResetResult): Promise<void> {
  const command = await findCommand(repo, 'undo', new Set([result.recordId]));
  const kept = renderKeptByReset(result, command ?? 'entire undo --list');
  if (kept !== '') warn(kept);
}

const changed = (): EntireError =>
  new EntireError('REF_MOVED', 'files changed while they were looked at, so the branch was not moved', {
    hint: 'An agent may be at work here. Run the command again.',
  });

function sayUndo({ head }: Branch, { id }: CommitPoint): void {
  if (head !== undefined && head !== id) say(text.undoReset(head.slice(0, 7)));
}

/** Goes back to a commit of auto-commit that only this branch has: it refuses where something is not committed. */
export async function goToOwnCommit(branch: Branch, point: CommitPoint): Promise<void> {
  const logs = await planPointLogs(branch, point);
  await sayKept(branch, await resetTo(branch, point, refuseUncommitted, resetHard));
  say(text.resetToCommit(short(point)));
  await writePointLogs(branch, logs);
  sayResume(logs);
  sayUndo(branch, point);
}

/** @throws {EntireError} `COMMIT_REFUSED` */
export function refuseUncommitted(preview: ResetPreview): void {
  if (preview.uncommitted.size > 0)
    throw new EntireError('COMMIT_REFUSED', renderRefusal(preview), { hint: text.COMMIT_OR_STASH });
}
