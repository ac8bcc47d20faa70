import { now, renderUtc } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { readLogs } from '../../base/file/log-tail.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { RULE_SKIPPED } from '../../checkpoint/redact/find.ts';
import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';

/** Something that went wrong, as often as it did lately. */
export interface LogFailure {
  /** When it was last said. */
  readonly time: string;
  readonly message: string;
  readonly count: number;
}

/** Lines of the log that say that something went wrong. */
export interface LogLine {
  readonly time: string;
  readonly message: string;
}

/** What a person can see from a line beside its message. */
const DETAILS = ['hook', 'what', 'error', 'file'];
const RECENT_MS = 24 * 60 * 60 * 1000;

/** What went wrong in a worktree in the last day, oldest first: warnings and errors of hooks and commands. */
export function readLogFailures(root: string): LogFailure[] {
  try {
    return groupFailures(readLines(root), now().getTime());
  } catch (error) {
    return [{ time: renderUtc(now()), message: describeError(error), count: 1 }];
  }
}

const readLines = (root: string): LogLine[] => readLogs(root).split('\n').flatMap(parseLine);

function parseLine(line: string): LogLine[] {
  if (!line.includes('"WARN"') && !line.includes('"ERROR"')) return []; // most lines: not worth parsing
  const value = parseJson(line);
  if (!isObject(value) || (value.level !== 'WARN' && value.level !== 'ERROR')) return [];
  if (value.component === 'doctor') return []; // what we said ourselves while we repaired
  if (value.msg === RULE_SKIPPED) return []; // whoever asks looks at the rules of today
  const details = DETAILS.flatMap((key) => (value[key] ? [String(value[key])] : []));
  return [{ time: String(value.time), message: [String(value.msg), ...details].join(': ') }];
}

/** The same failure is told once, with the time it was last given. */
export function groupFailures(lines: readonly LogLine[], nowMs: number): LogFailure[] {
  const groups = new Map<string, LogFailure>();
  for (const { time, message } of lines) {
    if (!(nowMs - Date.parse(time) <= RECENT_MS)) continue;
    const count = (groups.get(message)?.count ?? 0) + 1;
    groups.delete(message); // the newest stand last
    groups.set(message, { time, message, count });
  }
  return [...groups.values()];
}

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
