import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { WorktreePlace } from './pause.ts';

/**
 * Which session had the last prompt in a worktree: `<git-common-dir>/entire/newest/<worktree>`, its id on one line. A status line asks every
 * few seconds, and must not look through months of sessions. What it names may be gone by then.
 */

/** No linked worktree can have this name: git makes no such ref, either. */
const MAIN = '@';
const newestFile = ({ commonDir, worktreeId }: WorktreePlace): string =>
  join(commonDir, 'entire', 'newest', worktreeId || MAIN);

/** `undefined` where nobody has had a prompt yet. */
export const readNewest = (place: WorktreePlace): SessionId | undefined =>
  parseSessionId(readOwnIfUsable(newestFile(place), 'mark')?.trim());

/** Written when another session has a prompt. Never throws: no turn fails for the sake of a status line. */
export function noteNewest(place: WorktreePlace, id: SessionId): void {
  try {
    if (readNewest(place) !== id) writeFileAtomic(newestFile(place), `${id}\n`);
  } catch (error) {
    log('warn', 'newest session not noted', { session_id: id, error: describeError(error) });
  }
}

/** Takes the name of a session out of every worktree's. @throws the system error */
export function dropNewest(commonDir: string, id: SessionId): void {
  for (const name of listNames(join(commonDir, 'entire', 'newest'))) {
    const place = { commonDir, worktreeId: name === MAIN ? '' : name };
    if (readNewest(place) === id) disk.rmSync(newestFile(place), { force: true });
  }
}
