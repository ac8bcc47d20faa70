import { type ObjectId, parseSessionId } from '../base/ids.ts';
import { isShadowBranch, shadowBranch } from '../checkpoint/shadow-branch.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { readRevisions } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { isRemoved } from '../git/worktree/worktrees.ts';
import { listStates, readStateIfReadable } from '../session/state-store.ts';
import { sessionsDir } from '../session/tracking-file.ts';
import type { Branch } from './branch.ts';
import { type FoundPoint, isOf } from './point.ts';
import { listNotReached, onChain } from './range.ts';

const TRAILERS = ['Entire-Session', 'Entire-Metadata', 'Entire-Metadata-Task'];

/** A step on a shadow branch. */
export interface Step {
  readonly commit: LogRow;
  readonly sessionId: string;
  readonly isTask: boolean;
  /** Folder of the session's texts in the step's tree; `undefined` for what was carried forward, which has none. */
  readonly metadataDir: string | undefined;
  /** Folder of the task's own metadata; `undefined` for what is no task's. */
  readonly taskDir: string | undefined;
}

/** More steps than there can be. */
const MAX_STEPS = 1_000_000;

/** Reads steps, newest first; commits that are none are left out. One process, unless there are no tips. */
export function readSteps(
  branch: Branch,
  tips: readonly ObjectId[],
  {
    limit = MAX_STEPS,
    session = '',
    paths,
  }: { limit?: number; session?: string | undefined; paths?: readonly string[] },
): Step[] {
  if (tips.length === 0) return [];
  const containing = `${TRAILERS[0]}: ${session}`;
  const query = { range: tips, limit, containing, trailers: TRAILERS, ...(paths ? { paths } : {}) };
  return (readLog(branch.git, query) ?? []).map(toStep).filter(({ sessionId }) => isOf(sessionId, session));
}

function toStep(commit: LogRow): Step {
  const [session, folder, task] = TRAILERS.map((key) => commit.trailers[key]?.[0]?.trim() ?? '');
  const dir = (task || folder || '').replace(/\/tasks\/.*$/, '');
  return {
    commit,
    sessionId: session ?? '',
    isTask: task !== '',
    metadataDir: dir.startsWith('.entire/') ? dir : undefined,
    taskDir: task?.startsWith('.entire/') ? task : undefined,
  };
}

/** Steps that changed nothing but our own folder say nothing of the code. */
const CODE = [':(top)', ':(top,exclude).entire'];

/** Points of this worktree that no commit of this branch has yet, newest first. */
export function readTemporaryPoints(
  branch: Branch,
  session: string | undefined,
  limit: number,
): FoundPoint[] {
  const tips = [...tipsHere(branch), ...(session === undefined ? [] : tipsOfRemoved(branch, session))];
  const steps = readSteps(branch, tips, { limit, session, paths: CODE });
  const sessions = sessionsDir(branch.repo.commonDir);
  const committed = findCommitted(steps, (name) => {
    const id = parseSessionId(name);
    return id && readStateIfReadable(sessions, id)?.checkpointCount;
  });
  return steps.flatMap((step) => {
    const { commit, sessionId, isTask, metadataDir } = step;
    return metadataDir === undefined || committed.has(step)
      ? []
      : [{ commit, checkpoint: undefined, sessionId, isTask, slot: undefined, metadataDir }];
  });
}

/**
 * A commit takes the steps of a session, and they stay on the branch as long as another session has some there: those that are older than
 * what the session did since are in that commit.
 *
 * @param steps newest first
 * @param countOf how many steps a session made since a commit took some; `undefined` where that is not known, and all are its own
 */
export function findCommitted(
  steps: readonly Step[],
  countOf: (sessionId: string) => number | undefined,
): Set<Step> {
  const left = new Map<string, number | undefined>();
  const committed = new Set<Step>();
  for (const step of steps) {
    const { sessionId, isTask } = step;
    const count = left.has(sessionId) ? left.get(sessionId) : countOf(sessionId);
    left.set(sessionId, isTask || count === undefined ? count : count - 1);
    // Tasks of the oldest step that is left are right below it.
    if (count !== undefined && (isTask ? count < 0 : count <= 0)) committed.add(step);
  }
  return committed;
}

/** Tips of the shadow branches of worktrees that are gone, in which a session that is asked for has work that no commit has. */
const tipsOfRemoved = ({ repo, shadows }: Branch, session: string): ObjectId[] =>
  listStates(sessionsDir(repo.commonDir)).states.flatMap((state) => {
    if (!isOf(state.sessionId, session) || !isRemoved(repo.commonDir, state.worktreeId)) return [];
    return shadows.get(shadowBranch(state.baseCommit, state.worktreeId)) ?? [];
  });

/** A shadow branch of this worktree. */
interface Here {
  readonly name: string;
  /** The beginning of the id of the commit that it sits on. */
  readonly base: string;
  readonly tip: ObjectId;
}

/** Those of this worktree, that of HEAD first. */
function listHere({ shadows, repo, head }: Branch): Here[] {
  const worktree = shadowBranch('', repo.worktreeId).slice('entire/'.length);
  const here = [...shadows].flatMap(([name, tip]): Here[] => {
    const [, base = '', suffix] = /^entire\/([0-9a-fA-F]+)(-.*)?$/.exec(name) ?? [];
    return isShadowBranch(name) && (suffix ?? worktree) === worktree
      ? [{ name, base: base.toLowerCase(), tip }]
      : [];
  });
  const isOfHead = ({ base }: Here): boolean => head?.startsWith(base) ?? false;
  return [...here.filter(isOfHead), ...here.filter((one) => !isOfHead(one))];
}

/** Tips of this worktree's shadow branches whose base is on this branch. */
function tipsHere(branch: Branch): ObjectId[] {
  const { head, isDefault, git } = branch;
  const here = listHere(branch);
  if (isDefault || !head) return here.map(({ tip }) => tip);
  const older = here.filter(({ base }) => !head.startsWith(base));
  const bases = basesOf(git, older);
  const reached = older.length > 0 ? onChain(git, head, [...bases.values()]) : new Set();
  const isReached = (one: Here): boolean => reached.has(bases.get(one));
  return here.flatMap((one) => (head.startsWith(one.base) || isReached(one) ? [one.tip] : []));
}

/** This worktree's shadow branches whose base HEAD's history has, that of HEAD first. At most two processes. */
export function shadowsBelowHead(branch: Branch): Here[] {
  const { head, git } = branch;
  if (!head) return [];
  const here = listHere(branch);
  const older = here.filter(({ base }) => !head.startsWith(base));
  if (older.length === 0) return here;
  const bases = basesOf(git, older);
  const elsewhere = listNotReached(git, [...bases.values()], head);
  return here.filter((one) => {
    const base = bases.get(one);
    return !older.includes(one) || (base !== undefined && !elsewhere.has(base));
  });
}

function basesOf(git: Git, here: readonly Here[]): Map<Here, ObjectId> {
  const names = here.map(({ base }) => `${base}^{commit}`);
  const found = readRevisions(git, names);
  return new Map(
    here.flatMap((one, at) => {
      const oid = found.get(names[at] as string);
      return oid ? [[one, oid] as const] : [];
    }),
  );
}
