import { EntireError } from '../../base/errors.ts';
import { beginningWith, type CheckpointId, MIN_BEGINNING } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { findLedTo } from '../../origin/led-to.ts';
import { listCheckpointsOf, listStoredSessionIds } from '../../restore/resume/sessions.ts';
import { several } from '../names/text.ts';

/**
 * The newest checkpoint of a session that was made in another clone, as far as a commit here has its work.
 *
 * @param word the session's id, or how it begins
 * @returns `undefined` where no checkpoint is of such a session
 * @throws {EntireError} `INVALID_ID` where several begin so, `NOT_FOUND` where no commit here has work of it
 */
export function findStoredCheckpoint(repo: Repo, word: string): CheckpointId | undefined {
  const { store, git } = readBranch(repo);
  const meant = beginningWith(listStoredSessionIds(store, word), word, MIN_BEGINNING);
  if (meant.length > 1)
    throw new EntireError('INVALID_ID', several(word, meant.map((id) => `  ${id}`).join('\n')));
  const [session] = meant;
  if (session === undefined) return undefined;
  const checkpoints = listCheckpointsOf(store, session);
  const led = checkpoints.find((id) => findLedTo(git, repo.commonDir, id));
  if (led) return led;
  throw new EntireError('NOT_FOUND', `no commit here has work of session ${session}.`, {
    hint: '`entire relink` links commits that have it, if there are any; `entire fetch` brings what others linked.',
  });
}
