import type { SnapshotRecord } from './record.ts';

/** What a store takes, and for what. */
export interface StoreUsage {
  readonly store: string;
  /** Its records, oldest first. */
  readonly records: readonly Pick<SnapshotRecord, 'id' | 'kind'>[];
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
 * session keeps its newest step, and how it was taken back and done again since.
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

/** Where only ways back are left, of steps that are gone, the newest of those stays. */
const beforeNewestStep = (records: StoreUsage['records']): StoreUsage['records'] =>
  records.slice(
    0,
    records.findLastIndex(({ kind }) => kind !== 'undo' && kind !== 'redo'),
  );
