import type { ObjectId } from '../base/ids.ts';
import { readObjects } from '../git/object/objects.ts';
import { readSizes } from '../git/object/sizes.ts';
import { type Entries, readFolders, writeBlobs, writeFolders } from '../git/object/trees.ts';
import type { Git } from '../git/run.ts';

/**
 * Where merging reads and writes objects; each call takes all that is needed at one level, so that it is one process.
 * Tests have one in memory.
 */
export interface Store {
  /** @throws {EntireError} when one is missing */
  readFolders(oids: readonly ObjectId[]): ReadonlyMap<ObjectId, Entries>;
  /** Contents as text; those that do not exist are left out. */
  readTexts(oids: readonly ObjectId[]): ReadonlyMap<ObjectId, string>;
  /** In bytes; those that do not exist are left out. */
  readSizes(oids: readonly ObjectId[]): ReadonlyMap<ObjectId, number>;
  writeTexts(texts: readonly string[]): readonly ObjectId[];
  writeFolders(folders: readonly Entries[]): readonly ObjectId[];
}

export const gitStore = (git: Git): Store => ({
  readFolders: (oids) => readFolders(git, oids),
  readTexts: (oids) =>
    new Map(
      [...readObjects(git, [...new Set(oids)])].map(([, { oid, data }]) => [oid, data.toString('utf8')]),
    ),
  readSizes: (oids) => readSizes(git, oids),
  writeTexts: (texts) => writeBlobs(git, texts),
  writeFolders: (folders) => writeFolders(git, folders),
});
