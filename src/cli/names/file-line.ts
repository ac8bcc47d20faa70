import { resolve } from 'node:path';
import { lstatIfExists } from '../../base/file/disk.ts';

/** Lines of a file, as one word. */
export interface FileLines {
  readonly file: string;
  /** The first and the last, from 1. */
  readonly first: string;
  readonly last: string;
}

/**
 * `src/a.ts:8`, `:8-12`, or `:8:3`, as compilers and editors write it.
 *
 * @returns `undefined` where a file is called just so, or none is called what stands before the colon
 */
export function parseFileLines(word: string): FileLines | undefined {
  const [, file, first, last] = /^(.+?):(\d+)(?:[-,](\d+)|:\d+)?:?$/s.exec(word) ?? [];
  if (file === undefined || first === undefined) return undefined;
  const isThere = (path: string): boolean => lstatIfExists(resolve(path)) !== undefined;
  return isThere(word) || !isThere(file) ? undefined : { file, first, last: last ?? first };
}
