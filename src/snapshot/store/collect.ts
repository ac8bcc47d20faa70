import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { withSessionLock } from '../../session/lock.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import type { Progress } from '../place.ts';
import { isConcerned, readHistory } from '../record/history.ts';
import { listRecordIds, readRecord, removeRecord } from '../record/record.ts';
import type { SnapshotRecord } from '../record/snapshot-record.ts';
import { trimMarks } from '../record/step-marks.ts';
import { ledgersDir } from '../turn/ledger.ts';
import { snapshotsDir } from './blobs.ts';
import { gcBlobs, IN_USE, readReferences } from './gc.ts';

/** What was taken away, or would be. */
export interface Collected {
  /** What all contents took before. */
  readonly totalBytes: number;
  /** Contents that nothing named, and what was half-written. */
  readonly unnamed: { readonly files: number; readonly bytes: number };
  /** Steps that can no longer be undone, because of the budget. */
  readonly evicted: readonly {
    readonly session: string;
    readonly steps: number;
    readonly bytes: number;
    /** When the newest of them was made; RFC 3339. */
    readonly until: string;
  }[];
  /** Stores that could not be looked at, and why: nothing of them was touched. */
  readonly skipped: readonly { readonly session: string; readonly why: string }[];
}

export interface CollectOptions {
  readonly budgetBytes: number;
  readonly isDryRun: boolean;
  readonly onProgress?: Progress;
}

/** How long to wait for a session that a hook works on. */
const WAIT_MS = 2_000;

/**
 * Takes away what no step of any session needs, and the oldest steps where all of it takes more than the budget. Each session is
 * locked while its store is changed.
 */
export async function collectGarbage(
  commonDir: string,
  { budgetBytes, isDryRun, onProgress }: CollectOptions,
): Promise<Collected> {
  const stores = listStores(commonDir);
  const usages: StoreUsage[] = [];
  const skipped: { session: string; why: string }[] = [];
  let [totalBytes, neededBytes] = [0, 0];
  for (const [at, { name, store }] of stores.entries()) {
    onProgress?.('Looking', at, stores.length);
    try {
      const usage = readUsage(store);
      usages.push(usage.named);
      totalBytes += usage.totalBytes;
      neededBytes += usage.neededBytes;
    } catch (error) {
      skipped.push({ session: name, why: describeError(error) });
    }
  }
  const evictions = new Map(
    chooseEvictions(usages, neededBytes, budgetBytes).map((eviction) => [eviction.store, eviction]),
  );
  const evicted: Collected['evicted'][number][] = [];
  let [files, bytes] = [0, 0];
  for (const [at, { name, store, id }] of stores.entries()) {
    if (skipped.some(({ session }) => session === name)) continue;
    onProgress?.('Collecting', at, stores.length);
    const eviction = evictions.get(store);
    try {
      await withSessionLock(
        sessionsDir(commonDir),
        id,
        () => {
          const removed = gcBlobs(store, { isDryRun });
          files += removed.files;
          bytes += removed.bytes;
          if (eviction && !isDryRun) evict(store, eviction.records);
          if (!isDryRun) trimMarks(store);
        },
        { waitMs: WAIT_MS },
      );
      if (eviction) {
        const until = new Date(Number(eviction.records.at(-1)?.slice(0, 13))).toISOString();
        evicted.push({ session: name, steps: eviction.records.length, bytes: eviction.bytes, until });
      }
    } catch (error) {
      skipped.push({ session: name, why: describeError(error) });
    }
  }
  return { totalBytes, unnamed: { files, bytes }, evicted, skipped };
}

/** Ledgers go before the record, which alone knows them; contents after it, once nobody names them: now or the next time. */
function evict(store: string, records: readonly string[]): void {
  for (const id of records) {
    const { ledgers } = readRecord(store, id);
    for (const ledger of ledgers) disk.rmSync(join(ledgersDir(store), ledger), { force: true });
    removeRecord(store, id);
  }
  gcBlobs(store);
}

/** A store by its name, which is that of its session, in a linked worktree with `@<worktree>` behind it. */
export interface Store {
  readonly name: string;
  readonly store: string;
  readonly id: SessionId;
}

export function listStores(commonDir: string): Store[] {
  return listNames(snapshotsDir(commonDir)).flatMap((name) => {
    const id = parseSessionId(name.split('@')[0]);
    const store = join(snapshotsDir(commonDir), name);
    return id && disk.statSync(store, { throwIfNoEntry: false })?.isDirectory() ? [{ name, store, id }] : [];
  });
}

/** What sessions have kept for one worktree. */
export function listStoresOf({ commonDir, worktreeId }: Pick<Repo, 'commonDir' | 'worktreeId'>): Store[] {
  const suffix = worktreeId === '' ? '' : `@${worktreeId}`;
  return listStores(commonDir).filter(({ id, name }) => name === `${id}${suffix}`);
}

/** `neededBytes`: without what nothing names, which goes first. */
function readUsage(store: string): { named: StoreUsage; totalBytes: number; neededBytes: number } {
  const references = readReferences(store);
  const bytes = new Map<string, number>();
  let [totalBytes, neededBytes] = [0, 0];
  for (const name of listNames(join(store, 'blobs'))) {
    const stat = disk.lstatSync(join(store, 'blobs', name), { throwIfNoEntry: false });
    const size = stat?.isFile() ? stat.size : 0;
    totalBytes += size;
    const by = references.get(name.slice(0, 64));
    if (by !== undefined) neededBytes += size;
    if (by !== undefined && by !== IN_USE) bytes.set(by, (bytes.get(by) ?? 0) + size);
  }
  const records = listRecordIds(store).map((id) => readRecord(store, id));
  return { named: { store, records, bytes }, totalBytes, neededBytes };
}

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
