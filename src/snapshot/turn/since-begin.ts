import type { RepoPath } from '../../base/repo-path.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import type { NewHead } from '../undo/head-moved.ts';
import type { TurnBegin } from './turn-begin.ts';

/**
 * Paths that differed from HEAD at the prompt, and are not what they were: also those that are clean now, or gone, which
 * `git status` says nothing of. What other sessions did is theirs.
 */
export function changedSinceBegin(
  root: string,
  begin: TurnBegin | undefined,
  { isNow, foreign }: { readonly isNow: boolean; readonly foreign: ReadonlySet<string> },
): RepoPath[] {
  if (!begin || !isNow) return [];
  const current = fingerprints(root, [...begin.files.keys()]);
  return [...begin.files].flatMap(([path, { fingerprint }]) =>
    current.get(path) === fingerprint || foreign.has(path) ? [] : [path],
  );
}

/** Paths that differed from HEAD at the prompt, which commits of the turn took, and that nobody wrote since. */
export function takenAsFound(
  root: string,
  begin: TurnBegin | undefined,
  { committed }: Pick<NewHead, 'committed'>,
): RepoPath[] {
  const taken = [...(begin?.files ?? [])].filter(([path]) => committed.has(path));
  const current = fingerprints(
    root,
    taken.map(([path]) => path),
  );
  return taken.flatMap(([path, { fingerprint }]) => (current.get(path) === fingerprint ? path : []));
}
