import { posix, sep } from 'node:path';
import { linesOf } from '../slice/fuzzy-anchor.ts';
import { readFileForContext } from './read-file.ts';
import { readStructureCached, type StructureCache } from './structure-cache.ts';

/** How large a file is to somebody who reads it. */
export interface FileStats {
  readonly lines: number;
  /** Classes, functions and other things with a name; 0 where we have no grammar for the file. */
  readonly symbols: number;
}

/** Counts the lines and symbols of a file; none where it cannot be read as text. Never throws. */
export async function computeFileStats(
  path: string,
  { cache }: { readonly cache?: StructureCache | undefined } = {},
): Promise<FileStats> {
  const reading = readFileForContext(path);
  if (reading.status !== 'text') return { lines: 0, symbols: 0 };
  const lines = linesOf(reading.text).length;
  const source = await readStructureCached(path, reading.text, cache);
  return { lines, symbols: source.status === 'read' ? source.structure.symbols.length : 0 };
}

/**
 * Files by the folder they are in, `.` for the base folder: paths, or anything with one. Folders are in the order of their
 * names, files in the order in which they came.
 */
export function groupFilesByDir<T extends string | { readonly path: string }>(
  files: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const file of files) {
    const path = typeof file === 'string' ? file : file.path;
    const folder = posix.dirname(posix.normalize(path.split(sep).join('/')));
    const group = groups.get(folder);
    if (group) group.push(file);
    else groups.set(folder, [file]);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}
