import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readOpenEdits } from './ledger.ts';
import { listRecordIds, readRecord, type SnapshotRecord } from './record.ts';

/**
 * What kind of record was the last to change each of some paths, an edit that is no record yet being one of a turn; those that
 * none names are left out. Reads from the newest record on, until it knows all. Records that cannot be read are passed over.
 */
export function readLastKinds(
  store: string,
  paths: ReadonlySet<RepoPath>,
): Map<RepoPath, SnapshotRecord['kind']> {
  const last = new Map<RepoPath, SnapshotRecord['kind']>();
  if (paths.size === 0) return last;
  for (const { path } of readOpenEdits(store)) if (paths.has(path)) last.set(path, 'turn');
  for (const id of listRecordIds(store).reverse()) {
    if (last.size === paths.size) break;
    try {
      const { kind, files } = readRecord(store, id);
      for (const path of files.keys()) if (paths.has(path) && !last.has(path)) last.set(path, kind);
    } catch (error) {
      log('warn', 'record of a turn passed over', { store, id, error: describeError(error) });
    }
  }
  return last;
}
