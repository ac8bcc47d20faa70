import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';

/** Sizes in bytes of those objects that exist and are blobs, all with one process. */
export const readSizes = (git: Git, oids: readonly ObjectId[]): Map<ObjectId, number> =>
  askSizes(git, oids, '%(objectsize)');

/** How many bytes blobs take as git stores them: compressed, or as a difference from another. All with one process. */
export const readStoredSizes = (git: Git, oids: readonly ObjectId[]): Map<ObjectId, number> =>
  askSizes(git, oids, '%(objectsize:disk)');

function askSizes(git: Git, oids: readonly ObjectId[], field: string): Map<ObjectId, number> {
  const sizes = new Map<ObjectId, number>();
  if (oids.length === 0) return sizes;
  const input = [...new Set(oids)].map((oid) => `${oid}\n`).join('');
  const format = `--batch-check=%(objectname) %(objecttype) ${field}`;
  for (const line of runGit(git, ['cat-file', format], { input }).stdout.toString('latin1').split('\n')) {
    const [, oid, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    const parsed = parseObjectId(oid);
    if (parsed) sizes.set(parsed, Number(size));
  }
  return sizes;
}

/**
 * How many bytes take, as git stores them, the objects that `refs` lead to and the trees and histories of `without` do
 * not; `undefined` where git cannot follow them all.
 *
 * @param without trees have to be named on their own: git does not look into those of a commit that shares no history
 * @see https://git-scm.com/docs/git-rev-list#Documentation/git-rev-list.txt---disk-usage
 */
export function readDiskUsage(
  git: Git,
  refs: readonly string[],
  without: readonly string[] = [],
): number | undefined {
  if (refs.length === 0) return 0;
  const input = [...refs, ...without.map((name) => `^${name}`)].map((name) => `${name}\n`).join('');
  const { code, stdout } = runGit(git, ['rev-list', '--disk-usage', '--objects', '--stdin'], {
    input,
    okCodes: [0, 128],
  });
  return code === 0 ? Number(stdout.toString('latin1')) : undefined;
}

/** Which of the blobs the repository has, all with one process. */
export const findExisting = (git: Git, oids: readonly ObjectId[]): Set<ObjectId> =>
  new Set(readSizes(git, oids).keys());

/** So many bytes are held in memory at once. */
const BATCH_BYTES = 32 << 20;

/** Blobs in batches that fit into memory, however large they are together; those that do not exist are left out. */
export const inBatchesBySize = (git: Git, oids: readonly ObjectId[]): ObjectId[][] =>
  cutBySize(readSizes(git, oids));

/** The same of blobs whose sizes are known. */
export function cutBySize(sizes: Iterable<readonly [oid: ObjectId, size: number]>): ObjectId[][] {
  const batches: ObjectId[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const [oid, size] of sizes) {
    if (total + size > BATCH_BYTES) {
      batches.push([]);
      total = 0;
    }
    batches.at(-1)?.push(oid);
    total += size;
  }
  return batches;
}

/** Blobs by names as git has them (`<rev>:<path>`), with their sizes, all with one process; names of none are left out. */
export function findBlobs(
  git: Git,
  names: readonly string[],
): Map<string, { readonly oid: ObjectId; readonly size: number }> {
  const asked = names.filter((name) => !name.includes('\n'));
  if (asked.length === 0) return new Map();
  const input = asked.map((name) => `${name}\n`).join('');
  const rows = runGit(git, ['cat-file', '--batch-check'], { input }).stdout.toString('latin1').split('\n');
  return new Map(
    asked.flatMap((name, at) => {
      const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(rows[at] ?? '') ?? [];
      const oid = parseObjectId(id);
      return oid ? [[name, { oid, size: Number(size) }] as const] : [];
    }),
  );
}
