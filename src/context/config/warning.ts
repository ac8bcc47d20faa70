import { resolve } from 'node:path';
import { errnoOf } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { isShallow, type JsonObject } from '../../base/text/json.ts';
import { truncate } from '../../base/text/text.ts';
import { isGlob } from '../aggregate/resolve-paths.ts';

/** Something in a configuration that is not used as it stands there. */
export interface ContextWarning {
  /** The file it stands in, where it was read from one. */
  readonly file?: string;
  /** Where in it: `files.paths[2].view_mode`. */
  readonly key: string;
  /** What is wrong, and what is used instead; one sentence. */
  readonly message: string;
}

/** A warning in one sentence: the key says where, or the file where it is about all of it. */
export const renderWarning = ({ file, key, message }: ContextWarning): string =>
  `${key === '' ? (file ?? 'it') : key}: ${message}`;

/** Takes warnings while something is read; reading goes on. */
export type Warn = (warning: ContextWarning) => void;

/** Hands warnings on, as what stands below `key`. */
export const below =
  (warn: Warn, key: string): Warn =>
  (warning) =>
    warn({ ...warning, key: joinKeys(key, warning.key) });

/** Hands warnings on, as what stands in `file`. */
export const inFile =
  (warn: Warn, file: string): Warn =>
  (warning) =>
    warn({ ...warning, file });

const joinKeys = (outer: string, inner: string): string =>
  inner === '' ? outer : inner.startsWith('[') || outer === '' ? outer + inner : `${outer}.${inner}`;

/** A value in the sentence of a warning: short, and on one line. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(truncate(value, 60, '...'));
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a table' : truncate(String(value), 60, '...');
}

/** Warns of each path of a list, below `folder` or absolute, where no file is. Of patterns it is known when the files are read. */
export function warnOfGone(folder: string, key: string, paths: readonly string[], warn: Warn): void {
  for (const [at, path] of paths.entries()) {
    const why = reasonOfAbsence(resolve(folder, path));
    if (why === undefined || isGlob(path)) continue;
    below(warn, `${key}[${at}]`)({ key: '', message: `${describeValue(path)} ${why}.` });
  }
}

function reasonOfAbsence(file: string): string | undefined {
  try {
    disk.statSync(file);
    return undefined;
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'is gone' : `cannot be read (${code})`;
  }
}

/** The entries of a table that are chosen; also one that is called `__proto__`. */
export const pick = (table: JsonObject, choose: (key: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(table).filter(([key, value]) => choose(key, value)));

/** What other versions put beside the keys that are known. What is nested without end could not be written again. */
export const unknownKeys = (table: JsonObject, known: ReadonlySet<string>, warn: Warn): JsonObject =>
  pick(table, (key, value) => {
    if (known.has(key)) return false;
    if (isShallow(value)) return true;
    warn({ key, message: 'is nested too deep; it is left out.' });
    return false;
  });
