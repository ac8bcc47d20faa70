import { EntireError } from '../base/errors.ts';
import type { CheckpointId } from '../base/ids.ts';
import { writeCommit } from '../git/object/objects.ts';
import { readIdentity, readRef, updateRefs } from '../git/ref/refs.ts';
import { type Git, runGit } from '../git/run.ts';
import { METADATA_REF, REMOTE_METADATA_REF } from './shadow-branch.ts';

/** As every release so far has written it; the branch serves all strategies. */
const MESSAGE =
  'Initialize metadata branch\n\nThis branch stores session metadata for the auto-commit strategy.\n';

/**
 * Creates the orphan branch that committed checkpoints live on: where `origin` has it, from there, else as one root
 * commit with the empty tree.
 *
 * @returns `made` when it was created now, `taken` when it begins with what `origin` has; `undefined` when it was there
 * @throws {EntireError} `GIT_FAILED`
 */
export function ensureMetadataBranch(git: Git): 'made' | 'taken' | undefined {
  if (exists(git)) return undefined;
  const author = readIdentity(git);
  // What a clone already has; starting from it spares the merge of two unrelated histories.
  const remote = readRef(git, REMOTE_METADATA_REF);
  try {
    if (remote) {
      updateRefs(git, [{ ref: METADATA_REF, from: undefined, to: remote }]);
      return 'taken';
    }
    writeCommit(git, {
      ref: METADATA_REF,
      parent: undefined,
      changes: [],
      message: MESSAGE,
      author,
    });
    return 'made';
  } catch (cause) {
    if (exists(git)) return undefined; // somebody else was faster
    throw new EntireError('GIT_FAILED', 'could not create the branch entire/checkpoints/v1', {
      hint: 'If a branch is named `entire` or `entire/checkpoints`, rename it with `git branch -m`.',
      cause,
    });
  }
}

function exists(git: Git): boolean {
  return runGit(git, ['show-ref', '--verify', '--quiet', METADATA_REF], { okCodes: [0, 1] }).code === 0;
}

/** Folder of a checkpoint on the metadata branch. */
export const checkpointDir = (id: CheckpointId): string => `${id.slice(0, 2)}/${id.slice(2)}`;
