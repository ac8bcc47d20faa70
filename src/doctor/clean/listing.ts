import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { disk, listNames } from '../../base/file/disk.ts';

/** A file or folder, as far as a look at its folder tells. */
export interface Entry {
  readonly path: string;
  readonly name: string;
  readonly isFile: boolean;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
  /** Since it was last written. */
  readonly ageMs: number;
}

/** Entries of one folder that are looked at: what we keep there is tidied long before. */
const MAX_ENTRIES = 2_000;

/** What is in a folder, in order of name; nothing where it cannot be listed, which has a finding of its own. */
export function listEntries(dir: string): Entry[] {
  let names: string[];
  try {
    names = listNames(dir).sort().slice(0, MAX_ENTRIES);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(dir, name);
    const stat = disk.lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return [];
    const ageMs = now().getTime() - stat.mtimeMs;
    return [{ path, name, isFile: stat.isFile(), isFolder: stat.isDirectory(), sizeBytes: stat.size, ageMs }];
  });
}
