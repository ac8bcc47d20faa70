import { resolve } from 'node:path';
import { lstatIfExists } from '../../base/file/disk.ts';

/** Lines of a file, as one word. */
export interface FileLines {
  readonly file: string;
  /** The first and the last, from 1. */
  readonly first: string;
  readonly last: string;
}

/** `src/a.ts:8`, `:8-12`, or `:8:3`, as compilers and editors write it; `undefined` for any other word. */
export function splitFileLines(word: string): FileLines | undefined {
  const [, file, first, last] = /^(.+?):(\d+)(?:[-,](\d+)|:\d+)?:?$/s.exec(word) ?? [];
  return file === undefined || first === undefined ? undefined : { file, first, last: last ?? first };
}

/**
 * {@link splitFileLines}.
 *
 * @returns `undefined` as well where a file is called just so, or none is called what stands before the colon
 */
export function parseFileLines(word: string): FileLines | undefined {
  const lines = splitFileLines(word);
  const isThere = (path: string): boolean => lstatIfExists(resolve(path)) !== undefined;
  return lines === undefined || isThere(word) || !isThere(lines.file) ? undefined : lines;
}
