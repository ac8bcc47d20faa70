import { EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { metadataDir } from '../checkpoint/shadow-branch.ts';
import { readChangesOfEach } from '../git/commit/commits.ts';
import { replayCommits } from '../git/commit/replay.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { type Change, readObjects, readTree, type TreeEntry, toChange } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import type { SessionState } from '../session/state.ts';
import { type MadeAgain, stagedRef } from './steps-again.ts';
import type { Work } from './work.ts';

const SESSION = 'Entire-Session';
const TASK = 'Entire-Metadata-Task';
const MAX_STEPS = 1_000_000;
/** Of more steps of others than these the order of time is not worth it that all of them are made again. */
const MAX_AGAIN = 100;

/** Two shadow branches that become one. */
interface Joining {
  /** Where the session has its steps. */
  readonly old: ObjectId;
  /** The branch that others have on the new base. */
  readonly target: ObjectId;
  /** The new base. */
  readonly head: ObjectId;
}

/** The branch that has the steps of both. */
export interface Joined {
  readonly tip: ObjectId;
  /** A ref of its own, which holds it until the branch does. */
  readonly staged: string;
  /** Steps that have other names in it. */
  readonly again: readonly MadeAgain[];
}

/**
 * Makes the steps of a session that no commit has yet again on a branch that others have on the new base: each of them, with its message
 * and date, in the order of time among theirs. Those of others that are later than its first one are made again as well. Moves nothing but
 * a ref of its own.
 *
 * @returns `undefined` where the session has no step
 * @throws {EntireError} `GIT_FAILED`, `REF_LOCKED`
 */
export function joinSteps(
  { git }: Work,
  state: SessionState,
  { old, target, head }: Joining,
): Joined | undefined {
  const own = findOwn(readSteps(git, old), state);
  if (own.length === 0) return undefined;
  const there = readSteps(git, target);
  const merged = mergeByTime(there, own);
  const first = merged.findIndex((step) => own.includes(step));
  const isLine = there.every(({ parents }, at) => parents.join() === (there[at - 1]?.oid ?? ''));
  const isInOrder = isLine && there.length - first <= MAX_AGAIN;
  const steps = isInOrder ? merged.slice(first) : own;
  const onto = isInOrder ? merged[first - 1]?.oid : target;

  const changes = readChangesOfEach(
    git,
    steps
      .filter((step) => step !== own[0])
      .map(({ oid, parents }) => ({ commit: oid, parent: parents[0] ?? head })),
  );
  const changesOf = ({ oid }: LogRow): Change[] =>
    oid === own[0]?.oid
      ? ofFirst(git, state, oid)
      : [...(changes.get(oid) ?? [])].map(([path, { after }]) => toChange(path, after));
  // Where nothing is below them, the first one begins with all that the new base has.
  const base = onto ? [] : [toChange('', wholeTree(git, head))];
  const ref = stagedRef(state.sessionId);
  const commits = steps.map((step, at) => ({
    like: step.oid,
    changes: at === 0 ? [...base, ...changesOf(step)] : changesOf(step),
  }));
  const made = replayCommits(git, { ref, onto, commits });
  const again = steps.flatMap((one, at): MadeAgain[] => {
    const step = made[at];
    return step ? [{ sessionId: trailerOf(one, SESSION), old: one.oid, step }] : [];
  });
  return { tip: made.at(-1) as ObjectId, staged: ref, again };
}

/** All commits of a shadow branch, the oldest first. */
const readSteps = (git: Git, tip: ObjectId): LogRow[] =>
  (readLog(git, { range: [tip], limit: MAX_STEPS, trailers: [SESSION, TASK] }) ?? []).toReversed();

const trailerOf = ({ trailers }: LogRow, key: string): string => trailers[key]?.[0]?.trim() ?? '';

/** The steps of a session that no commit has, the oldest first: what a commit took may lie below, where others have steps. */
function findOwn(steps: readonly LogRow[], { sessionId, checkpointCount }: SessionState): LogRow[] {
  const all = steps.filter((step) => trailerOf(step, SESSION) === sessionId);
  const turns = all.filter((step) => trailerOf(step, TASK) === '');
  const committed = checkpointCount > 0 ? turns.at(-checkpointCount - 1) : turns.at(-1);
  return all.slice(committed ? all.indexOf(committed) + 1 : 0);
}

/** Two rows of steps as one, each in its own order; at the same second what was on the old base comes first. */
function mergeByTime(there: readonly LogRow[], own: readonly LogRow[]): LogRow[] {
  const merged: LogRow[] = [];
  let at = 0;
  for (const step of own) {
    while (at < there.length && timeOf(there[at]) < timeOf(step)) merged.push(there[at++] as LogRow);
    merged.push(step);
  }
  return [...merged, ...there.slice(at)];
}

const timeOf = (step: LogRow | undefined): number => Date.parse(step?.committedAt ?? '');

/** Of what a session's first step found there, only what the session has in hand. */
function ofFirst(git: Git, { sessionId, filesTouched }: SessionState, step: ObjectId): Change[] {
  const entries = readTree(git, step, [...filesTouched, `${metadataDir(sessionId)}/`], true);
  return [...new Set([...(entries?.keys() ?? []), ...filesTouched])].map((path) =>
    toChange(path, entries?.get(path)),
  );
}

function wholeTree(git: Git, commit: ObjectId): TreeEntry {
  const oid = readObjects(git, [`${commit}^{tree}`]).get(`${commit}^{tree}`)?.oid;
  if (!oid) throw new EntireError('GIT_FAILED', `the tree of ${commit.slice(0, 7)} cannot be read`);
  return { mode: '040000', oid };
}
