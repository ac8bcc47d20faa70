import { REDACTED } from '../redact-regions.ts';

/**
 * Whether a name in the list of a checkpoint's files may stand for a path: what has the shape of a key is replaced in it, so that
 * more than one path may have been called so.
 */
export function standsFor(name: string, path: string): boolean {
  if (name === path) return true;
  if (!name.includes(REDACTED)) return false;
  const parts = name.split(REDACTED);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  return path.length > first.length + last.length && path.startsWith(first) && path.endsWith(last);
}

/** Whether a name stands for one of some paths. See {@link standsFor}. */
export const isAmong = (name: string, paths: ReadonlySet<string>): boolean =>
  paths.has(name) || (name.includes(REDACTED) && [...paths].some((path) => standsFor(name, path)));
