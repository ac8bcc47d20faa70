import { counted, renderBytes } from '../../base/text/text.ts';
import type { Collected } from '../../snapshot/store/collect.ts';
import { renderJson } from '../ui/terminal.ts';

const OVER_BUDGET = 'Each session keeps its newest step: together they take more than the budget.';

const isOver = ({ totalBytes, unnamed, evicted }: Collected, budgetBytes: number): boolean =>
  totalBytes - unnamed.bytes - evicted.reduce((sum, { bytes }) => sum + bytes, 0) > budgetBytes;

/** The report for people: what went, and why. */
export function renderCollected(report: Collected, budgetBytes: number, isDryRun: boolean): string {
  const { totalBytes, unnamed, evicted, skipped } = report;
  const would = isDryRun ? 'would be ' : '';
  const lines = [
    `Kept for undo: ${renderBytes(totalBytes)} of ${renderBytes(budgetBytes)}.`,
    ...(unnamed.files > 0
      ? [
          `${counted(unnamed.files, 'content')} that no step needs ${would}removed: ${renderBytes(unnamed.bytes)}`,
        ]
      : []),
    ...evicted.map(
      ({ session, steps, bytes, until }) =>
        `${counted(steps, 'step')} of ${session} ${would}removed, beyond the budget: ${renderBytes(bytes)}; those up to ${until} cannot be undone any more`,
    ),
    ...(isOver(report, budgetBytes) ? [OVER_BUDGET] : []),
    ...skipped.map(({ session, why }) => `${session} left alone: ${why}`),
  ];
  return lines.length === 1 ? `${lines[0]} Nothing to remove.` : lines.join('\n');
}

/** The report for programs. */
export const renderCollectedJson = (
  { totalBytes, unnamed, evicted, skipped }: Collected,
  budgetBytes: number,
  isDryRun: boolean,
): string =>
  renderJson({
    dry_run: isDryRun,
    budget_bytes: budgetBytes,
    total_bytes: totalBytes,
    unnamed,
    evicted: evicted.map(({ session, steps, bytes, until }) => ({
      session_id: session,
      steps,
      bytes,
      until,
    })),
    skipped: skipped.map(({ session, why }) => ({ session_id: session, reason: why })),
  });
