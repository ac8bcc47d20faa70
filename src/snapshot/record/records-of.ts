import { describeError } from '../../base/errors.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { listRecordIds, newRecord, recordFile } from './record.ts';
import { parseRecord, type SnapshotRecord } from './snapshot-record.ts';

/** Of more than that the oldest are not read. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A text is searched for so many names; for more it is cheaper to read it. */
const MAX_NAMES = 32;

/** What is on record of some paths. */
export interface RecordsOf {
  /** Oldest first. Turns that name none of the paths have no files here. */
  readonly records: readonly SnapshotRecord[];
  /** None was too much to be read. */
  readonly isAll: boolean;
}

/** Reads the records of a session as far as they concern some paths; those that cannot be read are passed over. */
export function readRecordsOf(store: string, paths: readonly RepoPath[]): RecordsOf {
  const records: SnapshotRecord[] = [];
  const names = paths.length > MAX_NAMES ? undefined : paths.map((path) => JSON.stringify(path));
  let left = MAX_BYTES;
  for (const id of paths.length > 0 ? listRecordIds(store).reverse() : []) {
    if (left <= 0) return { records: records.reverse(), isAll: false };
    try {
      const text = readOwnText(recordFile(store, id), 'record') ?? '';
      left -= text.length;
      const isOther = names && isTurn(text) && !names.some((name) => text.includes(name));
      records.push(isOther ? newRecord({ id, kind: 'turn' }) : parseRecord(id, JSON.parse(text)));
    } catch (error) {
      log('warn', 'record of a turn passed over', { store, id, error: describeError(error) });
    }
  }
  return { records: records.reverse(), isAll: true };
}

/** Whether that is a turn’s as we write it, from its beginning to its end. */
const isTurn = (text: string): boolean =>
  text.startsWith('{"version":1,"kind":"turn",') && text.endsWith('}\n');
