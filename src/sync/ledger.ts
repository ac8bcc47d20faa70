import { join } from 'node:path';
import { now, renderUtc } from '../base/clock.ts';
import { describeError, EntireError } from '../base/errors.ts';
import { disk, openToAppend, writeAll } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { newId } from '../base/ids.ts';
import { log } from '../base/log.ts';

/** What is about to leave. */
export interface Outgoing {
  /** Name of the remote, or where it is, without credentials. */
  readonly remote: string;
  /** Without credentials. */
  readonly url: string;
  /** The remote's tip as far as it was known; `null` where it had none. */
  readonly from: string | null;
  readonly to: string;
  /** Checkpoints that are new there, or changed. */
  readonly checkpoints: number;
  /** Commits whose notes are new there, or others; missing where none go. */
  readonly notes?: number;
  /** A ref that is taken away there, once all of it is somewhere else there. */
  readonly removed?: string;
  /** Of objects, compressed. */
  readonly bytes: number;
}

/** One push, from `<git-common-dir>/entire/pushes.jsonl`. */
export interface PushRecord extends Outgoing {
  readonly at: string;
  /** `unknown`: we were stopped before there was an answer, and it may have left. */
  readonly result: 'pushed' | 'failed' | 'unknown';
  readonly reason?: string;
}

const ledgerFile = (commonDir: string): string => join(commonDir, 'entire', 'pushes.jsonl');

/**
 * Notes a push before it begins: what cannot be written down does not leave. Nothing is ever removed from the file.
 *
 * @returns a function that notes how it ended
 * @throws {EntireError} `WRITE_FAILED`
 */
export function recordPush(
  commonDir: string,
  outgoing: Outgoing,
): (result: PushRecord['result'], reason?: string) => void {
  const id = newId();
  append(commonDir, { id, at: renderUtc(now()), state: 'started', ...outgoing });
  return (result, reason) => {
    try {
      append(commonDir, { id, at: renderUtc(now()), state: 'ended', result, reason });
    } catch (error) {
      log('warn', 'end of a push not recorded', { result, error: describeError(error) }); // it reads as unknown
    }
  };
}

function append(commonDir: string, line: object): void {
  const file = ledgerFile(commonDir);
  try {
    disk.mkdirSync(join(file, '..'), { recursive: true, mode: 0o750 });
    const fd = openToAppend(file);
    try {
      // A line that a killed process left unfinished must not swallow this one.
      writeAll(fd, Buffer.from(`\n${JSON.stringify(line)}\n`));
    } finally {
      disk.closeSync(fd);
    }
  } catch (cause) {
    throw new EntireError('WRITE_FAILED', `${file} cannot be written, and nothing leaves unrecorded`, {
      cause,
    });
  }
}

/** All pushes, oldest first; lines that do not parse are passed over. */
export function readPushes(commonDir: string): PushRecord[] {
  const pushes = new Map<string, PushRecord>();
  for (const text of (readOwnText(ledgerFile(commonDir), 'list') ?? '').split('\n')) {
    const line = parseLine(text);
    if (!line) continue;
    const { id, state, ...rest } = line;
    const known = pushes.get(id);
    if (state === 'started') pushes.set(id, { ...(rest as unknown as PushRecord), result: 'unknown' });
    else if (known) pushes.set(id, { ...known, ...(rest as Partial<PushRecord>), at: known.at });
  }
  return [...pushes.values()];
}

function parseLine(text: string): ({ id: string; state: string } & Record<string, unknown>) | undefined {
  if (text === '') return undefined;
  try {
    const value = JSON.parse(text) as { id?: unknown; state?: unknown; to?: unknown } | null;
    const isStart = value?.state === 'started' && typeof value.to === 'string';
    return typeof value?.id === 'string' && (isStart || value.state === 'ended')
      ? (value as never)
      : undefined;
  } catch {
    return undefined; // a torn line of a killed process
  }
}
