import { join } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { disk, listNames } from '../base/file/disk.ts';
import { flushFiles } from '../base/file/flush.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { releaseMemory, spareMemory } from '../base/memory.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { fingerprints } from '../session/record/turn-snapshot.ts';
import { captureAll, type Place, type Progress, unfinished } from './place.ts';
import { listRecordIds, newRecordId, removeRecord, snapsDir, writeRecord } from './record/record.ts';
import {
  type Effect,
  type PathChange,
  parseRecord,
  renderRecord,
  type SnapshotRecord,
} from './record/snapshot-record.ts';
import { removeEmptyFolders, replaceFile, stageFile } from './replace-file.ts';
import { blobFile } from './store/blobs.ts';
import { type FileState, isSameState } from './store/file-state.ts';
import { type BeginState, rememberStates } from './turn/turn-begin.ts';
import { inOrder } from './undo/make-way.ts';

/**
 * Replaces files of a worktree so that nothing is lost and all of it can be taken back:
 *
 * 1. what is there now is kept (the caller has done so: `before` of each change is stored),
 * 2. all new contents are written beside each other, where a full disk does no harm,
 * 3. the journal says what is about to happen,
 * 4. file by file: is it still what it was? then it is replaced by a rename,
 * 5. the record says what was done; the journal goes.
 *
 * A process that dies before 3 has changed nothing. One that dies later leaves the journal, with which the rest can be
 * done, or what was done be taken back. Only under the session's lock.
 */
export interface Operation {
  /** What it will be known as. Its `files` are what becomes of each path: `before` is what is there now. */
  readonly record: SnapshotRecord;
  /** Does what the record's effects say, once the files are done. */
  readonly conclude?: Conclude;
  /** Called with the record once it is written; while this fails, or is not done, the operation can be finished. */
  readonly onDone?: (record: SnapshotRecord) => void;
  /** What each path looked like when it was kept: one that still does is not read again. */
  readonly looks?: ReadonlyMap<RepoPath, string>;
  readonly onProgress?: Progress;
  /** Called when all that is about to be replaced is on the disk, before anything is: it may be relied on from here on. */
  readonly onKept?: () => void;
}

/**
 * Does what effects say; it must bear being done twice. What it throws leaves the operation unfinished.
 *
 * @param left paths that could not be changed after all
 * @param changed paths that were
 * @returns the effects as they were done, for whoever takes them back
 */
export type Conclude = (
  effects: readonly Effect[],
  left: ReadonlyMap<RepoPath, string>,
  changed: ReadonlySet<RepoPath>,
) => readonly Effect[];

const journalFile = (store: string): string => join(store, 'journal.json');
const stagingDir = (store: string, id: string): string => join(store, `staging-${id}`);

/** Whether an operation was begun and not finished, or its journal cannot be read. */
export const hasJournal = (store: string): boolean => disk.existsSync(journalFile(store));

/** The operation that was begun and not finished, if any. @throws {EntireError} `SNAPSHOT_DAMAGED` */
export function readJournal(store: string): SnapshotRecord | undefined {
  const text = readOwnText(journalFile(store), 'record');
  if (text === undefined) return undefined;
  try {
    const { id, record } = JSON.parse(text) as { id: string; record: unknown };
    return parseRecord(id, record);
  } catch (cause) {
    throw new EntireError('SNAPSHOT_DAMAGED', `${journalFile(store)} cannot be read.`, {
      cause,
      hint: 'What was replaced is kept in the folder beside it. Move the file away to go on without it.',
    });
  }
}

/**
 * Does what the operation says. Paths that are not what they were any more are left, and so are those that could not be
 * written; everything else is done.
 *
 * @returns the record of what was done
 * @throws {EntireError} `UNDO_UNFINISHED` when another one waits to be finished; `WRITE_FAILED` when nothing was changed
 */
export function applyOperation(place: Place, operation: Operation): SnapshotRecord {
  if (readJournal(place.store)) throw unfinished();
  dropStaging(place.store);
  let record: SnapshotRecord;
  try {
    record = stageAll(place, operation);
    operation.onKept?.();
    writeJournal(place.store, record);
    releaseMemory(record.files.size);
  } catch (cause) {
    dropStaging(place.store);
    throw new EntireError('WRITE_FAILED', `nothing was changed: ${(cause as Error).message}`, {
      cause,
      hint: 'Make room on the disk, or correct what it says, and run the command again.',
    });
  }
  return carryOut(place, { ...operation, record });
}

/**
 * Writes all new contents, and waits until they and those that are about to be replaced are on the disk: one wait for all of them.
 *
 * @returns the record without the paths whose content is damaged: they are left
 */
function stageAll({ store }: Place, { record, onProgress }: Operation): SnapshotRecord {
  const staging = stagingDir(store, record.id);
  const files = new Map(record.files);
  const left = new Map(record.left);
  const written: string[] = [];
  makeStaging(staging);
  for (const [at, [path, { before, after }]] of [...record.files].entries()) {
    onProgress?.('Preparing', at, record.files.size);
    spareMemory(at);
    try {
      const staged = stageFile(store, staging, path, after);
      if (staged) written.push(staged);
      for (const state of [before, after])
        if (state?.kind === 'file' || state?.kind === 'link') written.push(blobFile(store, state.sha256));
    } catch (error) {
      if (!(error instanceof EntireError) || error.code !== 'SNAPSHOT_DAMAGED') throw error;
      files.delete(path);
      left.set(path, error.message);
    }
  }
  flushFiles(written);
  return { ...record, files, left };
}

/** Says what is begun, or says it in other words. Under the session's lock. @throws the system error */
export const writeJournal = (store: string, record: SnapshotRecord): void =>
  writeFileAtomic(journalFile(store), journalText(record), { fsync: true });

const makeStaging = (staging: string): void => void disk.mkdirSync(staging, { recursive: true, mode: 0o700 });

const journalText = (record: SnapshotRecord): string =>
  JSON.stringify({ version: 1, id: record.id, record: renderRecord(record) });

function carryOut(place: Place, { record, conclude, onDone, looks, onProgress }: Operation): SnapshotRecord {
  const staging = stagingDir(place.store, record.id);
  const left = new Map(record.left);
  const files = new Map(record.files);
  const states = new Map<RepoPath, BeginState>();
  let done = 0;
  for (const { path, to, makesWay } of inOrder([...record.files].map(([path, { after }]) => [path, after]))) {
    onProgress?.('Restoring', done, record.files.size);
    spareMemory(done++);
    const change = record.files.get(path) as PathChange;
    const what = { from: change.before as FileState, to, makesWay, staging, look: looks?.get(path) };
    const { why, before } = replaceFile(place, path, what);
    if (before) files.set(path, { ...change, before });
    if (why === undefined) states.set(path, asPut(place, path, to));
    else {
      left.set(path, why);
      files.delete(path);
    }
  }
  releaseMemory(record.files.size);
  const effects = conclude?.(record.effects, left, new Set(files.keys())) ?? record.effects;
  const result = { ...record, files, left, effects };
  writeRecord(place.store, result, { fsync: true });
  releaseMemory(result.files.size);
  rememberStates(place.store, listRecordIds(place.store).at(-1), states);
  onDone?.(result);
  endJournal(place.store);
  return result;
}

/** At once, and not when all is done: what somebody writes until then is no longer what was put there. */
const asPut = ({ root }: Place, path: RepoPath, state: FileState): BeginState => ({
  fingerprint: fingerprints(root, [path]).get(path) ?? '',
  state,
});

function endJournal(store: string): void {
  dropStaging(store); // first: without the journal nobody would look for it
  disk.rmSync(journalFile(store), { force: true });
}

/** What an operation was about to write, where it never came to its journal, and files of ours that were never finished. */
export function dropStaging(store: string): void {
  for (const dir of [store, snapsDir(store)])
    for (const name of listNames(dir)) {
      if (name.startsWith('staging-') || name.endsWith('.tmp'))
        disk.rmSync(join(dir, name), { recursive: true, force: true });
    }
}

/**
 * Does the rest of an interrupted operation.
 *
 * @param begun what the journal says; where turns have ended since, the record of it has a later id
 * @throws as {@link applyOperation}; the journal stays then
 */
export function finishOperation(
  place: Place,
  begun: SnapshotRecord,
  how: Pick<Operation, 'conclude' | 'onDone' | 'onProgress'> = {},
): SnapshotRecord {
  const operation = { ...how, record: asNewest(place.store, begun) };
  return carryOut(place, { ...operation, record: stageAll(place, operation) });
}

/** Steps are taken back in the order of their ids: what is finished now comes behind the turns that ended meanwhile. */
function asNewest(store: string, record: SnapshotRecord): SnapshotRecord {
  const ids = listRecordIds(store);
  const newest = ids.at(-1);
  if (newest === undefined || newest <= record.id || ids.includes(record.id)) return record;
  const renewed = { ...record, id: newRecordId(newest) };
  writeJournal(store, renewed);
  return renewed;
}

/**
 * Takes back what an interrupted operation did. A path that is neither what it was before nor what it was made is left.
 *
 * @returns paths that were left, and why
 */
export function abortOperation(
  place: Place,
  record: SnapshotRecord,
  { conclude, onDone, onProgress }: Aborting = {},
): Map<RepoPath, string> {
  const staging = stagingDir(place.store, `${record.id}-back`);
  const left = new Map<RepoPath, string>();
  const states = new Map<RepoPath, BeginState>();
  const entries = [...record.files];
  makeStaging(staging);
  const staged = entries.flatMap(([path, { before }], at) => {
    onProgress?.('Preparing', at, entries.length);
    return stageFile(place.store, staging, path, before as FileState) ?? [];
  });
  flushFiles(staged);
  let done = 0;
  for (const { path, to, makesWay } of inOrder(
    entries.map(([path, { before }]) => [path, before as FileState]),
  )) {
    onProgress?.('Restoring', done++, entries.length);
    if (isSameState(captureAll(place, path), to)) {
      if (to.kind === 'missing') removeEmptyFolders(place.root, path);
      states.set(path, asPut(place, path, to));
      continue;
    }
    const { after } = record.files.get(path) as PathChange;
    const what = { from: after, to, makesWay, staging, look: undefined };
    const { why } = replaceFile(place, path, what);
    if (why === undefined) states.set(path, asPut(place, path, to));
    else left.set(path, why);
  }
  conclude?.(
    takenBack(record.effects),
    left,
    new Set([...record.files.keys()].filter((path) => !left.has(path))),
  );
  removeRecord(place.store, record.id); // it may have come to its record, and not to the end of its journal
  rememberStates(place.store, listRecordIds(place.store).at(-1), states);
  onDone?.(left);
  endJournal(place.store);
  return left;
}

interface Aborting extends Pick<Operation, 'conclude' | 'onProgress'> {
  /** Called while the journal is still there. */
  readonly onDone?: (left: ReadonlyMap<RepoPath, string>) => void;
}

/** The effects that take others back. */
export const takenBack = (effects: readonly Effect[]): Effect[] =>
  effects.map(({ isBack, note }) => ({ isBack: !isBack, note })).reverse();
