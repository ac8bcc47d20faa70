import type { ObjectId } from '../../base/ids.ts';
import { readObjects, type TreeEntry } from '../../git/object/objects.ts';
import { readSizes } from '../../git/object/sizes.ts';
import type { Git } from '../../git/run.ts';
import { isBinary } from '../attribution/texts.ts';

/** Larger blobs are compared by id only. */
const MAX_BYTES = 4 * 1024 * 1024;
/** So many bytes are taken from one process. */
const MAX_AT_ONCE = 32 * 1024 * 1024;

/** A reader of blobs as text; `undefined` for binary (a NUL in the first 8000 bytes), large and missing ones. Each is read once. */
export interface BlobTexts {
  /** One process, unless it was read already. */
  (entry: TreeEntry): string | undefined;
  /** Reads many that will be asked for: two processes for all, and one more for each {@link MAX_AT_ONCE} bytes. */
  readAhead(entries: Iterable<TreeEntry | undefined>): void;
}

export function blobTextReader(git: Git): BlobTexts {
  const known = new Map<string, string | undefined>();
  const take = (oids: readonly ObjectId[]): void => {
    const objects = readObjects(git, oids);
    for (const oid of oids) {
      const data = objects.get(oid)?.data;
      const isText = data && data.length <= MAX_BYTES && !isBinary(data);
      known.set(oid, isText ? data.toString('utf8') : undefined);
    }
  };
  const readText = ({ oid, mode }: TreeEntry): string | undefined => {
    if (mode === SUBMODULE) return undefined;
    if (!known.has(oid)) take([oid]);
    return known.get(oid);
  };
  return Object.assign(readText, {
    readAhead(entries: Iterable<TreeEntry | undefined>): void {
      const oids = [...entries].flatMap((entry) =>
        entry && entry.mode !== SUBMODULE && !known.has(entry.oid) ? entry.oid : [],
      );
      const asked = [...new Set(oids)];
      if (asked.length < 2) return; // as cheap when it is asked for
      const sizes = readSizes(git, asked);
      let group: ObjectId[] = [];
      let total = 0;
      for (const oid of asked) {
        const size = sizes.get(oid) ?? Number.POSITIVE_INFINITY;
        if (size > MAX_BYTES) {
          known.set(oid, undefined);
          continue;
        }
        if (total + size > MAX_AT_ONCE) {
          take(group);
          [group, total] = [[], 0];
        }
        group.push(oid);
        total += size;
      }
      take(group);
    },
  });
}

const SUBMODULE = '160000';
