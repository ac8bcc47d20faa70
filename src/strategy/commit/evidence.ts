import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { type CommitEvidence, evidenceOf } from '../../checkpoint/evidence.ts';
import type { Commit } from '../../git/commit/commits.ts';
import { readPatches } from '../../git/commit/patch.ts';
import type { Git } from '../../git/run.ts';

/**
 * What a commit holds, for its checkpoint. One process. Never throws: without it the checkpoint is whole, and its work is not found again
 * so easily.
 */
export function readEvidence(
  git: Git,
  { oid, parents }: Pick<Commit, 'oid' | 'parents'>,
): CommitEvidence | undefined {
  try {
    const [patch] = readPatches(git, [{ commit: oid, parent: parents[0] }]);
    return patch && evidenceOf(patch);
  } catch (error) {
    log('warn', 'no evidence kept of a commit', { commit: oid, error: describeError(error) });
    return undefined;
  }
}
