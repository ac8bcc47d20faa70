import { describeError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type CommitEvidence, evidenceOf } from '../../checkpoint/evidence.ts';
import { renewEvidence } from '../../checkpoint/renew-evidence.ts';
import type { Commit, PathChanges } from '../../git/commit/commits.ts';
import { readPatches } from '../../git/commit/patch.ts';
import { isSubmodule } from '../../git/object/objects.ts';
import { readSizes } from '../../git/object/sizes.ts';
import type { Git } from '../../git/run.ts';
import type { Linking } from './condense-session.ts';

/** More than anybody writes: of such a commit nothing is kept. */
const FEW_FILES = 20;
const MAX_FILES = 1_000;
const MAX_BYTES = 8 << 20;

/** Whether a commit is too large to be looked into. One process more, for those of many files. */
function isLarge(git: Git, changes: PathChanges): boolean {
  if (changes.size <= FEW_FILES) return false;
  if (changes.size > MAX_FILES) return true;
  const blobs = [...changes.values()].flatMap(({ before, after }) => [before, after]);
  const sizes = readSizes(
    git,
    blobs.flatMap((entry) => (entry && !isSubmodule(entry) ? entry.oid : [])),
  );
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) > MAX_BYTES;
}

/**
 * What a commit holds, for its checkpoint. One process. Never throws: without it the checkpoint is whole, and its work is not found again
 * so easily.
 */
export function readEvidence(
  git: Git,
  { oid, parents, changes }: Pick<Commit, 'oid' | 'parents' | 'changes'>,
): CommitEvidence | undefined {
  try {
    if (isLarge(git, changes)) return undefined;
    const [patch] = readPatches(git, [{ commit: oid, parent: parents[0] }]);
    return patch && evidenceOf(patch);
  } catch (error) {
    log('warn', 'no evidence kept of a commit', { commit: oid, error: describeError(error) });
    return undefined;
  }
}

/**
 * After an amend that took something in or out: what is stored of the commit is what it holds now, in the slots of all its sessions. Never
 * throws: then it is what it was.
 */
export function renewEvidenceOf(
  { work: { git }, id, author }: Pick<Linking, 'work' | 'id' | 'author'>,
  { commit, amended }: { readonly commit: Commit; readonly amended: ObjectId },
): void {
  try {
    renewEvidence(git, { id, amended, commit, now: readEvidence(git, commit), author });
  } catch (error) {
    log('warn', 'what is kept of an amended commit is what it was', {
      ...{ commit: commit.oid, error: describeError(error) },
    });
  }
}
