import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { isKnownCheckpoint } from '../../checkpoint/committed.ts';
import { type Commit, readCheckpointOf, readHeadCheckpoint } from '../../git/commit/commits.ts';
import { isNamedByAnother } from '../../git/commit/mentions.ts';
import { AMENDED, readLastMove } from '../../git/commit/moves.ts';
import { forgetOwed, listAllOwed, listOwed } from '../../session/record/owed.ts';
import { readVerdicts } from '../../session/record/verdicts.ts';
import type { Work } from '../work.ts';

/**
 * Whether the id that a message has already, before the commit is made, is that of the commit: the one that an amend
 * replaces has it, or we have put it there for a commit that came to nothing, or it belongs to no other commit. Anybody
 * can write an id into a message, or copy one with its message.
 */
export function isIdOfNext(work: Work, id: CheckpointId, amends: boolean): boolean {
  const { git, repo } = work;
  const isHeads = readHeadCheckpoint(git) === id;
  if (amends && isHeads) return true;
  const isOwed = listOwed(repo.commonDir, repo.worktreeId).some((owed) => owed.id === id && !owed.own);
  if (isOwed && !isHeads) return true;
  if (isOwed) forgetOwed(repo.commonDir, id); // an amend that was given up
  return !isHeads && isFree(work, id, undefined);
}

/** {@link isIdOfNext} of a commit that was just made here. What is owed for it costs no process. */
export function isIdOf(work: Work, id: CheckpointId, made: Commit): boolean {
  const { commonDir, worktreeId, gitDir } = work.repo;
  if (listOwed(commonDir, worktreeId).some((owed) => owed.id === id && owed.head !== made.oid)) return true;
  const move = readLastMove(gitDir, made.oid);
  if (move?.action === AMENDED && readCheckpointOf(work.git, move.from) === id) return true;
  return isFree(work, id, made.oid);
}

/**
 * Whether an id of which we have no promise can be a commit's own: it leads nowhere yet (another version may have put it
 * there), or to what we stored for a commit that is no more; no other commit names it, and none of another worktree was promised it.
 */
export function isFree({ git, repo }: Work, id: CheckpointId, made: ObjectId | undefined): boolean {
  const isOurs = () =>
    readVerdicts(repo.commonDir, Number.POSITIVE_INFINITY).some(
      ({ checkpoint, reason }) => checkpoint === id && reason === 'linked',
    );
  const isPromised = listAllOwed(repo.commonDir).some(
    (owed) => owed.id === id && owed.worktreeId !== repo.worktreeId,
  );
  if (isPromised) return false;
  return (!isKnownCheckpoint(git, id) || isOurs()) && !isNamedByAnother(git, id, made);
}
