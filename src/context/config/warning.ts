import { truncate } from '../../base/text/text.ts';

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
