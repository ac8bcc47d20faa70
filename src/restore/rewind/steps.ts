import { EntireError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import { type PathChanges, readChangesOfEach } from '../../git/commit/commits.ts';
import type { Branch } from '../../history/branch.ts';
import { findCommitted, readSteps, type Step } from '../../history/temporary.ts';

/** A step, and what it changed since the one before it. */
export interface ChangedStep {
  readonly step: Step;
  /** Also in our own folder; empty for the first commit of a branch, which is made of HEAD's tree. */
  readonly changes: PathChanges;
  /** The first step of its session, which also holds what was different before the session. */
  readonly isFirst: boolean;
}

/** A shadow branch, cut at the step one goes back to. */
export interface CutBranch {
  readonly ref: string;
  readonly tip: ObjectId;
  readonly target: Step;
  /** Steps before and with the target, newest first. */
  readonly kept: readonly ChangedStep[];
  /** Steps after it, of all sessions, newest first. */
  readonly later: readonly ChangedStep[];
}

/**
 * Reads the steps of a shadow branch with what each of them changed. Two processes.
 *
 * @throws {EntireError} `NOT_FOUND` when the target is on the branch no more; `GIT_FAILED` when commits lie between that
 *   are no steps
 */
export function cutBranch(branch: Branch, ref: string, tip: ObjectId, target: ObjectId): CutBranch {
  const steps = readSteps(branch, [tip], {});
  const at = steps.findIndex(({ commit }) => commit.oid === target);
  const found = steps[at];
  if (!found) throw new EntireError('NOT_FOUND', `${target.slice(0, 7)} is not on ${nameOf(ref)} any more`);
  steps.slice(0, at).forEach(({ commit }, index) => {
    if (commit.parents.length === 1 && commit.parents[0] === steps[index + 1]?.commit.oid) return;
    throw new EntireError('GIT_FAILED', `${nameOf(ref)} has commits that are no steps of a session`, {
      hint: `\`git log ${nameOf(ref)}\` shows them.`,
    });
  });
  const pairs = steps.flatMap(({ commit: { oid, parents } }) =>
    parents[0] ? [{ commit: oid, parent: parents[0] }] : [],
  );
  const changes = readChangesOfEach(branch.git, pairs);
  const firsts = findFirsts(steps);
  const changed = steps.map((step) => ({
    step,
    changes: changes.get(step.commit.oid) ?? new Map(),
    isFirst: firsts.has(step),
  }));
  return { ref, tip, target: found, later: changed.slice(0, at), kept: changed.slice(at) };
}

/**
 * The same without what a commit took of a session while its steps stayed, since another session had some on the branch: they are no
 * work of its any more, and the oldest that is holds what was different before it. As it is where one goes back behind the commit.
 *
 * @param count steps that the session made since
 */
export function sinceCommit(cut: CutBranch, sessionId: string, count: number): CutBranch {
  const all = [...cut.later, ...cut.kept];
  const oldest = all.filter(({ step }) => step.sessionId === sessionId && !step.isTask)[count - 1];
  const committed = findCommitted(
    all.map(({ step }) => step),
    (id) => (id === sessionId ? count : undefined),
  );
  if (!oldest || committed.size === 0 || cut.later.includes(oldest)) return cut;
  const changed = all.map((one): ChangedStep => {
    if (one === oldest) return { ...one, isFirst: one.step.metadataDir !== undefined };
    return committed.has(one.step) ? { ...one, changes: new Map(), isFirst: false } : one;
  });
  const at = cut.later.length;
  return { ...cut, later: changed.slice(0, at), kept: changed.slice(at) };
}

const nameOf = (ref: string): string => ref.replace('refs/heads/', '');

/**
 * The first step of each session. Checkpoints of tasks hold their own files alone, and so does what was carried forward,
 * after which no step is a first one.
 */
function findFirsts(steps: readonly Step[]): Set<Step> {
  const firsts = new Map<string, Step>();
  for (const step of steps) if (!step.isTask) firsts.set(step.sessionId, step); // the oldest comes last
  return new Set([...firsts.values()].filter(({ metadataDir }) => metadataDir !== undefined));
}

/** Files that the steps of a session are known to have written or deleted, apart from what its first step found there. */
export function pathsOf(steps: readonly ChangedStep[], sessionId: string): RepoPath[] {
  return steps
    .filter(({ step, isFirst }) => step.sessionId === sessionId && !isFirst)
    .flatMap(({ changes }) => [...changes.keys()].filter((path) => !isInfrastructurePath(path)));
}
