import type { RepoPath } from '../base/repo-path.ts';
import { readOpenEdits } from './ledger.ts';
import { listRecordIds, readRecordIfSound, type SnapshotRecord } from './record.ts';

/**
 * Those of some paths where the last that a session's records say is that its work was taken back, by an undo or a rewind that stands; an
 * edit that is no record yet is work. Reads from the newest record on, until it knows all. Records that cannot be read are passed over.
 *
 * @param others stores of other sessions: what one of them wrote over it, and had taken back since, is as good as taken back
 */
export function readTakenBack(
  store: string,
  paths: ReadonlySet<RepoPath>,
  others: readonly string[] = [],
): RepoPath[] {
  const own = readLast(store, paths);
  const takenBack = new Set(own.takenBack);
  for (const other of others) {
    const asked = new Set([...paths].filter((path) => !takenBack.has(path) && own.at.has(path)));
    const since = [...asked].reduce((oldest, path) => {
      const at = own.at.get(path) ?? '';
      return at < oldest ? at : oldest;
    }, '~');
    const last = readLast(other, asked, since);
    for (const path of last.takenBack)
      if ((last.at.get(path) ?? '') > (own.at.get(path) ?? '')) takenBack.add(path);
  }
  return [...takenBack];
}

/** @param since only of records that are newer; ids sort by time */
function readLast(store: string, paths: ReadonlySet<RepoPath>, since = ''): Last {
  const at = new Map<RepoPath, string>();
  const takenBack: RepoPath[] = [];
  if (paths.size === 0) return { at, takenBack };
  const open = new Set(readOpenEdits(store).map(({ path }) => path));
  const asked = new Set([...paths].filter((path) => !open.has(path)));
  for (const id of asked.size > 0 ? listRecordIds(store).reverse() : []) {
    if (asked.size === 0 || id <= since) break;
    const record = readRecordIfSound(store, id);
    for (const path of record ? [...asked].filter((one) => record.files.has(one)) : []) {
      asked.delete(path);
      at.set(path, id);
      if (record && !record.again?.includes(path) && !isWork(store, record, path)) takenBack.push(path);
    }
  }
  return { at, takenBack };
}

/** What the last records of paths are, and which of them took work back. */
interface Last {
  readonly at: ReadonlyMap<RepoPath, string>;
  readonly takenBack: readonly RepoPath[];
}

/** Whether a record leaves a path with the session's work: what takes something back leaves the contrary of that. */
function isWork(store: string, { kind, of }: SnapshotRecord, path: RepoPath): boolean {
  if (kind === 'turn' || kind === 'rewind') return kind === 'turn';
  const oldest = of
    .toReversed()
    .map((id) => readRecordIfSound(store, id))
    .find((record) => record?.files.has(path));
  return oldest ? !isWork(store, oldest, path) : kind === 'redo';
}
