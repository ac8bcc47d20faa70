import { basename, dirname, join } from 'node:path';
import { now } from '../../base/clock.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { createFileAtomic, isTemporaryName, writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { newId, type SessionId } from '../../base/ids.ts';
import { type LogPlace, type LogPlan, type RestoredLog, readIfThere } from './logs.ts';

/**
 * Writes logs into the agents' folders, each whole or not at all, and leaves those alone that hold what is stored or more.
 * What is replaced is kept first: nothing is ever lost. Whoever calls this has asked about logs that are newer here.
 *
 * @throws {EntireError} `WRITE_FAILED`; the logs before that one are restored
 */
export function writeLogs({ repo, onProgress }: LogPlace, logs: readonly LogPlan[]): RestoredLog[] {
  return logs.map((log, at) => {
    onProgress?.('Writing transcripts', at, logs.length);
    if (log.state === 'unchanged') return { ...log, outcome: 'left', kept: undefined };
    try {
      const kept = keepLog(repo.commonDir, log);
      removeLeftovers(log.file);
      writeFileAtomic(log.file, log.bytes, { mode: 0o600, fsync: true });
      return { ...log, outcome: 'written', kept };
    } catch (cause) {
      throw new EntireError('WRITE_FAILED', `${log.file} could not be written: ${describeError(cause)}`, {
        hint: 'What was there is as it was. Make room or correct the permissions, and run the command again.',
        cause,
      });
    }
  });
}

/** Where logs are kept that a restored one replaced. */
export const replacedLogsDir = (commonDir: string): string => join(commonDir, 'entire', 'replaced-logs');

/** Puts a log that is about to be replaced where no agent lists it; `undefined` when there is none. @throws the system error */
export function keepLog(commonDir: string, { file, sessionId }: LogPlan): string | undefined {
  const kept = keptFile(commonDir, sessionId);
  try {
    disk.chmodSync(file, 0o600); // it is ours from now on, and so is its successor
    disk.mkdirSync(dirname(kept), { recursive: true, mode: 0o750 });
    // A link also has what its agent, if it runs, is writing at this moment.
    disk.linkSync(file, kept);
    return kept;
  } catch {
    // Another disk, one without links, or nothing to link: reading it tells.
  }
  const bytes = readIfThere(file);
  if (bytes) createFileAtomic(kept, bytes, { mode: 0o600, fsync: true });
  return bytes && kept;
}

/** A write that was killed leaves a temporary file in the agent's folder, under a name that no agent lists. */
const ABANDONED_MS = 60_000;

export function removeLeftovers(file: string): void {
  const [folder, name] = [dirname(file), basename(file)];
  for (const other of listNames(folder)) {
    if (!other.startsWith(`${name}.`) || !isTemporaryName(other)) continue;
    const leftover = join(folder, other);
    const age = now().getTime() - (disk.statSync(leftover, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > ABANDONED_MS) disk.rmSync(leftover, { force: true });
  }
}

/** Logs that were kept, of any session, and when that was. Names of another form are not ours. */
export function listReplacedLogs(
  commonDir: string,
): Array<{ readonly file: string; readonly keptAtMs: number }> {
  const root = replacedLogsDir(commonDir);
  return listNames(root).flatMap((session) => {
    const dir = join(root, session);
    if (!disk.lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return [];
    return listNames(dir).flatMap((name) => {
      const [, date, time] = /^(\d{8})T(\d{6})Z-[0-9a-f]{12}\.jsonl$/.exec(name) ?? [];
      if (date === undefined || time === undefined) return [];
      const [day, hour] = [date.replace(/(....)(..)/, '$1-$2-'), time.replace(/(..)(..)/, '$1:$2:')];
      return [{ file: join(dir, name), keptAtMs: Date.parse(`${day}T${hour}Z`) }];
    });
  });
}

/** A new name among the logs that are kept of a session. */
export function keptFile(commonDir: string, sessionId: SessionId): string {
  const stamp = now().toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
  return join(replacedLogsDir(commonDir), sessionId, `${stamp}-${newId()}.jsonl`);
}
