import type { ObjectId } from '../../base/ids.ts';
import type { ListedBranch } from '../../checkpoint/shadow-branch.ts';
import { shadowBranch } from '../../checkpoint/shadow-branch.ts';
import type { SessionState } from '../../session/state.ts';

/** What can be left over, in the order in which it is told and deleted. */
export const LEFTOVER_KINDS = [
  'shadow-branch',
  'session-state',
  'checkpoint',
  'session-record',
  'replaced-log',
  'temporary-file',
  'lock',
  'ref',
] as const;
export type LeftoverKind = (typeof LEFTOVER_KINDS)[number];

/** Something that nobody needs any more. */
export interface Leftover {
  readonly kind: LeftoverKind;
  /** Short name of a branch, id of a session or checkpoint, name of a ref, or a path as people see it. */
  readonly id: string;
  /** Of a branch or ref: where it pointed when it was found. */
  readonly tip?: ObjectId;
  /** Of a branch: the sessions that it has to do with, by its steps or by where they stand. */
  readonly sessions?: readonly string[];
  /** Of files: absolute paths. */
  readonly files?: readonly string[];
}

/** Something that looks as if nobody needs it, and stays. */
export interface Kept {
  readonly kind: LeftoverKind;
  readonly id: string;
  readonly reason: KeptReason;
  readonly detail?: string | undefined;
}

/** Stable codes; `cli/clean/text.ts` has the sentences. */
export type KeptReason =
  | Life
  | 'checked-out' // in a worktree; `detail` names it
  | 'busy' // a hook of the session is at work at this moment
  | 'changed' // somebody used it while we were at it
  | 'steps-unreadable' // whose steps a branch has cannot be told
  | 'unheld' // no branch leads to the commit that a ref keeps, and it is not old
  | 'only-copy' // a transcript that no checkpoint holds
  | 'last-turns' // a transcript of which a checkpoint holds the beginning at least, and that is not old
  | 'checkpoint-unreadable' // it may hold the session
  | 'shared' // a remote has the checkpoint: commits that name it may be in other clones
  | 'history-incomplete'; // the repository is shallow, in the middle of something, or cannot be read

/** What is left over, and what is not although it may look so. */
export interface Leftovers {
  readonly items: readonly Leftover[];
  readonly kept: readonly Kept[];
}

/** Why a session counts as alive. */
export type Life = 'unreadable' | 'active' | 'pending' | 'tracked' | 'task' | 'owed' | 'recent';

/** What is known of a session when its life is judged. */
export interface SessionFacts {
  readonly id: string;
  /** `undefined` where its file cannot be read. */
  readonly state:
    | Pick<
        SessionState,
        | 'baseCommit'
        | 'worktreeId'
        | 'worktreePath'
        | 'phase'
        | 'startedAt'
        | 'lastInteractionTime'
        | 'checkpointCount'
        | 'filesTouched'
        | 'turnCheckpointIds'
      >
    | undefined;
  /** It has a tracking file, or a claim, in whichever worktree. */
  readonly isTracked: boolean;
  /** A sub-agent of it is at work. */
  readonly hasTask: boolean;
  /** A checkpoint is owed in its worktree. */
  readonly isOwed: boolean;
}

/** Of whom nobody heard for so long is over, if nothing else speaks for it. */
export const GRACE_MS = 10 * 60 * 1000;

/**
 * Why a session is alive, and with it its state and its branch; `undefined` when it is over. What cannot be judged is
 * alive.
 */
export function whyAlive(facts: SessionFacts, nowMs: number): Life | undefined {
  const { state } = facts;
  if (!state) return 'unreadable';
  if (state.phase === 'active' || state.turnCheckpointIds.length > 0) return 'active';
  if (state.checkpointCount > 0 || state.filesTouched.length > 0) return 'pending';
  if (facts.isTracked) return 'tracked';
  if (facts.hasTask) return 'task';
  if (facts.isOwed) return 'owed';
  const heard = Math.max(Date.parse(state.lastInteractionTime ?? '') || 0, Date.parse(state.startedAt) || 0);
  return nowMs - heard < GRACE_MS ? 'recent' : undefined;
}

/** Whether a shadow branch is, by its name, that of a session; older names have no worktree. */
export function isBranchOf(
  name: string,
  { baseCommit, worktreeId }: { baseCommit: string; worktreeId: string },
): boolean {
  const [, commit = '', worktree] = /^entire\/([0-9a-f]+)(-[0-9a-f]{6})?$/i.exec(name) ?? [];
  if (commit === '' || !baseCommit.toLowerCase().startsWith(commit.toLowerCase())) return false;
  const own = shadowBranch(baseCommit, worktreeId).slice(-7);
  return worktree === undefined || worktree.toLowerCase() === own;
}

/** What is known of a shadow branch beyond its name. */
export interface BranchFacts {
  readonly branch: ListedBranch;
  /** Sessions that the steps name which were looked at; `undefined` where one of these cannot be read. */
  readonly sessions: readonly string[] | undefined;
}

/**
 * Which shadow branches no session that is alive has its work on. One of which it cannot be told whose steps it has may
 * be anybody's, and stays.
 *
 * @param busy sessions that a hook works for at this moment
 */
export function judgeBranches(
  branches: readonly BranchFacts[],
  sessions: readonly SessionFacts[],
  busy: ReadonlySet<string>,
  nowMs: number,
): Leftovers {
  const alive = sessions.flatMap((facts) => {
    const life = whyAlive(facts, nowMs);
    return life ? [{ ...facts, life }] : [];
  });
  const items: Leftover[] = [];
  const kept: Kept[] = [];
  for (const { branch, sessions: named } of branches) {
    const { name: id, tip, worktree } = branch;
    const user =
      alive.find(({ state }) => state && isBranchOf(id, state)) ??
      alive.find((facts) => !facts.state && named?.includes(facts.id));
    const keep = (reason: KeptReason, detail?: string) =>
      kept.push({ kind: 'shadow-branch', id, reason, detail });
    if (user) keep(user.life, user.id);
    else if (worktree !== undefined) keep('checked-out', worktree);
    else if (!named) keep('steps-unreadable');
    else if (named.some((session) => busy.has(session))) keep('busy');
    else {
      const there = sessions.filter(({ state }) => state && isBranchOf(id, state)).map((facts) => facts.id);
      items.push({ kind: 'shadow-branch', id, tip, sessions: [...new Set([...named, ...there])].sort() });
    }
  }
  return { items, kept };
}

/** Where the sessions of checkpoints are known from. */
export interface StoredSessions {
  /** In whichever slot of whichever checkpoint. */
  readonly ids: ReadonlySet<string>;
  /** No checkpoint is there that cannot be read. */
  readonly isComplete: boolean;
}

/** Which states are over, and lead neither to a checkpoint nor to a shadow branch. */
export function judgeStates(
  sessions: readonly SessionFacts[],
  branches: ReadonlySet<string>,
  stored: StoredSessions,
  nowMs: number,
): Leftovers {
  const items: Leftover[] = [];
  const kept: Kept[] = [];
  for (const facts of sessions) {
    const { id, state } = facts;
    const life = whyAlive(facts, nowMs);
    if (life || !state) kept.push({ kind: 'session-state', id, reason: life ?? 'unreadable' });
    else if (stored.ids.has(id) || branches.has(shadowBranch(state.baseCommit, state.worktreeId))) continue;
    else if (!stored.isComplete) kept.push({ kind: 'session-state', id, reason: 'checkpoint-unreadable' });
    else items.push({ kind: 'session-state', id });
  }
  return { items, kept };
}

/** What two looks found. */
export const together = (...parts: readonly Leftovers[]): Leftovers => ({
  items: parts.flatMap(({ items }) => items),
  kept: parts.flatMap(({ kept }) => kept),
});
