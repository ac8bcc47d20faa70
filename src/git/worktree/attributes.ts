import { type Git, runGit, splitNul } from '../run.ts';

/** What `.gitattributes` says of a file. */
export type Attributes = ReadonlyMap<string, string>;

/** Attributes that are set for some paths, to a value or without one. One process. @see https://git-scm.com/docs/git-check-attr */
export function readAttributes(
  git: Git,
  names: readonly string[],
  paths: readonly string[],
): Map<string, Attributes> {
  const found = new Map<string, Map<string, string>>();
  if (paths.length === 0) return found;
  const input = paths.map((path) => `${path}\0`).join('');
  const tokens = splitNul(runGit(git, ['check-attr', '-z', '--stdin', ...names], { input }).stdout);
  for (let at = 0; at + 2 < tokens.length; at += 3) {
    const [path = '', name = '', value = ''] = tokens.slice(at, at + 3);
    if (value === 'unspecified' || value === 'unset') continue;
    found.set(path, (found.get(path) ?? new Map()).set(name, value));
  }
  return found;
}
