import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { branchRef, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { readRef, updateRefs } from '../../git/ref/refs.ts';
import { withSessionLock } from '../../session/lock.ts';
import { releaseConsumedClaims } from '../../session/tracking-file.ts';
import { isUsedByOthers } from '../sessions.ts';
import type { Work } from '../work.ts';

/** Deletes a shadow branch, unless another session's steps are on it or it moved meanwhile. */
export function dropShadowBranch(work: Work, sessionId: SessionId | undefined, shadow: ShadowBranch): void {
  if (!shadow.tip || isUsedByOthers(work, sessionId, shadow.name)) return;
  try {
    updateRefs(work.git, [{ ref: shadow.ref, from: shadow.tip, to: undefined }]);
  } catch (error) {
    log('info', 'shadow branch not deleted', { branch: shadow.name, error: describeError(error) });
  }
}

/** Removes what a hook left that was killed after it had moved the state on: consumed claims, and the old branch. */
export async function dropLeftovers(work: Work, sessionId: SessionId, branch: string): Promise<void> {
  await withSessionLock(work.sessions, sessionId, () => releaseConsumedClaims(work.sessions, sessionId));
  const ref = branchRef(branch);
  dropShadowBranch(work, undefined, { name: branch, ref, tip: readRef(work.git, ref) });
}
