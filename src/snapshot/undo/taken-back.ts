import type { RepoPath } from '../../base/repo-path.ts';
import { listRecordIds, readRecordIfSound } from '../record/record.ts';
import type { SnapshotRecord } from '../record/snapshot-record.ts';
import type { FileState } from '../store/file-state.ts';
import { readOpenEdits } from '../turn/ledger.ts';

/**
 * Those of some paths where the last that a session's records say is that its work was taken back, by an undo or a rewind that stands; an
 * edit that is no record yet is work. Reads from the newest record on, until it knows all. Records that cannot be read are passed over.
 */
export const readTakenBack = (store: string, paths: ReadonlySet<RepoPath>): RepoPath[] =>
  [...readLast(store, paths)].flatMap(([path, { isTakenBack }]) => (isTakenBack ? path : []));

/** The last that records of a session say of a path. */
export interface LastSaid {
  /** The record. */
  readonly id: string;
  /** It is of a turn; else of a step back, or of one that was done again. */
  readonly isTurn: boolean;
  readonly isTakenBack: boolean;
  /** What it left there. */
  readonly after: FileState | undefined;
}

/** @param since only of records that are newer; ids sort by time */
export function readLast(store: string, paths: ReadonlySet<RepoPath>, since = ''): Map<RepoPath, LastSaid> {
  const last = new Map<RepoPath, LastSaid>();
  if (paths.size === 0) return last;
  const open = new Set(readOpenEdits(store).map(({ path }) => path));
  const asked = new Set([...paths].filter((path) => !open.has(path)));
  for (const id of asked.size > 0 ? listRecordIds(store).reverse() : []) {
    if (asked.size === 0 || id <= since) break;
    const record = readRecordIfSound(store, id);
    for (const path of record ? [...asked].filter((one) => record.files.has(one)) : []) {
      asked.delete(path);
      const isTakenBack =
        record !== undefined && !record.again?.includes(path) && !isWork(store, record, path);
      last.set(path, {
        id,
        isTurn: record?.kind === 'turn',
        isTakenBack,
        after: record?.files.get(path)?.after,
      });
    }
  }
  return last;
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
