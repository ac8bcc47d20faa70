import { describeError, EntireError } from '../base/errors.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { shadowBranch } from '../checkpoint/shadow-branch.ts';
import type { Repo } from '../git/locate.ts';
import { readHead } from '../git/ref/refs.ts';
import { withSessionLock } from '../session/lock.ts';
import { dropSearchIndexes } from '../session/search-cache.ts';
import type { SessionState } from '../session/state.ts';
import { hasState, listStates, readState, readStateOrSetAside } from '../session/state-store.ts';
import { isAbandoned } from '../strategy/signs-of-life.ts';
import type { Work } from '../strategy/work.ts';
import { type BranchFate, dropBranch, findBranch } from './clean/drop-branch.ts';
import { forgetWholeSession } from './clean/session-files.ts';

/** A hook of the session may be in the middle of a long step. */
const WAIT_MS = 10_000;

/** What a reset would take away. */
export interface ResetPlan {
  /** HEAD, where the whole of it is reset. */
  readonly head?: string;
  readonly sessions: readonly SessionId[];
  /** Those that are in the middle of a turn. */
  readonly active: readonly SessionState[];
  /** Top folders of the worktrees where sessions live that live in another one than this, by session. */
  readonly homes: ReadonlyMap<string, string>;
  /** Short name of the shadow branch, and whether it is there. */
  readonly branch: string;
  readonly hasBranch: boolean;
}

/** What happened, in its order; each is told to people in a line. */
export type ResetStep =
  | {
      readonly kind: 'cleared';
      readonly id: SessionId;
      /** Top folder of the worktree where it lived, if that is another one. */
      readonly home: string | undefined;
    }
  | { readonly kind: 'not-cleared'; readonly id: SessionId; readonly reason: string }
  | BranchFate;

/** Top folder of the worktree where a session lives, if that is another one; a worktree's name where no path is known. */
export const homeElsewhere = (
  { worktreeId }: Repo,
  state: Pick<SessionState, 'worktreeId' | 'worktreePath'>,
): string | undefined =>
  state.worktreeId === worktreeId ? undefined : state.worktreePath || state.worktreeId;

/** In the middle of a turn; one whose client has ended is not. */
const isBusy = ({ commonDir }: Repo, state: SessionState): boolean =>
  state.phase === 'active' && !isAbandoned(commonDir, state);

/** The sessions on top of HEAD in all worktrees, and this worktree's shadow branch. @throws {EntireError} `NOT_FOUND` */
export function planReset({ repo, git, sessions }: Work): ResetPlan {
  const head = readHead(git, repo);
  if (!head) throw new EntireError('NOT_FOUND', 'reset failed: HEAD has no commit yet');
  const states = listStates(sessions).states.filter(({ baseCommit }) => baseCommit === head);
  const branch = shadowBranch(head, repo.worktreeId);
  return {
    head,
    sessions: states.flatMap(({ sessionId }) => parseSessionId(sessionId) ?? []),
    active: states.filter((state) => isBusy(repo, state)),
    homes: new Map(
      states.flatMap((state): Array<[string, string]> => {
        const home = homeElsewhere(repo, state);
        return home === undefined ? [] : [[state.sessionId, home]];
      }),
    ),
    branch,
    hasBranch: findBranch(git, branch) !== undefined,
  };
}

/**
 * Does what {@link planReset} announced, as far as it still is so: a session that moved on to another commit meanwhile
 * stays, and so does one that began a turn, unless `force` is set. Never throws for a single one.
 *
 * @param onSession told of each session before it is waited for
 */
export async function resetHead(
  work: Work,
  plan: ResetPlan,
  force: boolean,
  onSession: (id: SessionId, done: number, total: number) => void = () => {},
): Promise<ResetStep[]> {
  const steps: ResetStep[] = [];
  const announced = new Set(plan.active.map(({ sessionId }) => sessionId));
  for (const [index, id] of plan.sessions.entries()) {
    onSession(id, index + 1, plan.sessions.length);
    const clear = (): ResetStep[] => {
      const state = readState(work.sessions, id);
      if (!state || state.baseCommit !== plan.head) return [];
      if (isBusy(work.repo, state) && !force && !announced.has(id))
        return [{ kind: 'not-cleared', id, reason: 'it began a turn meanwhile' }];
      return [clearSession(work, id, state)];
    };
    steps.push(...(await locked(work, id, clear)));
  }
  return [...steps, ...tryDrop(work, plan.branch)];
}

/**
 * What resetting one session would take away. A state that cannot be read is set aside by the reset, and says nothing.
 *
 * @throws {EntireError} `NOT_FOUND`
 */
export function planSessionReset(
  { sessions }: Work,
  text: string,
): {
  readonly id: SessionId;
  readonly state: SessionState | undefined;
  readonly problem: string | undefined;
} {
  const id = parseSessionId(text);
  if (!id || !hasState(sessions, id)) {
    const { states } = listStates(sessions);
    const meant = states.filter(({ sessionId }) => text !== '' && sessionId.startsWith(text));
    const hint = meant.length === 1 ? `Give the whole id: ${meant[0]?.sessionId}` : undefined;
    throw new EntireError('NOT_FOUND', `session not found: ${text}`, hint === undefined ? {} : { hint });
  }
  try {
    return { id, state: readState(sessions, id), problem: undefined };
  } catch (error) {
    return { id, state: undefined, problem: describeError(error) };
  }
}

/** Forgets one session; its shadow branch stays where another session has steps on it. */
export async function resetSession(work: Work, id: SessionId): Promise<ResetStep[]> {
  let branch: string | undefined;
  const steps = await locked(work, id, () => {
    const state = readStateOrSetAside(work.sessions, id);
    branch = state && shadowBranch(state.baseCommit, state.worktreeId);
    return [clearSession(work, id, state)];
  });
  const isCleared = steps.some(({ kind }) => kind === 'cleared');
  return [...steps, ...(isCleared && branch !== undefined ? tryDrop(work, branch) : [])];
}

function tryDrop(work: Work, name: string): ResetStep[] {
  const fate = dropBranch(work, name);
  return fate ? [fate] : [];
}

async function locked(work: Work, id: SessionId, body: () => ResetStep[]): Promise<ResetStep[]> {
  try {
    return await withSessionLock(work.sessions, id, body, { waitMs: WAIT_MS });
  } catch (error) {
    return [{ kind: 'not-cleared', id, reason: describeError(error) }];
  }
}

function clearSession(work: Work, id: SessionId, state: SessionState | undefined): ResetStep {
  forgetWholeSession(work, id, state);
  dropSearchIndexes(work.repo.commonDir);
  log('info', 'session reset', { session_id: id });
  return { kind: 'cleared', id, home: state && homeElsewhere(work.repo, state) };
}
