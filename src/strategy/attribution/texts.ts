import { isSubmodule, readObjects, type TreeEntry } from '../../git/object/objects.ts';
import { readSizes } from '../../git/object/sizes.ts';
import type { Git } from '../../git/run.ts';

/** Larger files are not counted: nobody wrote so much by hand. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Files beyond so many bytes in one commit are not counted. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** One file as several trees have it; `undefined` where a tree has none. */
export type Versions = readonly (TreeEntry | undefined)[];

/**
 * The texts of files, all with two processes; a missing version is empty. Files that count no lines are left out:
 * submodules, binary ones (in one version), too large ones. Bytes come as Latin-1, so that each is a character.
 */
export function readTexts(git: Git, files: ReadonlyMap<string, Versions>): Map<string, readonly string[]> {
  const blobs = [...files.values()]
    .flat()
    .flatMap((entry) => (entry && !isSubmodule(entry) ? entry.oid : []));
  const sizes = readSizes(git, [...new Set(blobs)]);
  let total = 0;
  const chosen = [...files].filter(([, versions]) => {
    const bytes = versions.map((entry) => (entry ? (sizes.get(entry.oid) ?? Number.POSITIVE_INFINITY) : 0));
    if (versions.some((entry) => entry && isSubmodule(entry)) || Math.max(...bytes) > MAX_BYTES) return false;
    total += bytes.reduce((sum, size) => sum + size, 0);
    return total <= MAX_TOTAL_BYTES;
  });
  const wanted = new Set(chosen.flatMap(([, versions]) => versions.flatMap((entry) => entry?.oid ?? [])));
  const objects = readObjects(git, [...wanted]);
  const texts = new Map<string, readonly string[]>();
  for (const [path, versions] of chosen) {
    const data = versions.map((entry) => (entry ? objects.get(entry.oid)?.data : Buffer.alloc(0)));
    const read = data.flatMap((bytes) => (bytes && !isBinary(bytes) ? bytes.toString('latin1') : []));
    if (read.length === versions.length) texts.set(path, read);
  }
  return texts;
}

/** As git judges it: a NUL in the first 8000 bytes. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);
