import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { Repo } from '../git/locate.ts';
import { readPrivate, type Stretch } from '../session/private-record.ts';
import { covers, readPauses } from '../session/record/pause.ts';
import { listSeen } from '../session/record/pause-notes.ts';
import type { SnapshotRecord } from '../snapshot/record/snapshot-record.ts';

/**
 * What a session did behind a step, and nothing is kept of: it went on in a private stretch, or somebody had a later turn forgotten.
 * Who takes back the last step may not know that it is not the last thing that was done.
 */
export function hiddenBehind(repo: Repo, id: SessionId, step: SnapshotRecord): Stretch['what'] | undefined {
  const isHidden = ({ toMs, what, isActive }: Stretch): boolean =>
    toMs > Date.parse(step.at) && (what === 'forgotten' || isActive === true);
  try {
    const pauses = readPauses(repo.commonDir);
    const isOn =
      pauses !== 'unreadable' &&
      pauses.some(
        (pause) => covers(pause, repo.worktreeId, id) && listSeen(repo.commonDir, pause.id).has(id),
      );
    return isOn ? 'paused' : readPrivate(repo.commonDir, id)?.stretches.findLast(isHidden)?.what;
  } catch (error) {
    log('warn', 'private stretches not looked for', { session_id: id, error: describeError(error) });
    return undefined;
  }
}
