import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lookAt } from '../../base/file/disk.ts';
import { releaseMemory, spareMemory } from '../../base/memory.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { findIgnored } from '../../git/worktree/status.ts';
import { applyOperation, type Conclude, readJournal, takenBack } from '../operation.ts';
import { isSizeAndTime, type Place, type Progress, unfinished } from '../place.ts';
import { isConcerned, openPathsOf, readHistory, type UndoHistory } from '../record/history.ts';
import { listRecordIds, newRecord, newRecordId, readRecord, writeRecord } from '../record/record.ts';
import { NO_TRANSCRIPT, type PathChange, type SnapshotRecord } from '../record/snapshot-record.ts';
import { keepCurrent } from '../restore.ts';
import { MAX_PARTED_BYTES, readBlob, storeParts, WHOLE_BYTES } from '../store/chunks.ts';
import { canRun, type FileState, isSameState, MISSING } from '../store/file-state.ts';
import { type Inversion, type Inverted, invert, needsForce, yieldsToForce } from './invert.ts';
import { isClearedBy, isInPlaceOfFile } from './make-way.ts';
import { mergeWithGit } from './merge-files.ts';
import { type Chosen, collectChanges } from './take-out.ts';
import { readLast } from './taken-back.ts';

/** What there is once other steps are done. */
export interface AsIf {
  readonly states: ReadonlyMap<RepoPath, FileState>;
  /** Records that are taken back by then. */
  readonly done: ReadonlySet<string>;
  /** Records that are not there any more by then. */
  readonly gone: ReadonlySet<string>;
}

/** What to take back. */
export interface UndoRequest {
  readonly direction: 'undo' | 'redo';
  /** How many steps, at least 1. */
  readonly steps: number;
  /** Id of a record: that step alone is taken back, whatever came after it. */
  readonly only?: string | undefined;
  /**
   * These paths only, and also where git ignores them or no tool claimed them; all of the steps' when empty. What a rewind changed
   * beside files stays as it is where paths are named.
   */
  readonly paths: readonly RepoPath[];
  /** Also what somebody changed since: what they made of it is kept, and comes back by taking this back. */
  readonly isForced: boolean;
  /** For a look ahead: what is done by then. The store has the contents. */
  readonly asIf?: AsIf;
  readonly onProgress?: Progress;
}

/** What becomes of one path, and what it is now. */
type PathPlan = Inversion & {
  readonly from: FileState;
  /** It is left, and would not be by force. */
  readonly isForceable: boolean;
  /** It is replaced by force. */
  readonly isForced: boolean;
  /** It is as the session left it last: nobody else wrote there since. */
  readonly isOwn: boolean;
};

/** What becomes of each path, and why. */
export interface UndoPlan {
  /** Records that are taken back, the newest first. */
  readonly steps: readonly SnapshotRecord[];
  /** Ids of those that are rewinds, or undos of one. */
  readonly rewinds: ReadonlySet<string>;
  readonly paths: ReadonlyMap<RepoPath, PathPlan>;
  /** What each path looked like when it was kept. */
  readonly looks: ReadonlyMap<RepoPath, string>;
  /** What steps left of some paths, and was not kept until now. */
  readonly learned: ReadonlyMap<RepoPath, FileState>;
}

/**
 * What the session of a store did, and what of it can be taken back.
 *
 * @param open what a turn that goes on did so far
 * @param gone ids of records that do not count
 * @throws {EntireError} `SNAPSHOT_DAMAGED`
 */
export function readUndoHistory(
  store: string,
  open?: SnapshotRecord,
  gone: ReadonlySet<string> = new Set(),
): UndoHistory {
  const ids = listRecordIds(store).filter((id) => !gone.has(id));
  return readHistory([...ids.map((id) => readRecord(store, id)), ...(open ? [open] : [])]);
}

/**
 * Says what taking back the last steps would do to each path. What is there is kept in the store; nothing else is written.
 * Only under the session's lock.
 *
 * @param open what a turn that goes on did so far
 * @throws {EntireError} `NOTHING_TO_UNDO`, `SNAPSHOT_DAMAGED`, `UNDO_UNFINISHED`, `WRITE_FAILED`
 */
export function planUndo(place: Place, git: Git, request: UndoRequest, open?: SnapshotRecord): UndoPlan {
  if (readJournal(place.store)) throw unfinished();
  const history = readUndoHistory(place.store, open, request.asIf?.gone);
  const chosen =
    request.direction === 'undo' ? chooseStanding(history, request) : chooseUndone(history, request);
  const changes = collectChanges(place, git, chosen);
  const paths = [...changes.keys()];
  releaseMemory(paths.length);
  const ignored = new Set(findIgnored(git, paths));
  const looks = new Map<RepoPath, string>();
  const found = new Map<RepoPath, FileState | string>();
  for (const [at, path] of paths.entries()) {
    request.onProgress?.('Keeping', at, paths.length);
    spareMemory(at);
    looks.set(path, lookAt(join(place.root, path)));
    found.set(path, request.asIf?.states.get(path) ?? keepCurrent(place, path));
  }
  releaseMemory(paths.length);
  const merge = mergeWithGit(place.store, git);
  const isNamed = request.paths.length > 0 || request.direction === 'redo'; // only what was named, or undone, is here
  const known = new Map<RepoPath, FileState>();
  const planOne = (path: RepoPath, from: FileState): PathPlan => {
    const list = knownAgain(changes.get(path) ?? [], from, looks.get(path) ?? '');
    if (list[0]?.after === from) known.set(path, from);
    packCurrent(place.store, from, list[0]?.after);
    const options = { merge, isForced: request.isForced, isNamed, isIgnored: ignored.has(path) };
    const inversion = invert(from, list, options);
    const isForceable = inversion.verdict === 'left' && yieldsToForce(from, list, options);
    const isForced = inversion.verdict === 'restored' && needsForce(from, list, options);
    return { ...inversion, from, isForceable, isForced, isOwn: false };
  };
  const plans = new Map<RepoPath, PathPlan>();
  for (const [path, from] of found)
    plans.set(path, typeof from === 'string' ? { ...LEFT, why: from } : planOne(path, from));
  const isRemoved = (path: RepoPath) => {
    const plan = plans.get(path);
    return plan !== undefined && plan.verdict !== 'left' && plan.to.kind === 'missing';
  };
  for (const [path, from] of found)
    if (typeof from !== 'string' && from.kind === 'other' && isInPlaceOfFile(place.root, path)) {
      if (isClearedBy(place.root, path, isRemoved)) plans.set(path, planOne(path, MISSING));
    }
  const merged = [...plans].flatMap(([path, { verdict }]) => (verdict === 'merged' ? path : []));
  const last = readLast(place.store, new Set(merged));
  for (const path of merged) {
    const plan = plans.get(path);
    const after = open?.files.get(path)?.after ?? last.get(path)?.after;
    if (plan && after && isSameState(plan.from, after)) plans.set(path, { ...plan, isOwn: true });
  }
  const learned = new Map([...known].filter(([path]) => plans.get(path)?.verdict === 'restored'));
  const steps = chosen.map(({ record }) => record);
  return { steps, rewinds: history.rewinds, paths: plans, looks, learned };
}

const LEFT: PathPlan = {
  ...{ verdict: 'left', from: { kind: 'other' }, to: { kind: 'other' }, why: '' },
  ...{ isForceable: false, isForced: false, isOwn: false },
};

/** A file whose content was too much for a hook, and that is as the turn left it: now it is kept. */
function knownAgain([newest, ...older]: readonly Inverted[], from: FileState, look: string): Inverted[] {
  if (!newest) return [];
  const { after } = newest;
  const isSame = after.kind === 'unkept' && from.kind === 'file' && canRun(after) === canRun(from);
  return isSame && isSizeAndTime(look, after) ? [{ ...newest, after: from }, ...older] : [newest, ...older];
}

/** A large file is stored by what is new in it, as a turn's end does. */
function packCurrent(store: string, state: FileState, previous: FileState | undefined): void {
  if (state.kind !== 'file' || state.size <= WHOLE_BYTES || state.size > MAX_PARTED_BYTES) return;
  const base = previous?.kind === 'file' ? previous.sha256 : undefined;
  storeParts(store, state.sha256, readBlob(store, state.sha256), base === state.sha256 ? undefined : base, {
    fsync: true, // what lies there whole is on the disk, and goes
  });
}

function chooseStanding({ standing }: UndoHistory, { steps, only, paths, asIf }: UndoRequest): Chosen[] {
  const chosen = standing
    .filter((step) => !asIf?.done.has(step.record.id) && isConcerned(step, paths))
    .filter(({ record }) => only === undefined || record.id === only)
    .map((step) => ({
      // A part of a rewind is files only; the rest of it is taken back without names.
      record: paths.length === 0 && step.hasEffects ? step.record : { ...step.record, effects: [] },
      paths: openPathsOf(step, paths),
    }))
    .slice(-steps)
    .reverse();
  if (chosen.length === 0)
    throw new EntireError(
      'NOTHING_TO_UNDO',
      paths.length > 0
        ? `no turn of this session that can be undone touched ${paths.join(', ')}.`
        : 'nothing to undo: no change of this session is known that was not undone already.',
    );
  return chosen;
}

function chooseUndone(
  { undone, unredone }: UndoHistory,
  { steps, paths, isForced, asIf }: UndoRequest,
): Chosen[] {
  if (paths.length > 0)
    throw new EntireError('BAD_FLAGS', '--files is only for undo: redo takes back whole undos');
  // What a redo left holds up nothing else; it is done by force.
  const chosen = [...undone, ...(isForced ? unredone : [])]
    .filter(({ id }) => !asIf?.done.has(id))
    .slice(-steps)
    .reverse()
    .map((record) => ({ record, paths: [...record.files.keys()] }));
  if (chosen.length === 0)
    throw new EntireError('NOTHING_TO_UNDO', 'nothing to redo: nothing was undone since the last turn.');
  return chosen;
}

/**
 * Does what {@link planUndo} said.
 *
 * @param conclude does what a rewind's effects say
 * @param onDone told the record, before it is done with
 * @returns the record of it; paths that were left are in it
 * @throws as `applyOperation`
 */
export function applyUndo(
  place: Place,
  request: UndoRequest,
  plan: UndoPlan,
  conclude?: Conclude,
  onDone?: (record: SnapshotRecord) => void,
): SnapshotRecord {
  const files = new Map<RepoPath, PathChange>();
  const left = new Map<RepoPath, string>();
  const already: RepoPath[] = [];
  const forced: RepoPath[] = [];
  for (const [path, { verdict, from, to, why, isForced }] of plan.paths) {
    if (isForced) forced.push(path);
    if (verdict === 'left') left.set(path, why);
    else if (verdict === 'already') already.push(path);
    else files.set(path, { before: from, after: to, source: 'tool' });
  }
  const newest = plan.steps[0];
  const record = newRecord({
    id: newRecordId(listRecordIds(place.store).at(-1)),
    kind: request.direction,
    ...(newest && { turnId: newest.turnId, subject: newest.subject }),
    of: plan.steps.map(({ id }) => id),
    transcript: plan.steps.at(-1)?.transcript ?? NO_TRANSCRIPT,
    files,
    left,
    already,
    forced,
    effects: plan.steps.flatMap(({ effects }) => takenBack(effects)),
  });
  const { onProgress } = request;
  return applyOperation(place, {
    record,
    looks: plan.looks,
    onKept: () => completeSteps(place.store, plan),
    ...(conclude && { conclude }),
    ...(onDone && { onDone }),
    ...(onProgress && { onProgress }),
  });
}

/**
 * Steps tell from here on what they left, where a hook could not keep it: a file that comes back by redo has another time, and nothing
 * else would say that it is as the step left it.
 */
function completeSteps(store: string, { steps, learned }: UndoPlan): void {
  const isTold = new Set<RepoPath>();
  for (const { id, files } of steps) {
    const own = [...learned].filter(([path]) => files.has(path) && !isTold.has(path));
    if (own.length === 0) continue;
    const record = readRecord(store, id); // a step that is taken back in part is not all of it
    const completed = new Map(record.files);
    for (const [path, after] of own) {
      isTold.add(path);
      const change = completed.get(path);
      if (change) completed.set(path, withAfter(change, after));
    }
    writeRecord(store, { ...record, files: completed }, { fsync: true });
  }
}

const withAfter = (change: PathChange, after: FileState): PathChange => ({
  ...change,
  after,
  ...(change.parts && {
    parts: change.parts.map((part, at, all) => (at === all.length - 1 ? { ...part, after } : part)),
  }),
});
