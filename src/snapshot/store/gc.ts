import { basename, join } from 'node:path';
import { now } from '../../base/clock.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { hasJournal, readJournal } from '../operation.ts';
import { listRecordIds, readRecord, snapsDir } from '../record/record.ts';
import { type SnapshotRecord, statesOf } from '../record/snapshot-record.ts';
import { readOpenEdits } from '../turn/ledger.ts';
import { readTurnBegin } from '../turn/turn-begin.ts';
import { sourcesOf } from './chunks.ts';
import type { FileState } from './file-state.ts';

/** What nobody names is young enough that a hook may be about to name it. */
const YOUNG_MS = 10 * 60 * 1000;

const BLOB_NAME = /^([0-9a-f]{64})(\.parts)?$/;

/** What was removed, or would be. */
export interface Removed {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Removes contents that no record names, and what killed processes left half-written. Only under the session's lock.
 *
 * @throws {EntireError} `SNAPSHOT_DAMAGED` when a record cannot be read: what it names is not known, and nothing is removed
 */
export function gcBlobs(
  store: string,
  { isDryRun = false, isNow = false }: { readonly isDryRun?: boolean; readonly isNow?: boolean } = {},
): Removed {
  const live = liveBlobs(store);
  const dir = join(store, 'blobs');
  const unnamed = listNames(dir).filter((name) => {
    const sha256 = BLOB_NAME.exec(name)?.[1];
    return sha256 === undefined ? name.endsWith('.tmp') : !live.has(sha256);
  });
  // Who has something forgotten does not wait for what a hook may be about to name; under the lock none is.
  const oldest = isNow ? Number.POSITIVE_INFINITY : now().getTime() - YOUNG_MS;
  let [files, bytes] = [0, 0];
  for (const file of [...unnamed.map((name) => join(dir, name)), ...findAbandoned(store)]) {
    const stat = disk.lstatSync(file, { throwIfNoEntry: false });
    const isFolder = stat?.isDirectory() && basename(file).startsWith('staging-');
    if (!stat || stat.mtimeMs > oldest || !(stat.isFile() || isFolder)) continue;
    const size = isFolder ? sizeOfFolder(file) : stat.size;
    if (!isDryRun && !removeIfOld(file, oldest)) continue;
    files++;
    bytes += size;
  }
  return { files, bytes };
}

/** A hook may find the content there, and name it, in this very moment: then it is back under its name. */
function removeIfOld(file: string, oldest: number): boolean {
  const aside = `${file}.${process.pid}.tmp`;
  disk.renameSync(file, aside);
  const isOld = disk.lstatSync(aside).mtimeMs <= oldest;
  if (isOld) disk.rmSync(aside, { recursive: true, force: true });
  else disk.renameSync(aside, file);
  return isOld;
}

/**
 * What killed processes left beside the contents: half a record, and what an operation was about to write that never came to its
 * journal. With a journal it is needed.
 */
function findAbandoned(store: string): string[] {
  const isAbandoned = (name: string): boolean =>
    name.endsWith('.tmp') || (name.startsWith('staging-') && !hasJournal(store));
  return [store, snapsDir(store)].flatMap((dir) =>
    listNames(dir).flatMap((name) => (isAbandoned(name) ? [join(dir, name)] : [])),
  );
}

const sizeOfFolder = (dir: string): number =>
  listNames(dir).reduce(
    (sum, name) => sum + (disk.lstatSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** Contents that are named, and those whose bytes they are made of. */
const liveBlobs = (store: string): ReadonlySet<string> => new Set(readReferences(store).keys());

/** What is named by something else than a record, which goes by itself: it is in use. */
export const IN_USE = '~';

/**
 * Contents that are named, each with the id of the newest record that does, or {@link IN_USE}. Those whose bytes a content is made
 * of are named with it.
 *
 * @throws {EntireError} `SNAPSHOT_DAMAGED`
 */
export function readReferences(store: string): Map<string, string> {
  const references = new Map<string, string>();
  const add = (by: string, ...states: readonly (FileState | undefined)[]): void => {
    for (const state of states) {
      if (state?.kind !== 'file' && state?.kind !== 'link') continue;
      if ((references.get(state.sha256) ?? '') < by) references.set(state.sha256, by);
    }
  };
  const addRecord = (by: string, { files }: SnapshotRecord): void => {
    for (const change of files.values()) add(by, ...statesOf(change));
  };
  for (const id of listRecordIds(store)) addRecord(id, readRecord(store, id));
  const journal = readJournal(store);
  if (journal) addRecord(IN_USE, journal);
  for (const { state } of readTurnBegin(store)?.files.values() ?? []) add(IN_USE, state);
  for (const { before, after, replaced } of readOpenEdits(store)) {
    add(IN_USE, before, after);
    if (replaced !== undefined) references.set(replaced, IN_USE);
  }
  for (const [sha256, by] of [...references])
    for (const source of sourcesOf(store, sha256))
      if ((references.get(source) ?? '') < by) references.set(source, by);
  return references;
}
