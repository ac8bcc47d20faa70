import { now, renderUtc } from '../base/clock.ts';
import { describeError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';
import { readLogTail } from '../base/log-tail.ts';
import { type Finding, found } from './finding.ts';
import type { Patient } from './patient.ts';

/** Lines of the log that say that something went wrong. */
export interface RecentFacts {
  readonly nowMs: number;
  readonly lines: readonly LogLine[];
}

export interface LogLine {
  readonly time: string;
  readonly message: string;
}

/** From the end of the log: days of it. */
const TAIL_BYTES = 256 * 1024;
/** What a person can see from a line beside its message. */
const DETAILS = ['hook', 'what', 'error', 'file'];

export function readRecent({ repo, activation }: Patient): RecentFacts {
  const root = 'root' in activation ? activation.root : repo.worktreeRoot;
  const nowMs = now().getTime();
  let text: string;
  try {
    text = readLogTail(root, TAIL_BYTES);
  } catch (error) {
    return { nowMs, lines: [{ time: renderUtc(now()), message: describeError(error) }] };
  }
  const lines = text.split('\n').flatMap((line): LogLine[] => {
    const value = parseJson(line);
    if (!isObject(value) || (value.level !== 'WARN' && value.level !== 'ERROR')) return [];
    if (value.component === 'doctor') return []; // what we said ourselves while we repaired
    const details = DETAILS.flatMap((key) => (value[key] ? [String(value[key])] : []));
    return [{ time: String(value.time), message: [String(value.msg), ...details].join(': ') }];
  });
  return { nowMs, lines };
}

const RECENT_MS = 24 * 60 * 60 * 1000;
const SHOWN = 10;

/** What went wrong in the last day; the same reason is told once, with the time it was last given. */
export function judgeRecent({ nowMs, lines }: RecentFacts): Finding[] {
  const groups = new Map<string, { count: number; time: string }>();
  for (const { time, message } of lines) {
    if (!(nowMs - Date.parse(time) <= RECENT_MS)) continue;
    const count = (groups.get(message)?.count ?? 0) + 1;
    groups.delete(message); // the newest stand last
    groups.set(message, { count, time });
  }
  if (groups.size === 0) return [];
  const items = [...groups].slice(-SHOWN).map(([message, { count, time }]) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return `${time} ${message}${times}`;
  });
  return [found('hook-failures', items)];
}
