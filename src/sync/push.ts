import { describeError, EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { type Kept, REMOTE_REFS, type Travelling, trackingOf } from '../checkpoint/remote-refs.ts';
import { findBases } from '../git/object/trees.ts';
import { readRefs, updateRefs } from '../git/ref/refs.ts';
import { withoutCredentials } from '../git/remote/remotes.ts';
import type { Git } from '../git/run.ts';
import type { Tombstone } from '../session/tombstones.ts';
import { askRefs, fetchRefs, followRefs, pushRefs, type There } from './exchange.ts';
import { recordPush } from './ledger.ts';
import { countNotes, type NotesUnion, takeInNotes } from './notes.ts';
import { bytesBetween, changedCheckpoints } from './outgoing.ts';
import { readUrl } from './route.ts';
import { noteUrls } from './spoken.ts';
import { type Item, listNews, readTips, type Tip, type Tips } from './tips.ts';
import type { Answer, Failure, Line } from './transport.ts';
import { takeIn } from './union.ts';

/** What became of a push of checkpoints, and of the notes that go with them. */
export interface PushOutcome {
  readonly result: 'pushed' | 'up-to-date' | 'failed';
  readonly failure?: Failure;
  /** What failed: the push, or the fetch or push after somebody else's push came first. */
  readonly failedAt?: FailedAt;
  /** What others had pushed meanwhile was merged in. */
  readonly merged: boolean;
  readonly checkpoints: number;
  /** Notes included. */
  readonly bytes: number;
  readonly from: ObjectId | undefined;
  readonly to: ObjectId | undefined;
  readonly notes: NotesOutcome;
}

export type FailedAt = 'push' | 'fetch' | 'push after sync';

/** What became of notes. */
export interface NotesOutcome {
  readonly result: PushOutcome['result'];
  /** Commits whose notes are new there, or others. */
  readonly count: number;
  readonly failure?: Failure;
  readonly failedAt?: FailedAt;
}

/** Times that we start again because somebody else was faster. */
export const MAX_TRIES = 5;

export interface PushOptions {
  /** `<git-common-dir>` */
  readonly commonDir: string;
  /** Told before the first push, and before the remote's branch is merged in. */
  readonly onStep?: (step: 'pushing' | 'syncing') => void;
  /** Told what the remote has, and was forgotten here. */
  readonly onLeftOut: (stone: Tombstone, what: Kept) => void;
  /** The user's own push takes them along. */
  readonly withoutNotes?: boolean;
}

/** How it ended for one of them. */
interface Ending {
  readonly failure?: Failure;
  readonly failedAt?: FailedAt;
}

/**
 * Pushes checkpoints and notes until the remote has all of them, or the deadline has come. Only a remote that has moved
 * leads to a fetch, a merge and another push; whatever else fails is the answer, and keeps the other from nothing.
 *
 * @throws {EntireError} `WRITE_FAILED` when the ledger cannot be written; `REF_LOCKED`, `GIT_FAILED`
 */
export async function pushRecord(line: Line, options: PushOptions): Promise<PushOutcome> {
  const { git, to } = line;
  const endings = new Map<Item, Ending>();
  const synced = new Set<Item>();
  const sums = { checkpoints: 0, notes: 0, bytes: { record: 0, notes: 0 } };
  let merged = false;
  let first: ObjectId | undefined;
  const end = (item: Item, failure: Failure | undefined, at: 'push' | 'fetch'): void => {
    const failedAt = at === 'push' && synced.has(item) ? 'push after sync' : at;
    endings.set(item, failure ? { failure, failedAt } : {});
  };
  for (let tries = 1; ; tries++) {
    const tips = readTips(git, to);
    first ??= tips.known;
    const news = listNews(git, tips).filter(
      (item) => !endings.has(item) && !(item === 'notes' && options.withoutNotes),
    );
    const outcome = (): PushOutcome => {
      const { checkpoints, bytes } = sums;
      const [record, notes] = [conclude(endings.get('record')), conclude(endings.get('notes'))];
      const total = { checkpoints, bytes: bytes.record + bytes.notes };
      const range = { from: first, to: tips.local };
      return { ...record, merged, ...total, ...range, notes: { ...notes, count: sums.notes } };
    };
    if (news.length === 0) return outcome();
    if (tries === 1) options.onStep?.('pushing');
    const at = (item: Item): Tip => (item === 'record' ? tips : tips.notes);
    const isReady = (item: Item): boolean => {
      const { local, known } = at(item);
      return !known || findBases(git, local as ObjectId, known).includes(known);
    };
    const ready = news.filter(isReady);
    const moved = news.filter((item) => !ready.includes(item));
    if (tries >= MAX_TRIES)
      for (const item of moved.splice(0))
        end(item, { code: 'moved', reason: 'other pushes kept coming first' }, 'push');
    if (ready.length > 0) {
      const sent = await sendOnce(line, options, tips, ready);
      if (ready.includes('record'))
        [sums.checkpoints, sums.bytes.record] = [sent.checkpoints, sent.bytes.record];
      if (ready.includes('notes')) [sums.notes, sums.bytes.notes] = [sent.notes, sent.bytes.notes];
      for (const [item, failure] of sent.failures)
        if (failure?.code === 'moved' && tries < MAX_TRIES) moved.push(item);
        else end(item, failure, 'push');
    }
    if (moved.length === 0) return outcome();

    if (synced.size === 0) options.onStep?.('syncing');
    for (const item of moved) synced.add(item);
    let hasMoved = false;
    for (const place of to.places) {
      const names = moved.map((item) => (item === 'record' ? to.record : item));
      for (const [what, answer] of await fetchRefs(line, place, names)) {
        const item = what === 'notes' ? what : 'record';
        if ('failure' in answer) {
          end(item, answer.failure, 'fetch');
          continue;
        }
        hasMoved ||= answer.value !== at(item).known;
        if (answer.value === undefined) continue;
        if (item === 'notes') {
          const union = tryTakeInNotes(git, answer.value);
          if ('failure' in union) end(item, union.failure, 'fetch');
          else merged ||= union.value.kind === 'merged';
          continue;
        }
        const union = takeIn(git, options.commonDir, answer.value);
        for (const stone of union.leftOut) options.onLeftOut(stone, to.record);
        merged ||= union.kind === 'merged';
      }
    }
    if (!hasMoved) await pause(tries); // a lock there
  }
}

function conclude(ending: Ending | undefined): Ending & { readonly result: PushOutcome['result'] } {
  if (ending === undefined) return { result: 'up-to-date' };
  return { result: ending.failure ? 'failed' : 'pushed', ...ending };
}

/** Notes that cannot be merged keep no checkpoint here. */
export function tryTakeInNotes(git: Git, remote: ObjectId): Answer<NotesUnion> {
  try {
    return { value: takeInNotes(git, remote) };
  } catch (error) {
    if (error instanceof EntireError) return { failure: { code: 'unsound', reason: error.message } };
    throw error;
  }
}

/** Two that push at once should not meet again and again. */
const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 100 * tries));

interface Sent {
  readonly failures: ReadonlyMap<Item, Failure | undefined>;
  readonly checkpoints: number;
  readonly notes: number;
  readonly bytes: Readonly<Record<Item, number>>;
}

async function sendOnce(
  line: Line,
  { commonDir }: PushOptions,
  tips: Tips,
  items: readonly Item[],
): Promise<Sent> {
  const { git, to } = line;
  const { left, local, notes } = tips as Tips & { local: ObjectId; notes: { local: ObjectId } };
  const isRecord = items.includes('record');
  const isNotes = items.includes('notes');
  const checkpoints = isRecord ? changedCheckpoints(git, left, local).length : 0;
  const noted = isNotes ? countNotes(git, notes.known, notes.local) : 0;
  const bytes = {
    record: isRecord ? bytesBetween(git, left, local) : 0,
    notes: isNotes ? bytesBetween(git, notes.known, notes.local) : 0,
  };
  const range = isRecord ? { from: left, to: local } : { from: notes.known, to: notes.local };
  const concluded = recordPush(commonDir, {
    ...{ remote: withoutCredentials(to.label), url: readUrl(git, to.target, 'push') },
    ...{ from: range.from ?? null, to: range.to, checkpoints, bytes: bytes.record + bytes.notes },
    ...(isNotes ? { notes: noted } : {}),
  });
  const sent = new Map<Travelling, ObjectId>([
    ...(isRecord ? [[to.record, local] as const] : []),
    ...(isNotes ? [['notes', notes.local] as const] : []),
  ]);
  const answers = await pushRefs(line, sent);
  for (const [what, tip] of sent)
    if (!answers.get(what))
      for (const { trackingRef } of to.places) noteTip(git, trackingOf(trackingRef, what), tip);
  const failures = new Map(items.map((item) => [item, answers.get(item === 'record' ? to.record : item)]));
  const failed = [...answers].flatMap(([what, failure]) => (failure ? [{ what, failure }] : []));
  // What stands in the line is what became of checkpoints, where any were to go.
  const main = failures.get(isRecord ? 'record' : 'notes');
  const reason = failed.map(({ what, failure }) => `${REMOTE_REFS[what]}: ${failure.reason}`).join('; ');
  if (main) concluded(main.code === 'timeout' ? 'unknown' : 'failed', main.reason);
  else concluded('pushed', reason || undefined);
  if (failed.length < answers.size) noteUrls(commonDir, to.places);
  return { failures, checkpoints, notes: noted, bytes };
}

/**
 * Asks the remote where all is, and brings what we know of it up to date: it may have moved, or be gone. Notes that cannot be
 * had are seen to when they are pushed.
 */
export async function refreshTips(line: Line, commonDir: string): Promise<Answer<readonly There[]>> {
  const { to } = line;
  const there = await askRefs(line);
  if ('failure' in there) return there;
  for (const [index, place] of to.places.entries()) {
    const followed = await followRefs(line, place, there.value[index] as There, [to.record, 'notes']);
    const record = followed.get(to.record);
    if (record && 'failure' in record) return record;
  }
  noteUrls(commonDir, to.places);
  return there;
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
