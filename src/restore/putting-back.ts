import { EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { explainSystemError } from '../base/system-failure.ts';
import { type Branch, readBranch } from '../history/branch.ts';
import { keepLocks, withSessionLock } from '../session/lock.ts';
import { hasJournal } from '../snapshot/operation.ts';
import { type Progress, storeOf } from '../snapshot/place.ts';
import type { PathChange, SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import type { Work } from '../strategy/work.ts';
import { tellRunningTurns } from './running-turns.ts';

/** One command at a time puts files back in a repository. */
export const RESTORE_LOCK = 'restore' as SessionId;

/**
 * Runs `body` while no other command puts files back, and no hook of the session, or of `others`, works. Running turns of other sessions are
 * told afterwards, even if it fails at last, that what `body` reports is no work of theirs.
 *
 * @throws {EntireError} `LOCKED`; with a hint of how to go on where `body` was stopped halfway
 */
export async function puttingBack<T>(
  work: Work,
  id: SessionId,
  body: (report: (files: SnapshotRecord['files']) => void) => Promise<T>,
  others: readonly SessionId[] = [],
): Promise<T> {
  const files = new Map<RepoPath, PathChange>();
  const report = (done: SnapshotRecord['files']): void => {
    for (const [path, change] of done) files.set(path, change);
  };
  try {
    return await withSessionLock(`${work.repo.commonDir}/entire`, RESTORE_LOCK, () =>
      withSessionLock(work.sessions, id, () =>
        withLocks(work, others, () => sayingHowToFinish(storeOf(work.repo, id), () => body(report))),
      ),
    );
  } finally {
    await tellRunningTurns(work, id, files);
  }
}

export async function withLocks<T>(
  work: Work,
  ids: readonly SessionId[],
  body: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = ids;
  if (first === undefined) return body();
  return withSessionLock(work.sessions, first, () => withLocks(work, others, body));
}

/** Many files take longer than locks last by themselves. */
export const keepingLocks =
  (onProgress?: Progress): Progress =>
  (...done) => {
    keepLocks();
    onProgress?.(...done);
  };

/** A commit or a checkout meanwhile makes what was looked at another matter. @throws {EntireError} `REF_MOVED` */
export function refuseMovedHead({ repo, head, name }: Branch): void {
  const now = readBranch(repo);
  if (now.head === head && now.name === name) return;
  throw new EntireError('REF_MOVED', 'HEAD moved while it was looked at, so nothing was done', {
    hint: 'An agent may be at work here. Run the command again.',
  });
}

async function sayingHowToFinish<T>(store: string, body: () => Promise<T>): Promise<T> {
  const wasUnfinished = hasJournal(store);
  try {
    return await body();
  } catch (error) {
    const isOurs = !wasUnfinished || explainSystemError(error) !== undefined;
    throw isOurs && hasJournal(store) ? stoppedHalfway(error) : error;
  }
}

/** The operation began, and waits to be finished. */
function stoppedHalfway(cause: unknown): unknown {
  const failure = explainSystemError(cause);
  if (!failure && !(cause instanceof EntireError)) return cause;
  const [code, message] =
    cause instanceof EntireError ? [cause.code, cause.message] : [undefined, failure?.message];
  const remedy = failure ? `${failure.remedy} ` : '';
  const hint = `${remedy}Run \`entire undo --continue\` to finish it, or \`entire undo --abort\` to take it back.`;
  return new EntireError(code ?? 'WRITE_FAILED', `it was stopped halfway: ${message}`, { cause, hint });
}
