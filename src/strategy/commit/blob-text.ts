import type { ObjectId } from '../../base/ids.ts';
import { isSubmodule, readObjects, type TreeEntry } from '../../git/object/objects.ts';
import { readSizes } from '../../git/object/sizes.ts';
import type { Git } from '../../git/run.ts';
import { isBinary } from '../attribution/texts.ts';

const MIB = 1024 * 1024;

/** Larger blobs are compared by id only. */
const MAX_BYTES = 4 * MIB;

/** How many bytes of texts may still be held against others. */
export interface ByteBudget {
  /** Of those that have not been read yet. */
  left: number;
  /** Of those that were, each time that they are asked for; without it, of all of them. */
  again?: number;
}

/** What a look at one commit may cost; what is beyond it is compared by id only. One for all of its sessions. */
export interface ReadBudgets {
  /** For files of sessions, under the names they know. */
  readonly own: ByteBudget;
  /** For whatever else the commit has, where their work may have gone. */
  readonly other: ByteBudget;
}

/** A MiB of lines costs a hook some 20 ms for each session of which a file is gone or has less, and each of the two hooks of a commit looks. */
export const newReadBudgets = (): ReadBudgets => ({
  own: { left: 32 * MIB },
  other: { left: 8 * MIB, again: 24 * MIB },
});

/** Gives the text of a blob, as UTF-8 unless it is asked for otherwise; `undefined` for binary (a NUL in the first 8000 bytes), large and missing ones. */
export type ReadText = (entry: TreeEntry, encoding?: 'latin1') => string | undefined;

/** A reader of blobs as text. Each is read once, and none before it is known how large it is. */
export interface BlobTexts extends ReadText {
  /**
   * Reads many with two processes, as far as a budget goes, which is reduced by what is read now: the small ones first. What was read before
   * is reckoned apart: otherwise the sessions that are judged first leave the others nothing of the same commit to be held against.
   *
   * @param groups the first one comes first, whatever its sizes
   * @returns a reader of those it read, now or before
   */
  readAhead(groups: ReadonlyArray<Iterable<TreeEntry | undefined>>, budget: ByteBudget): ReadText;
}

export function blobTextReader(git: Git): BlobTexts {
  const sizes = new Map<ObjectId, number>();
  const known = new Map<ObjectId, Buffer | undefined>();
  const measure = (oids: readonly ObjectId[]): void => {
    const asked = oids.filter((oid) => !sizes.has(oid));
    const found = readSizes(git, asked);
    for (const oid of asked) sizes.set(oid, found.get(oid) ?? MISSING);
  };
  const sizeOf = (oid: ObjectId): number => sizes.get(oid) ?? MISSING;
  const take = (oids: readonly ObjectId[]): void => {
    const asked = oids.filter((oid) => !known.has(oid));
    const objects = readObjects(
      git,
      asked.filter((oid) => sizeOf(oid) <= MAX_BYTES),
    );
    for (const oid of asked) {
      const data = objects.get(oid)?.data;
      known.set(oid, data && !isBinary(data) ? data : undefined);
    }
  };
  const readText: ReadText = (entry, encoding) => {
    if (isSubmodule(entry)) return undefined;
    const { oid } = entry;
    if (!known.has(oid)) {
      measure([oid]);
      take([oid]);
    }
    return known.get(oid)?.toString(encoding ?? 'utf8');
  };
  return Object.assign(readText, {
    readAhead(groups: ReadonlyArray<Iterable<TreeEntry | undefined>>, budget: ByteBudget): ReadText {
      const asked = groups.map((entries) =>
        [...entries].flatMap((entry) => (entry && !isSubmodule(entry) ? entry.oid : [])),
      );
      measure([...new Set(asked.flat())]);
      const granted = new Set<ObjectId>();
      for (const oid of asked.flatMap((oids) => oids.toSorted((a, b) => sizeOf(a) - sizeOf(b)))) {
        const { left, again = Number.POSITIVE_INFINITY } = budget;
        const size = sizeOf(oid);
        if (granted.has(oid) || size > Math.min(MAX_BYTES, known.has(oid) ? again : left)) continue;
        granted.add(oid);
        if (known.has(oid)) budget.again = again - size;
        else budget.left = left - size;
      }
      take([...granted]);
      return (entry, encoding) => (granted.has(entry.oid) ? readText(entry, encoding) : undefined);
    },
  });
}

const MISSING = Number.MAX_SAFE_INTEGER;
