import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { metadataDir, readShadowBranch, shadowBranch } from '../checkpoint/shadow-branch.ts';
import { readTree, type TreeEntry, toChange, writeCommit } from '../git/object/objects.ts';
import { readIdentity, updateRefs } from '../git/ref/refs.ts';
import type { SessionState } from '../session/state.ts';
import { tell } from './progress.ts';
import { isUsedByOthers } from './sessions.ts';
import type { Work } from './work.ts';

/**
 * Follows HEAD: a session's shadow branch is named after the commit its work sits on, so when HEAD moved (pull,
 * rebase, another branch) the branch is renamed and the state's base with it.
 *
 * Other sessions are not harmed: a branch that already stands at the new name is built upon, never replaced, and
 * the old one stays while another session with steps still maps to it.
 *
 * @param home the worktree that the session lives in from now on, which is part of the branch's name as well
 * @throws {EntireError} `REF_MOVED` when another process got in between; the state is unchanged then
 */
export function followHead(
  work: Work,
  state: SessionState,
  head: ObjectId,
  { worktreeId, worktreePath }: Pick<SessionState, 'worktreeId' | 'worktreePath'> = state,
): SessionState {
  const moved = { ...state, worktreeId, worktreePath, baseCommit: head };
  if (state.baseCommit === '') return moved;
  const [from, to] = [shadowBranch(state.baseCommit, state.worktreeId), shadowBranch(head, worktreeId)];
  if (from === to) return moved;

  const old = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
  if (!old.tip) {
    tell(`Updated session base commit to ${head.slice(0, 7)} (HEAD changed during session)`);
    return moved;
  }
  const target = readShadowBranch(work.git, head, worktreeId);
  const shared = isUsedByOthers(work, state.sessionId, from);
  if (target.tip) {
    replay(work, state, { old: old.tip, target: target.tip, ref: target.ref });
    if (!shared) updateRefs(work.git, [{ ref: old.ref, from: old.tip, to: undefined }]);
  } else {
    const created = { ref: target.ref, from: undefined, to: old.tip };
    updateRefs(work.git, shared ? [created] : [created, { ref: old.ref, from: old.tip, to: undefined }]);
  }
  log('info', 'shadow branch moved', { session_id: state.sessionId, from, to, shared });
  tell(`Moved shadow branch from ${from} to ${to} (HEAD changed during session)`);
  return moved;
}

/** Puts a session's files and metadata, as its old branch has them, on top of a branch that others use already. */
function replay(
  work: Work,
  state: SessionState,
  branches: { old: ObjectId; target: ObjectId; ref: string },
): void {
  const paths = [...state.filesTouched, `${metadataDir(state.sessionId)}/`];
  const entries = readTree(work.git, branches.old, paths, true) ?? new Map<string, TreeEntry>();
  const names = new Set<string>([...entries.keys(), ...state.filesTouched]);
  writeCommit(work.git, {
    ref: branches.ref,
    parent: branches.target,
    changes: [...names].map((path) => toChange(path, entries.get(path))),
    message: `Move session to new base\n\nEntire-Metadata: ${metadataDir(state.sessionId)}\nEntire-Session: ${state.sessionId}\nEntire-Strategy: manual-commit\n`,
    author: readIdentity(work.git),
  });
}
