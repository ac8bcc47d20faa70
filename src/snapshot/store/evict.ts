import { isConcerned, readHistory } from '../record/history.ts';
import type { SnapshotRecord } from '../record/record.ts';

/** What a store takes, and for what. */
export interface StoreUsage {
  readonly store: string;
  /** Its records, oldest first. */
  readonly records: readonly SnapshotRecord[];
  /** Bytes of contents, by the newest record that names them; what is in use and what nobody names are not among them. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** Records that go, and what that frees. */
export interface Eviction {
  readonly store: string;
  readonly records: readonly string[];
  readonly bytes: number;
}

/**
 * Which steps can no longer be undone, so that what is kept fits a budget: the oldest ones, whichever session they belong to. Each
 * session keeps its newest step that was not taken back, and what was done since.
 *
 * @param totalBytes what all stores take, without contents that nobody names
 */
export function chooseEvictions(
  stores: readonly StoreUsage[],
  totalBytes: number,
  budgetBytes: number,
): Eviction[] {
  const candidates = stores
    .flatMap(({ store, records, bytes }) =>
      beforeNewestStep(records).map(({ id }) => ({ store, id, bytes: bytes.get(id) ?? 0 })),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  let over = totalBytes - budgetBytes;
  const evictions = new Map<string, Eviction>();
  for (const { store, id, bytes } of candidates) {
    if (over <= 0) break;
    over -= bytes;
    const known = evictions.get(store);
    evictions.set(store, {
      store,
      records: [...(known?.records ?? []), id],
      bytes: (known?.bytes ?? 0) + bytes,
    });
  }
  return [...evictions.values()];
}

/** Where every step was taken back, the newest of those stays. */
function beforeNewestStep(records: StoreUsage['records']): StoreUsage['records'] {
  const standing = readHistory(records).standing.findLast((step) => isConcerned(step, []));
  const isStep = ({ kind }: SnapshotRecord): boolean => kind !== 'undo' && kind !== 'redo';
  const newest = records.findLastIndex(({ id }) => id === standing?.record.id);
  return records.slice(0, newest === -1 ? records.findLastIndex(isStep) : newest);
}
