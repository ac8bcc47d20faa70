import { readLastTime } from '../../agents/shared/transcript/last-time.ts';
import { isObject, parseJson } from '../../base/text/json.ts';

/** What restoring a stored log means for the one that lies here. */
export type LogState =
  /** There is none here, or one of the two does not say when it was written. */
  | 'new'
  /** The one here holds what is stored, and perhaps more; it was never redacted. */
  | 'unchanged'
  | 'checkpoint-newer'
  | 'local-newer'
  /** The stored one ends later, and lacks messages of the one here: it does not go on from it, whoever wrote it. */
  | 'apart';

/** The log here would lose something. */
export const wouldLose = (state: LogState): boolean => state === 'local-newer' || state === 'apart';

export interface LogComparison {
  readonly state: LogState;
  /** When the last entry was written, in milliseconds since 1970. */
  readonly localMs: number | undefined;
  readonly storedMs: number | undefined;
}

/** Compares a log as it lies here, if it does, with the stored one. */
export function compareLogs(local: Buffer | undefined, stored: Buffer): LogComparison {
  const localMs = local && readLastTime(local);
  const storedMs = readLastTime(stored);
  return { state: judge(local, stored, localMs, storedMs), localMs, storedMs };
}

function judge(
  local: Buffer | undefined,
  stored: Buffer,
  localMs: number | undefined,
  storedMs: number | undefined,
): LogState {
  if (!local || local.length === 0) return 'new';
  if (local.equals(stored)) return 'unchanged';
  if (localMs === undefined || storedMs === undefined) return startsWith(local, stored) ? 'unchanged' : 'new';
  if (localMs > storedMs) return 'local-newer';
  if (localMs < storedMs) return hasOwn(local, stored) ? 'apart' : 'checkpoint-newer';
  return holdsLinesOf(local, stored) ? 'unchanged' : 'checkpoint-newer';
}

const startsWith = (local: Buffer, stored: Buffer): boolean =>
  local.length > stored.length && local.subarray(0, stored.length).equals(stored);

/** Redaction changes what lines say, and neither their number nor their ids. */
function holdsLinesOf(local: Buffer, stored: Buffer): boolean {
  const [here, there] = [readLines(local), readLines(stored)];
  if (here.count < there.count) return false;
  return [...there.ids].every((id) => here.ids.has(id));
}

function hasOwn(local: Buffer, stored: Buffer): boolean {
  const { ids } = readLines(stored);
  return [...readLines(local).ids].some((id) => !ids.has(id));
}

function readLines(transcript: Buffer): { count: number; ids: ReadonlySet<string> } {
  const ids = new Set<string>();
  let count = 0;
  for (let at = 0; at < transcript.length; ) {
    const next = transcript.indexOf(NEWLINE, at);
    const end = next === -1 ? transcript.length : next;
    const line = transcript.toString('utf8', at, end);
    at = end + 1;
    if (line.trim() === '') continue;
    count++;
    const value = parseJson(line);
    if (isObject(value) && typeof value.uuid === 'string') ids.add(value.uuid);
  }
  return { count, ids };
}

const NEWLINE = 0x0a;
