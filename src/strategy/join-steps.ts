import type { ObjectId } from '../base/ids.ts';
import { metadataDir } from '../checkpoint/shadow-branch.ts';
import { type PathChanges, readChangesOfEach } from '../git/commit/commits.ts';
import { replayCommits } from '../git/commit/replay.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { type Change, readTree, toChange } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import type { SessionState } from '../session/state.ts';
import { type MadeAgain, stagedRef } from './steps-again.ts';
import type { Work } from './work.ts';

const SESSION = 'Entire-Session';
const TASK = 'Entire-Metadata-Task';
const MAX_STEPS = 1_000_000;

/** A branch with the steps of a session on top. */
export interface Joined {
  readonly tip: ObjectId;
  /** A ref of its own, which holds it until the branch does. */
  readonly staged: string;
  /** The steps, which have other names in it. */
  readonly again: readonly MadeAgain[];
}

/**
 * Makes the steps of a session that no commit has yet again on top of a branch that others have: each of them, with its message and date.
 * Those of others stay as they are, since what is on record of them names them. Moves nothing but a ref of its own.
 *
 * @param old the branch that the session has its steps on
 * @param target the other branch, which may have some of them: where sessions share one, the first that leaves takes all along
 * @returns `'there'` where it has all of them, `'none'` where there are none
 * @throws {EntireError} `GIT_FAILED`, `REF_LOCKED`
 */
export function joinSteps(
  { git }: Work,
  state: SessionState,
  old: ObjectId,
  target: ObjectId,
): Joined | 'there' | 'none' {
  const own = findOwn(readSteps(git, old), state);
  if (own.length === 0) return 'none';
  const there = readSteps(git, target).map(nameOf);
  const steps = own.filter((step) => !takeOne(there, nameOf(step)));
  const [first] = own;
  const last = steps.at(-1);
  if (!first || !last) return 'there';
  const pairs = own.flatMap(({ oid, parents: [parent] }) =>
    oid !== first.oid && parent ? [{ commit: oid, parent }] : [],
  );
  const changes = readChangesOfEach(git, pairs);
  const later = [...changes.values()].flatMap((one: PathChanges) => [...one.keys()]);
  const changesOf = ({ oid }: LogRow): Change[] =>
    oid === first.oid
      ? // Of what a session's first step found there, only what is its own.
        asIn(git, oid, state, later)
      : [...(changes.get(oid) ?? [])].map(([path, { after }]) => toChange(path, after));
  const ref = stagedRef(state.sessionId);
  const commits = steps.map((step) => ({
    like: step.oid,
    // Others may have written into its files since: the last step has them as they were left.
    changes: step === last ? [...changesOf(step), ...asIn(git, old, state)] : changesOf(step),
  }));
  const made = replayCommits(git, { ref, onto: target, commits });
  const again = steps.flatMap(({ oid }, at): MadeAgain[] => {
    const step = made[at];
    return step ? [{ sessionId: state.sessionId, old: oid, step }] : [];
  });
  return { tip: made.at(-1) ?? target, staged: ref, again };
}

/** What a session has in hand, as a commit has it, and its texts. */
export function asIn(
  git: Git,
  commit: ObjectId,
  { sessionId, filesTouched }: SessionState,
  more: readonly string[] = [],
): Change[] {
  const files = new Set([...filesTouched, ...more]);
  const entries = readTree(git, commit, [...files, `${metadataDir(sessionId)}/`], true);
  return [...new Set([...(entries?.keys() ?? []), ...files])].map((path) =>
    toChange(path, entries?.get(path)),
  );
}

/** All commits of a shadow branch, the oldest first. */
const readSteps = (git: Git, tip: ObjectId): LogRow[] =>
  (readLog(git, { range: [tip], limit: MAX_STEPS, trailers: [SESSION, TASK] }) ?? []).toReversed();

/** Takes a name out of a list, once. Whether it was there. */
function takeOne(names: string[], name: string): boolean {
  const at = names.indexOf(name);
  if (at >= 0) names.splice(at, 1);
  return at >= 0;
}

/** What stays when a step is made again. */
const nameOf = ({ authoredAt, committedAt, message }: LogRow): string =>
  [authoredAt, committedAt, message].join('\0');

const trailerOf = ({ trailers }: LogRow, key: string): string => trailers[key]?.[0]?.trim() ?? '';

/** The steps of a session that no commit has, the oldest first: what a commit took may lie below, where others have steps. */
function findOwn(steps: readonly LogRow[], { sessionId, checkpointCount }: SessionState): LogRow[] {
  const all = steps.filter((step) => trailerOf(step, SESSION) === sessionId);
  const turns = all.filter((step) => trailerOf(step, TASK) === '');
  const committed = checkpointCount > 0 ? turns.at(-checkpointCount - 1) : turns.at(-1);
  return all.slice(committed ? all.indexOf(committed) + 1 : 0);
}
