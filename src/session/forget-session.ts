import { join } from 'node:path';
import { disk, listNames } from '../base/disk.ts';
import type { SessionId } from '../base/ids.ts';
import { sessionsDir } from './tracking-file.ts';

/** Folders of `<git-common-dir>/entire` with a file for each session. */
const RECORDS = ['archive', 'introductions', 'tasks', 'turns', 'user-lines'];

/**
 * Deletes what is known of a session: its state, archived or not, what it tracked in any worktree, and the records
 * beside them. The transcript cache is the strategy's. Under the session lock.
 *
 * @throws the system error
 */
export function forgetSession(commonDir: string, id: SessionId): void {
  const dir = sessionsDir(commonDir);
  const state = `${id}.json`;
  for (const name of listNames(dir))
    if (name !== state && isOf(name, id)) disk.rmSync(join(dir, name), { force: true });
  for (const folder of RECORDS) disk.rmSync(join(commonDir, 'entire', folder, state), { force: true });
  disk.rmSync(join(dir, state), { force: true }); // last: what was cut short can be done again
}

/** The state and tracking files; the lock is its owner's, and what was set aside stays. */
function isOf(name: string, id: SessionId): boolean {
  if (name === `${id}.json`) return true;
  return (
    (name.startsWith(`${id}.`) || name.startsWith(`${id}@`)) &&
    /^(?:@[^@]*)?\.files(?:\.claim-[0-9a-f]{12})?$/.test(name.slice(id.length))
  );
}
