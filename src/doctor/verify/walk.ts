import { join } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';

/**
 * Names in the folder `names` below `root`; none where there is none, where it cannot be read, or where a link stands on the
 * way to it: what is behind that is not ours.
 */
export function listQuietly(root: string, ...names: readonly string[]): string[] {
  try {
    for (let depth = 0; depth <= names.length; depth++)
      if (!disk.lstatSync(join(root, ...names.slice(0, depth))).isDirectory()) return [];
    return listNames(join(root, ...names));
  } catch {
    return [];
  }
}

/** The regular files below a folder, with their sizes in bytes. Links are not followed; what cannot be read is left out. */
export function* walk(
  dir: string,
  isSkipped: (name: string) => boolean = () => false,
): Generator<{ readonly file: string; readonly sizeBytes: number }> {
  for (const name of listQuietly(dir)) {
    const file = join(dir, name);
    const stat = disk.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory() && !isSkipped(name)) yield* walk(file, isSkipped);
    else if (stat?.isFile()) yield { file, sizeBytes: stat.size };
  }
}
