import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';
import { type LogFailure, readLogFailures } from './log-failures.ts';

export function readRecent({ repo, activation }: Patient): LogFailure[] {
  return readLogFailures('root' in activation ? activation.root : repo.worktreeRoot);
}

const SHOWN = 10;

/** What went wrong in the last day. */
export function judgeRecent(failures: readonly LogFailure[]): Finding[] {
  const items = failures.slice(-SHOWN).map(({ time, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return `${time} ${message}${times}`;
  });
  return foundSome('hook-failures', items);
}
