import { join } from 'node:path';
import { disk, listNames } from '../base/disk.ts';
import { describeError, errnoOf } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { finalName, isTemporaryName } from '../base/write-file-atomic.ts';

/** A write takes milliseconds. A process of another container may have a pid that nobody has here. */
const GRACE_MS = 60_000;

/** Folders that this process has looked at. */
const seen = new Set<string>();

/**
 * Removes what writers that were killed left beside the states of sessions: at once of the session whose lock we hold, since nobody else
 * writes there; of others once no living writer can be that slow. Looks once in each process. Never throws.
 */
export function removeKilledWrites(dir: string, locked: SessionId): void {
  if (seen.has(dir)) return;
  seen.add(dir);
  try {
    const now = Date.now();
    for (const name of listNames(dir).filter(isTemporaryName)) {
      const file = join(dir, name);
      const pid = Number(/\.(\d+)-[0-9a-f]{12}\.tmp$/.exec(name)?.[1]);
      if (isAlive(pid)) continue;
      const stat = disk.lstatSync(file, { throwIfNoEntry: false });
      const isOver = finalName(name) === `${locked}.json` || now - (stat?.mtimeMs ?? now) > GRACE_MS;
      if (stat?.isFile() && isOver) disk.rmSync(file, { force: true });
    }
  } catch (error) {
    log('warn', 'temporary files of killed hooks not removed', { dir, error: describeError(error) });
  }
}

/** Whether a process of this machine has that pid; of other users, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
