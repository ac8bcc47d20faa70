import { now } from '../base/clock.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { readShadowBranches } from '../checkpoint/shadow-branch.ts';
import type { Git } from '../git/run.ts';
import type { SessionState } from '../session/state.ts';
import { isRecent, isWriting } from '../strategy/signs-of-life.ts';

/** Why a session is taken for stuck (specification §1.7, §7.5). */
export type StuckReason =
  | { readonly kind: 'silent'; readonly quietMs: number }
  | { readonly kind: 'never-heard' }
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

/**
 * Judges one session. An hour exactly is healthy; a session between turns always is. The specification asks for the time
 * in the state alone, which says nothing between a prompt and a stop: where the client wrote within the hour, the turn
 * goes on, however long it takes.
 *
 * @param isAtWork its client writes its transcript
 */
export function judgeStuck(
  state: Pick<SessionState, 'phase' | 'lastInteractionTime' | 'checkpointCount'>,
  { shadowExists, isAtWork }: { readonly shadowExists: boolean; readonly isAtWork: boolean },
  nowMs: number,
): StuckReason | undefined {
  if (state.phase === 'ended')
    return state.checkpointCount > 0 && shadowExists ? { kind: 'uncondensed' } : undefined;
  if (state.phase !== 'active' || isAtWork) return undefined;
  const heardMs = Date.parse(state.lastInteractionTime ?? '');
  if (Number.isNaN(heardMs)) return { kind: 'never-heard' };
  return isRecent(heardMs, nowMs) ? undefined : { kind: 'silent', quietMs: nowMs - heardMs };
}

/** {@link judgeStuck} of a session as it is now. */
export const findReason = (state: SessionState, shadowExists: boolean): StuckReason | undefined =>
  judgeStuck(state, { shadowExists, isAtWork: isWriting(state) }, now().getTime());

/** The stuck ones among sessions, in their order. One git process, however many there are. */
export function findStuck(git: Git, states: readonly SessionState[]): StuckSession[] {
  const open = states.filter(
    ({ phase, checkpointCount }) => phase === 'active' || (phase === 'ended' && checkpointCount > 0),
  );
  const shadows = readShadowBranches(git, open);
  return open.flatMap((state, index) => {
    const { name = '', tip } = shadows[index] ?? {};
    const exists = tip !== undefined;
    const id = parseSessionId(state.sessionId);
    const reason = findReason(state, exists);
    const canCondense = exists && state.checkpointCount > 0;
    return id && reason ? [{ id, state, reason, shadow: { name, exists }, canCondense }] : [];
  });
}
