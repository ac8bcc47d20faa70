import { basename, dirname, join, resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { createFileAtomic } from '../../base/file/write-file-atomic.ts';

/**
 * The number of the next file `{namespace}_{NNN}.md` in a folder: one more than the highest there is, 1 where there is
 * none. Gaps stay gaps, so that a number never stands for two texts.
 */
export const findNextIncrement = (outputDir: string, namespace: string): number =>
  listNames(outputDir).reduce((highest, name) => Math.max(highest, incrementOf(namespace, name)), 0) + 1;

/** Whether a file is one that {@link writeNextOutput} wrote. */
export const isOutput = (outputDir: string, namespace: string, path: string): boolean =>
  dirname(path) === resolve(outputDir) && incrementOf(namespace, basename(path)) > 0;

/** The number in a file's name; 0 for a name of another kind, and for a number that is longer than any of ours. */
function incrementOf(namespace: string, name: string): number {
  const prefix = `${namespace}_`;
  const digits = name.startsWith(prefix) ? /^(\d+)\.md$/.exec(name.slice(prefix.length))?.[1] : undefined;
  const number = Number(digits ?? 0);
  return Number.isSafeInteger(number) ? number : 0;
}

/** `{namespace}_{NNN}.md`: at least three digits. */
export const outputName = (namespace: string, increment: number): string =>
  `${namespace}_${String(increment).padStart(3, '0')}.md`;

/** What a text of any letters is as a namespace: people call their projects and presets what they like. */
export const asNamespace = (name: string): string => name.replace(/[/\\\p{Cc}]+/gu, '-');

/**
 * Writes a context under the next number; makes the folder where it is missing. Of several that write at once each gets a
 * number of its own, and nobody sees a part of a file.
 *
 * @returns the file's path
 * @throws {EntireError} `BAD_FLAGS` where the namespace can be no part of a file's name; system errors as they are
 */
export function writeNextOutput(outputDir: string, namespace: string, markdown: string): string {
  if (namespace === '' || /[/\\\p{Cc}]/u.test(namespace)) {
    throw new EntireError('BAD_FLAGS', `A context cannot be named ${JSON.stringify(namespace)}.`, {
      hint: 'Its name becomes part of a file name: use no slashes and no control characters.',
    });
  }
  disk.mkdirSync(outputDir, { recursive: true, mode: 0o750 });
  for (let increment = findNextIncrement(outputDir, namespace); ; increment++) {
    const file = join(outputDir, outputName(namespace, increment));
    if (createFileAtomic(file, markdown)) return file;
  }
}
