import { join } from 'node:path';
import { disk, listNames } from '../base/file/disk.ts';
import type { SessionId } from '../base/ids.ts';
import { dropNewest } from './record/newest.ts';
import { parseTrackingName, sessionsDir } from './tracking-file.ts';

/** Folders of `<git-common-dir>/entire` with a file for each session, beside its state. */
export const RECORD_FOLDERS = [
  'compaction-looks',
  'compactions',
  'introductions',
  'positions',
  'reads',
  'tasks',
  'turns',
  'user-lines',
] as const;

/**
 * Deletes what is known of a session: its state, archived or not, what it tracked in any worktree, and the records
 * beside them. The transcript cache is the strategy's, the lock its owner's, and what was set aside stays. Under the
 * session lock.
 *
 * @throws the system error
 */
export function forgetSession(commonDir: string, id: SessionId): void {
  const dir = sessionsDir(commonDir);
  const state = `${id}.json`;
  for (const name of listNames(dir))
    if (parseTrackingName(name)?.id === id) disk.rmSync(join(dir, name), { force: true });
  for (const folder of ['archive', ...RECORD_FOLDERS])
    disk.rmSync(join(commonDir, 'entire', folder, state), { force: true });
  dropNewest(commonDir, id);
  disk.rmSync(join(dir, state), { force: true }); // last: what was cut short can be done again
}
