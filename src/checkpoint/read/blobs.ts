import type { ObjectId } from '../../base/ids.ts';
import { readObjects } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';

/** What became of the objects that were asked for. Names in neither do not exist. */
export interface Blobs {
  readonly found: ReadonlyMap<string, { readonly oid: ObjectId; readonly data: Buffer }>;
  /** Objects that git has and cannot read. */
  readonly damaged: ReadonlySet<string>;
}

/**
 * Reads objects with one process. Where one is damaged git stops there, so the list is halved until the damaged ones
 * stand alone.
 */
export function readBlobs(git: Git, names: readonly string[]): Blobs {
  try {
    return { found: readObjects(git, names), damaged: new Set() };
  } catch {
    if (names.length === 1) return { found: new Map(), damaged: new Set(names) };
  }
  const half = Math.ceil(names.length / 2);
  const parts = [readBlobs(git, names.slice(0, half)), readBlobs(git, names.slice(half))];
  return {
    found: new Map(parts.flatMap(({ found }) => [...found])),
    damaged: new Set(parts.flatMap(({ damaged }) => [...damaged])),
  };
}
