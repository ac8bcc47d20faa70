import { describeError } from '../../base/errors.ts';
import type { CheckpointId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readSlotMetadata } from '../../checkpoint/committed.ts';
import type { Commit } from '../../git/commit/commits.ts';
import type { Identity } from '../../git/object/objects.ts';
import { readDirty } from '../../git/worktree/status.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../work.ts';
import type { Judged } from './amended.ts';
import { carryForward } from './carry-forward.ts';

/** What became of the commit. */
interface AmendedTo {
  readonly work: Work;
  readonly commit: Pick<Commit, 'oid'>;
  readonly id: CheckpointId;
  readonly author: Identity;
}

/** The state of a session whose commit was amended: what that took out, and is in the worktree, waits for another one, as what any commit leaves does. */
export function withTakenOut(
  { work, commit, id, author }: AmendedTo,
  state: SessionState,
  takenOut: Judged['takenOut'],
): SessionState {
  if (takenOut.size === 0) return state;
  const own = readSlotMetadata(work.git, id).filter(({ sessionId }) => sessionId === state.sessionId);
  const paths = own
    .flatMap(({ filesTouched }) => filesTouched as RepoPath[])
    .filter((path) => takenOut.has(path));
  const dirty = readDirty(work.git, paths);
  const left = paths.filter((path) => dirty.has(path));
  if (left.length === 0) return state;
  const elsewhere = new Map(left.map((path) => [path, takenOut.get(path)]));
  try {
    return carryForward(work, state, commit.oid, { paths: left, elsewhere, unseen: [] }, author);
  } catch (error) {
    log('warn', 'files that were taken out kept without a step', {
      session_id: state.sessionId,
      error: describeError(error),
    });
    return { ...state, filesTouched: left };
  }
}
