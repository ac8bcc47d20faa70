import type { ObjectId } from '../base/ids.ts';
import { type Kept, REMOTE_REFS, trackingOf } from '../checkpoint/remote-refs.ts';
import { readRef, updateRefs } from '../git/ref/refs.ts';
import { withoutCredentials } from '../git/remote/remotes.ts';
import type { SyncPlace } from './destination.ts';
import { askRefs, followRefs, removeRef, type There } from './exchange.ts';
import { takeInAll } from './fetch.ts';
import { recordPush } from './ledger.ts';
import { MAX_TRIES, type PushOptions, type PushOutcome, pushRecord } from './push.ts';
import { readUrl } from './route.ts';
import type { Answer, Failure, Line } from './transport.ts';

/** Where a remote keeps checkpoints that are not to be kept there. */
export const otherThan = (record: Kept): Kept => (record === 'ref' ? 'branch' : 'ref');

/** What became of a move from one place on the remote to the other. */
export interface MoveOutcome {
  /** Of the push before. */
  readonly outcome: PushOutcome;
  /** The place that is gone now; `undefined` where there was none. */
  readonly removed: Kept | undefined;
  /** Why it could not be taken away; everything is at the new place by then. */
  readonly failure?: Failure;
}

/**
 * Moves checkpoints on the remote to where they are to be: takes in what the other place has, pushes, and only when all of
 * it is there takes the other place away, if that is still what was taken in. It may be stopped anywhere, and begun again.
 *
 * @throws {EntireError} as {@link pushRecord}
 */
export async function moveRecord(line: Line, options: PushOptions): Promise<Answer<MoveOutcome>> {
  const { to } = line;
  const other = otherThan(to.record);
  let removed: Kept | undefined;
  let all: PushOutcome | undefined;
  for (let tries = 1; ; tries++) {
    const there = await askRefs(line);
    if ('failure' in there) return there;
    const olds = await takeInOthers(line, options, there.value);
    if ('failure' in olds) return olds;
    const outcome = await pushRecord(line, options);
    all = all
      ? { ...outcome, result: later(all.result, outcome.result), merged: all.merged || outcome.merged }
      : outcome;
    if (outcome.failure) return { value: { outcome: all, removed } };
    let failure: Failure | undefined;
    for (const { place, tip } of olds.value) {
      failure = await removeOne(line, options.commonDir, place, other, tip);
      if (failure) break;
      removed = other;
    }
    if (failure?.code !== 'moved' || tries >= MAX_TRIES)
      return { value: { outcome: all, removed, ...(failure ? { failure } : {}) } };
  }
}

const later = (before: PushOutcome['result'], now: PushOutcome['result']): PushOutcome['result'] =>
  now === 'up-to-date' ? before : now;

interface Old {
  readonly place: SyncPlace;
  readonly tip: ObjectId;
}

/** What the other places hold is in the branch here afterwards. What the right place holds is known, too. */
async function takeInOthers(
  line: Line,
  { commonDir, onLeftOut }: PushOptions,
  there: readonly There[],
): Promise<Answer<Old[]>> {
  const { git, to } = line;
  const other = otherThan(to.record);
  const olds: Old[] = [];
  for (const [index, place] of to.places.entries()) {
    const followed = await followRefs(line, place, there[index] as There, [other, to.record, 'notes']);
    for (const what of [other, to.record]) {
      const answer = followed.get(what);
      if (answer && 'failure' in answer) return answer;
      if (what !== other || !answer?.value) continue;
      takeInAll(git, commonDir, new Map([[what, answer.value]]), onLeftOut);
      olds.push({ place, tip: answer.value });
    }
  }
  return { value: olds };
}

async function removeOne(
  line: Line,
  commonDir: string,
  place: SyncPlace,
  what: Kept,
  tip: ObjectId,
): Promise<Failure | undefined> {
  const { git, to } = line;
  const concluded = recordPush(commonDir, {
    ...{ remote: withoutCredentials(to.label), url: readUrl(git, place.name, 'push') },
    ...{ from: tip, to: tip, checkpoints: 0, bytes: 0, removed: REMOTE_REFS[what] },
  });
  const failure = await removeRef(line, place, what, tip);
  concluded(failure ? (failure.code === 'timeout' ? 'unknown' : 'failed') : 'pushed', failure?.reason);
  if (failure) return failure;
  const ref = trackingOf(place.trackingRef, what);
  const known = readRef(git, ref);
  if (known) updateRefs(git, [{ ref, from: known, to: undefined }]);
  return undefined;
}
