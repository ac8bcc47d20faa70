import { join } from 'node:path';
import { nowInSeconds } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { newId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { sessionsDir } from '../tracking-file.ts';
import type { WorktreePlace } from './pause.ts';
import type { VerdictReason } from './verdicts.ts';

/**
 * A mark that a worktree had no session whose work a commit could hold: `<git-common-dir>/entire/idle/<worktree>/mark`. While it stands
 * as it was made, the scripts of the git hooks start no program (`hooks/git/idle-script.ts`); a commit then costs what it costs without us.
 *
 * Nobody has to take it back. It bears the time at which the folder of the sessions last changed, to the nanosecond, and whatever begins to
 * record there, of whichever release, changes that: the first edit makes a file, a prompt writes a state. The scripts compare the
 * two times, and start the program unless they are the same. So a clock that was set back hides nothing either.
 */

/** In a shell that counts in seconds a change within the same one would go unseen. */
const SETTLED_SECONDS = 3;
/** So many commits at most; the hook that runs then keeps what the scripts append to within its bounds. */
const MOST_COMMITS = 200;

/** No linked worktree can have this name: git makes no such ref, either. */
const MAIN = '@';
const folderOf = ({ commonDir, worktreeId }: WorktreePlace): string =>
  join(commonDir, 'entire', 'idle', worktreeId || MAIN);

/** Takes the mark of a worktree away. Never throws: where it cannot, the scripts see by themselves that it is out of date. */
export function dropIdle(place: WorktreePlace): void {
  try {
    disk.rmSync(folderOf(place), { force: true, recursive: true });
  } catch (error) {
    log('warn', 'the mark that nobody is at work stays', { error: describeError(error) });
  }
}

/**
 * Leaves the mark, where nothing speaks against it: the folder of the sessions holds states and nothing else, and has been so for a while.
 *
 * @param head the commit that HEAD is at, without a link, and why it has none: the same holds of those to come; and the folder of the person's
 *   own settings, in which somebody looked
 * @param isIdle asked once the time is taken: what began before that it sees, and what begins later the scripts see by the time
 * @param copyTime gives the second path the time of the first one
 * @throws the system error: then there is no mark that counts
 */
export async function markIdle(
  place: WorktreePlace,
  head: { readonly commit: string; readonly reason: VerdictReason; readonly settings: string },
  isIdle: () => boolean,
  copyTime: (from: string, to: string) => Promise<boolean>,
): Promise<void> {
  const folder = folderOf(place);
  const draft = join(folder, `mark.${newId()}`); // two commits may be made at once
  const sessions = sessionsDir(place.commonDir);
  if (!isSettled(sessions)) return;
  disk.mkdirSync(folder, { recursive: true, mode: 0o750 });
  writeFileAtomic(join(folder, 'head'), `${head.commit} ${MOST_COMMITS} ${head.reason} ${head.settings}\n`);
  writeFileAtomic(draft, '');
  const isCopied = await copyTime(sessions, draft);
  if (isCopied && isIdle() && isSettled(sessions)) disk.renameSync(draft, join(folder, 'mark'));
  else disk.rmSync(draft, { force: true });
}

/** States alone have only changes that the folder shows: what is appended to shows none. */
function isSettled(sessions: string): boolean {
  const stat = disk.statSync(sessions, { throwIfNoEntry: false });
  if (!stat) return false; // nothing that the scripts could compare with
  const seconds = nowInSeconds() - stat.mtimeMs / 1000;
  return seconds > SETTLED_SECONDS && listNames(sessions).every((name) => name.endsWith('.json'));
}
