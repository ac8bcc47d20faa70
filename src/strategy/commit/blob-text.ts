import { readObjects, type TreeEntry } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { isBinary } from '../attribution/texts.ts';

/** Larger blobs are compared by id only. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A reader of blobs as text; `undefined` for binary (a NUL in the first 8000 bytes), large and missing ones. */
export function blobTextReader(git: Git): (entry: TreeEntry) => string | undefined {
  const known = new Map<string, string | undefined>();
  return ({ oid, mode }) => {
    if (mode === '160000') return undefined;
    if (!known.has(oid)) {
      const data = readObjects(git, [oid]).get(oid)?.data;
      const isText = data && data.length <= MAX_BYTES && !isBinary(data);
      known.set(oid, isText ? data.toString('utf8') : undefined);
    }
    return known.get(oid);
  };
}
