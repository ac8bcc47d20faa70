import { now } from '../../base/clock.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { readShadowBranches } from '../../checkpoint/shadow-branch.ts';
import type { Repo } from '../../git/locate.ts';
import type { SessionState } from '../../session/state.ts';
import { isAbandoned, isRecent, isWriting } from '../../strategy/signs-of-life.ts';
import { findWaitingWork } from '../../strategy/waiting-work.ts';
import type { Work } from '../../strategy/work.ts';

/** Why a session is taken for stuck. */
export type StuckReason =
  | { readonly kind: 'silent'; readonly quietMs: number }
  | { readonly kind: 'never-heard' }
  | { readonly kind: 'client-gone' }
  | { readonly kind: 'uncondensed' };

/** A session that nothing will bring to its end by itself. */
export interface StuckSession {
  readonly id: SessionId;
  readonly state: SessionState;
  readonly reason: StuckReason;
  /** Short name of its shadow branch, and whether it exists. */
  readonly shadow: { readonly name: string; readonly exists: boolean };
  /** There are steps of which a checkpoint can be made. */
  readonly canCondense: boolean;
}

/** What is known of a session beside its state. */
interface Signs {
  readonly shadowExists: boolean;
  /** Its client writes its transcript. */
  readonly isAtWork: boolean;
  /** The client in which its turn began has ended. */
  readonly isGone: boolean;
  /** Whether a commit can still take work of it, and will bring it to its end. Asks git: only where nothing else decides. */
  readonly waits: () => boolean;
}

/**
 * Judges one session. An hour exactly is healthy; a session between turns always is, and so is one that is over while
 * its work waits for a commit. v0.4.4 asks for the time in the state alone, which says nothing between a prompt and a
 * stop: where the client wrote within the hour, the turn goes on, however long it takes; where the client has ended,
 * nothing goes on.
 */
export function judgeStuck(
  state: Pick<SessionState, 'phase' | 'lastInteractionTime' | 'checkpointCount'>,
  { shadowExists, isAtWork, isGone, waits }: Signs,
  nowMs: number,
): StuckReason | undefined {
  const heardMs = Date.parse(state.lastInteractionTime ?? '');
  if (state.phase === 'ended') {
    const isLeft = state.checkpointCount > 0 && shadowExists && !isRecent(heardMs, nowMs) && !waits();
    return isLeft ? { kind: 'uncondensed' } : undefined;
  }
  if (state.phase === 'active' && isGone) return { kind: 'client-gone' };
  if (state.phase !== 'active' || isAtWork) return undefined;
  if (Number.isNaN(heardMs)) return { kind: 'never-heard' };
  return isRecent(heardMs, nowMs) ? undefined : { kind: 'silent', quietMs: nowMs - heardMs };
}

/** {@link judgeStuck} of a session as it is now. */
export function findReason(
  repo: Repo,
  state: SessionState,
  shadowExists: boolean,
  findWaiting = () => findWaitingWork(repo, [state]),
): StuckReason | undefined {
  const waits = () => (findWaiting().get(state.sessionId) ?? []).length > 0;
  const isGone = isAbandoned(repo.commonDir, state);
  return judgeStuck(state, { shadowExists, isAtWork: isWriting(state), isGone, waits }, now().getTime());
}

/** The stuck ones among sessions, in their order. A few git processes for each worktree, however many there are. */
export function findStuck(
  { repo, git }: Pick<Work, 'repo' | 'git'>,
  states: readonly SessionState[],
): StuckSession[] {
  const open = states.filter(
    ({ phase, checkpointCount }) => phase === 'active' || (phase === 'ended' && checkpointCount > 0),
  );
  const shadows = readShadowBranches(git, open);
  let waiting: ReturnType<typeof findWaitingWork> | undefined;
  const findWaiting = () => {
    const over = open.filter(({ phase }, index) => phase === 'ended' && shadows[index]?.tip !== undefined);
    waiting ??= findWaitingWork(repo, over);
    return waiting;
  };
  return open.flatMap((state, index) => {
    const { name = '', tip } = shadows[index] ?? {};
    const exists = tip !== undefined;
    const id = parseSessionId(state.sessionId);
    const reason = findReason(repo, state, exists, findWaiting);
    const canCondense = exists && state.checkpointCount > 0;
    return id && reason ? [{ id, state, reason, shadow: { name, exists }, canCondense }] : [];
  });
}
