import { REDACTED } from '../redact/regions.ts';

/**
 * Whether a name in the list of a checkpoint's files may stand for a path: what has the shape of a key is replaced in it, so that
 * more than one path may have been called so.
 */
export const standsFor = (name: string, path: string): boolean =>
  name === path || shapeOf(name)?.(path) === true;

/** What tells the paths that a name may stand for; `undefined` where that is itself alone. */
function shapeOf(name: string): ((path: string) => boolean) | undefined {
  const first = name.indexOf(REDACTED);
  if (first === -1) return undefined;
  const [begin, end] = [name.slice(0, first), name.slice(name.lastIndexOf(REDACTED) + REDACTED.length)];
  return (path) => path.length > begin.length + end.length && path.startsWith(begin) && path.endsWith(end);
}

/** So many comparisons are made for one list and the names in it. */
const MAX_LOOKS = 2_000_000;

/** What tells whether a name stands for one of some paths. See {@link standsFor}. Of more names than can be looked at each may. */
export function among(paths: ReadonlySet<string>): (name: string) => boolean {
  let looks = MAX_LOOKS;
  return (name) => {
    if (paths.has(name)) return true;
    const isLike = shapeOf(name);
    if (!isLike) return false;
    for (const path of paths) if (looks-- <= 0 || isLike(path)) return true;
    return false;
  };
}
