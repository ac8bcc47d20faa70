import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { readShadowBranch, type ShadowBranch, shadowBranch } from '../checkpoint/shadow-branch.ts';
import { CARRIED, writeTemporary } from '../checkpoint/temporary.ts';
import { type RefUpdate, readIdentity, updateRefs } from '../git/ref/refs.ts';
import type { SessionState } from '../session/state.ts';
import { asIn, joinSteps } from './join-steps.ts';
import { tell } from './progress.ts';
import { isUsedByOthers } from './sessions.ts';
import { markAllAgain } from './steps-again.ts';
import type { Work } from './work.ts';

/**
 * Follows HEAD: a session's shadow branch is named after the commit its work sits on, so when HEAD moved (pull,
 * rebase, another branch) the branch is renamed and the state's base with it.
 *
 * Other sessions are not harmed: a branch that already stands at the new name has the steps of both then, and
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
  const released = shared ? [] : [{ ref: old.ref, from: old.tip, to: undefined }];
  if (target.tip) joinBranch(work, state, head, { old: old.tip, target, tip: target.tip, released });
  else updateRefs(work.git, [{ ref: target.ref, from: undefined, to: old.tip }, ...released]);
  log('info', 'shadow branch moved', { session_id: state.sessionId, from, to, shared });
  tell(`Moved step branch from ${from} to ${to} (HEAD changed during session)`);
  return moved;
}

/** A session's old branch, and the one that others have on the new base. */
interface Joining {
  readonly old: ObjectId;
  readonly target: ShadowBranch;
  readonly tip: ObjectId;
  /** What goes in the same moment. */
  readonly released: readonly RefUpdate[];
}

function joinBranch(
  work: Work,
  state: SessionState,
  head: ObjectId,
  { old, target, tip, released }: Joining,
): void {
  const joined = joinSteps(work, state, old, tip);
  if (typeof joined === 'object') {
    markAllAgain(work.repo, joined.again); // first: a kill in between leaves no step of which nothing is known
    const moved = { ref: target.ref, from: tip, to: joined.tip };
    updateRefs(work.git, [moved, { ref: joined.staged, from: joined.tip, to: undefined }, ...released]);
    return;
  }
  if (joined === 'none' && state.filesTouched.length > 0) carry(work, state, old, head, target);
  if (released.length > 0) updateRefs(work.git, released);
}

/** What a commit left to a session may be in a step of another one: then it gets one of its own, as such a commit makes it. */
const carry = ({ git }: Work, state: SessionState, old: ObjectId, head: ObjectId, branch: ShadowBranch) =>
  writeTemporary(git, {
    ...{ sessionId: state.sessionId, branch, head, paths: state.filesTouched, texts: undefined },
    ...{ extra: asIn(git, old, state), subject: CARRIED, author: readIdentity(git) },
  });
