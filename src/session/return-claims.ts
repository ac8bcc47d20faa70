import type { SessionId } from '../base/ids.ts';
import { withSessionLock } from './lock.ts';
import { claimFilesTouched, parseTrackingName, trackAgain } from './tracking-file.ts';

/** Whose claim a file is, by its name, and for which worktree; `undefined` for files of another kind. */
export function parseClaimName(
  name: string,
): { id: SessionId; foreignWorktree: string | undefined } | undefined {
  const { id, foreignWorktree, isClaim } = parseTrackingName(name) ?? {};
  return id && isClaim ? { id, foreignWorktree } : undefined;
}

/**
 * Puts what a dead hook claimed back into the tracking file. Readers count claims in any case: nothing is lost before,
 * and nothing is new afterwards. Returns how many paths there were.
 *
 * @throws {EntireError} `LOCKED`
 */
export const returnClaims = (
  dir: string,
  id: SessionId,
  foreignWorktree: string | undefined,
): Promise<number> =>
  withSessionLock(dir, id, () => {
    const { paths, release } = claimFilesTouched(dir, id, foreignWorktree);
    trackAgain(dir, id, paths, foreignWorktree);
    release(); // only now that they stand in the file again
    return paths.length;
  });
