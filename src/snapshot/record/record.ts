import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { newId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { EMPTY, type PathChange, parseRecord, renderRecord, type SnapshotRecord } from './snapshot-record.ts';

/** A record of what happens now, with nothing in it but what is said. */
export const newRecord = (
  what: Pick<SnapshotRecord, 'id' | 'kind'> & Partial<SnapshotRecord>,
): SnapshotRecord => ({ at: now().toISOString(), ...EMPTY, ...what });

/** Where records lie. */
export const snapsDir = (store: string): string => join(store, 'snaps');
export const recordFile = (store: string, id: string): string => join(snapsDir(store), `${id}.json`);

const RECORD_NAME = /^(\d{13}-[0-9a-f]{12})\.json$/;

/** When a record was made, by its id; in milliseconds since 1970. */
export const recordMs = (id: string): number => Number(id.slice(0, 13));

/** A new id: later ones sort behind earlier ones, whatever the clock does. */
export function newRecordId(after: string | undefined): string {
  const last = after === undefined ? 0 : recordMs(after);
  return `${String(Math.max(now().getTime(), last + 1)).padStart(13, '0')}-${newId()}`;
}

/** Ids of all records, oldest first. */
export const listRecordIds = (store: string): string[] =>
  listNames(snapsDir(store))
    .flatMap((name) => RECORD_NAME.exec(name)?.[1] ?? [])
    .sort();

export const hasRecord = (store: string, id: string): boolean => disk.existsSync(recordFile(store, id));

/** Writes a record whole. @throws the system error */
export const writeRecord = (store: string, record: SnapshotRecord, options: { fsync?: boolean } = {}): void =>
  writeFileAtomic(recordFile(store, record.id), `${JSON.stringify(renderRecord(record))}\n`, options);

/** Removes a record, if any: what it was about can no longer be taken back. @throws the system error */
export const removeRecord = (store: string, id: string): void =>
  disk.rmSync(recordFile(store, id), { force: true });

/**
 * Reads a record.
 *
 * @throws {EntireError} `SNAPSHOT_DAMAGED` when it is missing or no record
 */
export function readRecord(store: string, id: string): SnapshotRecord {
  try {
    return parseRecord(id, JSON.parse(readOwnText(recordFile(store, id), 'record') ?? ''));
  } catch (cause) {
    throw new EntireError('SNAPSHOT_DAMAGED', `${recordFile(store, id)} cannot be read.`, {
      cause,
      hint: 'Steps back from there are not possible; `entire verify` shows what else is damaged.',
    });
  }
}

/** {@link readRecord}; `undefined`, and a line in the log, for what cannot be read. */
export function readRecordIfSound(store: string, id: string): SnapshotRecord | undefined {
  try {
    return readRecord(store, id);
  } catch (error) {
    log('warn', 'record of a turn passed over', { store, id, error: describeError(error) });
    return undefined;
  }
}

/** All records of a store, oldest first; one that cannot be read is passed over. */
export const readSoundRecords = (store: string): SnapshotRecord[] =>
  listRecordIds(store).flatMap((id) => readRecordIfSound(store, id) ?? []);

/** A record without some of its files. */
export function withoutFiles(
  record: SnapshotRecord,
  isOut: (path: RepoPath, change: PathChange) => boolean,
): SnapshotRecord {
  return { ...record, files: new Map([...record.files].filter(([path, change]) => !isOut(path, change))) };
}
