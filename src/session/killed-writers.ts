import { join } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk, listNames } from '../base/file/disk.ts';
import { finalName, isTemporaryName } from '../base/file/write-file-atomic.ts';
import { log } from '../base/log.ts';
import { isAlive } from '../base/process/pids.ts';

/** A write takes milliseconds. A process of another container may have a pid that nobody has here. */
const GRACE_MS = 60_000;
/** No writer takes as long: whoever has its pid now is another one. */
const ABANDONED_MS = 3_600_000;

/** Temporary files that a listing came across which was made for something else, by folder. */
const noticed = new Map<string, readonly string[]>();

/** Takes note of what {@link removeNoticed} is to look at: no folder is listed for that alone. */
export function noticeTemporary(dir: string, names: readonly string[]): void {
  const temporary = names.filter(isTemporaryName);
  if (temporary.length > 0) noticed.set(dir, temporary);
}

/** {@link removeKilledWrites} of what was noticed in a folder. */
export function removeNoticed(dir: string, locked: string): void {
  const names = noticed.get(dir);
  if (!names) return;
  noticed.delete(dir);
  removeKilledWrites(dir, locked, names);
}

/**
 * Removes what writers that were killed left in a folder of sessions: at once where it was to become the file whose lock we hold, since
 * nobody else writes that; of others once no living writer can be that slow. Never throws: what cannot be removed stays for the next one.
 *
 * @param locked name of that file
 * @param names what is looked at; default: the whole folder, which costs more the more sessions there are
 */
export function removeKilledWrites(dir: string, locked: string, names?: readonly string[]): void {
  try {
    for (const name of (names ?? listNames(dir)).filter(isTemporaryName)) {
      const file = join(dir, name);
      const stat = disk.lstatSync(file, { throwIfNoEntry: false });
      if (stat?.isFile() && (finalName(name) === locked || isOver(name, Date.now() - stat.mtimeMs)))
        disk.rmSync(file, { force: true });
    }
  } catch (error) {
    log('warn', 'temporary files of killed hooks not removed', { dir, error: describeError(error) });
  }
}

function isOver(name: string, ageMs: number): boolean {
  if (ageMs > ABANDONED_MS) return true;
  const pid = Number(/\.(\d+)-[0-9a-f]{12}\.tmp$/.exec(name)?.[1]);
  return ageMs > GRACE_MS && !isAlive(pid);
}
