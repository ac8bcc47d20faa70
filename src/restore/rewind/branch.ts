import type { ObjectId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import { metadataDir } from '../../checkpoint/shadow-branch.ts';
import { replayCommits } from '../../git/commit/replay.ts';
import { toChange } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { type MadeAgain, stagedRef } from '../../strategy/steps-again.ts';
import type { ChangedStep, CutBranch } from './steps.ts';

/** The branch after going back. */
export interface NextTip {
  readonly tip: ObjectId;
  /** The ref that holds it; `undefined` where the target itself is the tip. */
  readonly staged: string | undefined;
  /** Steps that were made again. */
  readonly again: readonly MadeAgain[];
}

/**
 * The branch without the later steps of some sessions. Those of others are made again on top of the target, with their
 * messages and dates: their points have other ids, and their files. Moves nothing but a ref of its own.
 *
 * @param along other sessions without which it is to be, too
 * @param owned paths of the session that no other one wrote: what the steps of others have of them is the session's own
 */
export function writeNextTip(
  git: Git,
  cut: CutBranch,
  sessionId: string,
  owned: ReadonlySet<RepoPath>,
  along: ReadonlySet<string> = new Set(),
): NextTip {
  const others = cut.later
    .filter(({ step }) => step.sessionId !== sessionId && !along.has(step.sessionId))
    .toReversed();
  return addSteps(git, sessionId, cut.target.commit.oid, others, owned);
}

/** Steps made again on top of a commit, the oldest first. Moves nothing but a ref of its own, which holds them. */
export function addSteps(
  git: Git,
  sessionId: string,
  onto: ObjectId,
  steps: readonly ChangedStep[],
  without: ReadonlySet<RepoPath> = new Set(),
): NextTip {
  if (steps.length === 0) return { tip: onto, staged: undefined, again: [] };
  const ref = stagedRef(sessionId);
  const own = `${metadataDir(sessionId)}/`;
  const commits = steps.map(({ step, changes }) => ({
    like: step.commit.oid,
    changes: [...changes].flatMap(([path, { after }]) =>
      without.has(path) || path.startsWith(own) ? [] : [toChange(path, after)],
    ),
  }));
  const made = replayCommits(git, { ref, onto, commits });
  const again = steps.flatMap(({ step: { sessionId: of, commit } }, at): MadeAgain[] => {
    const step = made[at];
    return step && step !== commit.oid ? [{ sessionId: of, old: commit.oid, step }] : [];
  });
  return { tip: made.at(-1) ?? onto, staged: ref, again };
}

/** Files that other sessions wrote since the target, and which session it was. */
export function findOthers(
  { later }: CutBranch,
  sessionId: string,
  known: ReadonlyMap<
    string,
    { readonly touched: readonly RepoPath[]; readonly tracked: readonly RepoPath[] }
  >,
): Map<RepoPath, string> {
  const found = new Map<RepoPath, string>();
  for (const { step, changes } of later) {
    if (step.sessionId === sessionId) continue;
    // A session's first step also holds what others had not saved: the state says which of it is its own.
    const own = known.get(step.sessionId);
    const touched = own && new Set([...own.touched, ...own.tracked]);
    for (const path of changes.keys())
      if (!isInfrastructurePath(path) && (touched?.has(path) ?? true)) found.set(path, step.sessionId);
  }
  for (const [id, { tracked }] of known)
    if (id !== sessionId) for (const path of tracked) found.set(path, id);
  return found;
}
