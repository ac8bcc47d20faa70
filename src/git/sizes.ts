import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { type Git, runGit } from './run.ts';

/** Sizes in bytes of those objects that exist and are blobs, all with one process. */
export function readSizes(git: Git, oids: readonly ObjectId[]): Map<ObjectId, number> {
  const sizes = new Map<ObjectId, number>();
  if (oids.length === 0) return sizes;
  const input = [...new Set(oids)].map((oid) => `${oid}\n`).join('');
  const { stdout } = runGit(git, ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], {
    input,
  });
  for (const line of stdout.toString('latin1').split('\n')) {
    const [, oid, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    const parsed = parseObjectId(oid);
    if (parsed) sizes.set(parsed, Number(size));
  }
  return sizes;
}

/** Which of the blobs the repository has, all with one process. */
export const findExisting = (git: Git, oids: readonly ObjectId[]): Set<ObjectId> =>
  new Set(readSizes(git, oids).keys());

/** So many bytes are held in memory at once. */
const BATCH_BYTES = 32 << 20;

/** Blobs in batches that fit into memory, however large they are together; those that do not exist are left out. */
export function inBatchesBySize(git: Git, oids: readonly ObjectId[]): ObjectId[][] {
  const batches: ObjectId[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const [oid, size] of readSizes(git, oids)) {
    if (total + size > BATCH_BYTES) {
      batches.push([]);
      total = 0;
    }
    batches.at(-1)?.push(oid);
    total += size;
  }
  return batches;
}
