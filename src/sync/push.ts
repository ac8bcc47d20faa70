import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { findBases, readFolders, treeOf } from '../git/object/trees.ts';
import { readRefs, updateRefs } from '../git/ref/refs.ts';
import { withoutCredentials } from '../git/remote/remotes.ts';
import type { Git } from '../git/run.ts';
import type { Tombstone } from '../session/tombstones.ts';
import type { SyncPlace } from './destination.ts';
import { recordPush } from './ledger.ts';
import { bytesBetween, changedCheckpoints } from './outgoing.ts';
import { readUrl } from './route.ts';
import { noteUrls } from './spoken.ts';
import { askTips, type Failure, fetchTip, type Line, pushTip } from './transport.ts';
import { takeIn } from './union.ts';

/** What became of a push of the metadata branch. */
export interface PushOutcome {
  readonly result: 'pushed' | 'up-to-date' | 'failed';
  readonly failure?: Failure;
  /** What failed: the push, or the fetch or push after somebody else's push came first. */
  readonly failedAt?: 'push' | 'fetch' | 'push after sync';
  /** What others had pushed meanwhile was merged in. */
  readonly merged: boolean;
  readonly checkpoints: number;
  readonly bytes: number;
  readonly from: ObjectId | undefined;
  readonly to: ObjectId | undefined;
}

/** Times that we start again because somebody else was faster. */
const MAX_TRIES = 5;

export interface PushOptions {
  /** `<git-common-dir>` */
  readonly commonDir: string;
  /** Told before the first push, and before the remote's branch is merged in. */
  readonly onStep?: (step: 'pushing' | 'syncing') => void;
  /** Told what the remote has, and was forgotten here. */
  readonly onLeftOut: (stone: Tombstone) => void;
}

/** Where the local branch is, and what all places have of it, as far as we know; with one process where they agree. */
export function readTips(
  git: Git,
  places: readonly SyncPlace[],
): { local: ObjectId | undefined; known: ObjectId | undefined } {
  const tips = readRefs(git, [METADATA_REF, ...places.map(({ trackingRef }) => trackingRef)]);
  const known = new Set(places.map(({ trackingRef }) => tips.get(trackingRef)));
  return { local: tips.get(METADATA_REF), known: findShared(git, [...known]) };
}

/** The newest commit that is in all of several histories. */
function findShared(git: Git, tips: readonly (ObjectId | undefined)[]): ObjectId | undefined {
  const known = tips.flatMap((tip) => tip ?? []);
  if (known.length < tips.length) return undefined;
  return known.length > 1 ? findBases(git, ...known)[0] : known[0];
}

/** Whether the local branch has something that the remote, as we know it, has not. */
export function hasNews(git: Git, local: ObjectId, known: ObjectId | undefined): boolean {
  if (local === known) return false;
  if (known) return !findBases(git, local, known).includes(local);
  const tree = treeOf(git, local);
  return (readFolders(git, [tree]).get(tree)?.size ?? 0) > 0; // a branch that was only just begun
}

/**
 * Pushes the local metadata branch until the remote has all of it, or the deadline has come. Only a remote that has
 * moved leads to a fetch, a merge and another push; whatever else fails is the answer.
 *
 * @throws {EntireError} `WRITE_FAILED` when the ledger cannot be written; `REF_LOCKED`, `GIT_FAILED`
 */
export async function pushBranch(line: Line, options: PushOptions): Promise<PushOutcome> {
  const { git, to } = line;
  let merged = false;
  let synced = false;
  let total = { checkpoints: 0, bytes: 0 };
  let first: ObjectId | undefined;
  for (let tries = 1; ; tries++) {
    const { local, known } = readTips(git, to.places);
    first ??= known;
    const outcome = (result: PushOutcome['result']): PushOutcome => ({
      ...{ result, merged, from: first, to: local, ...total },
    });
    const failed = (failure: Failure, what: 'push' | 'fetch'): PushOutcome => {
      const failedAt = what === 'push' && synced ? 'push after sync' : what;
      return { ...outcome('failed'), failure, failedAt };
    };
    if (!local || !hasNews(git, local, known)) return outcome('up-to-date');

    if (tries === 1) options.onStep?.('pushing');
    if (!known || findBases(git, local, known).includes(known)) {
      const sent = await sendOnce(line, options, known, local);
      total = { checkpoints: sent.checkpoints, bytes: sent.bytes };
      if (!sent.failure) return outcome('pushed');
      if (sent.failure.code !== 'moved' || tries >= MAX_TRIES) return failed(sent.failure, 'push');
    } else if (tries >= MAX_TRIES) {
      return failed({ code: 'moved', reason: 'other pushes kept coming first' }, 'push');
    }

    if (!synced) options.onStep?.('syncing');
    synced = true;
    let hasMoved = false;
    for (const place of to.places) {
      const fetched = await fetchTip(line, place);
      if ('failure' in fetched) return failed(fetched.failure, 'fetch');
      const union = fetched.value && takeIn(git, options.commonDir, fetched.value);
      if (union) for (const stone of union.leftOut) options.onLeftOut(stone);
      merged ||= union !== undefined && union.kind === 'merged';
      hasMoved ||= fetched.value !== known;
    }
    if (!hasMoved) await pause(tries); // a lock there
  }
}

/** Two that push at once should not meet again and again. */
const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * tries));

async function sendOnce(
  line: Line,
  { commonDir }: PushOptions,
  known: ObjectId | undefined,
  local: ObjectId,
): Promise<{ failure?: Failure; checkpoints: number; bytes: number }> {
  const { git, to } = line;
  const checkpoints = changedCheckpoints(git, known, local).length;
  const bytes = bytesBetween(git, known, local);
  const url = readUrl(git, to.target, 'push');
  const conclude = recordPush(commonDir, {
    ...{ remote: withoutCredentials(to.label), url, from: known ?? null, to: local, checkpoints, bytes },
  });
  const answer = await pushTip(line, local);
  if ('failure' in answer) {
    conclude(answer.failure.code === 'timeout' ? 'unknown' : 'failed', answer.failure.reason);
    return { failure: answer.failure, checkpoints, bytes };
  }
  conclude('pushed');
  for (const { trackingRef } of to.places) noteTip(git, trackingRef, local);
  noteUrls(commonDir, to.places);
  return { checkpoints, bytes };
}

/**
 * Asks the remote where its branch is, and brings what we know of it up to date: it may have moved, or be gone.
 * `undefined` when all is well.
 */
export async function refreshTip(line: Line, commonDir: string): Promise<Failure | undefined> {
  const { git, to } = line;
  const there = await askTips(line);
  if ('failure' in there) return there.failure;
  const known = readRefs(
    git,
    to.places.map(({ trackingRef }) => trackingRef),
  );
  for (const [index, place] of to.places.entries()) {
    const tip = there.value[index];
    if (tip === known.get(place.trackingRef)) continue;
    const fetched = await fetchTip(line, place);
    if ('failure' in fetched) return fetched.failure;
  }
  noteUrls(commonDir, to.places);
  return undefined;
}

/** Git itself does this only where the remote's refspec covers the branch. */
function noteTip(git: Git, trackingRef: string, tip: ObjectId): void {
  try {
    const now = readRefs(git, [trackingRef]).get(trackingRef);
    if (now !== tip) updateRefs(git, [{ ref: trackingRef, from: now, to: tip }]);
  } catch (error) {
    log('info', 'tracking ref not moved', { ref: trackingRef, error: describeError(error) });
  }
}
