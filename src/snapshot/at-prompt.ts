import type { RepoPath } from '../base/repo-path.ts';
import { readTree, type TreeEntry } from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import { findIgnored } from '../git/status.ts';
import { type FileState, type GitMode, MISSING } from './file-state.ts';
import type { TurnBegin } from './turn-begin.ts';

/**
 * What the worktree had when a turn began, by path. One look into git's tree for all that were clean.
 *
 * @param mayBeIgnored whether it has to be asked if git ignores a path that it does not have: nobody knows what was there then
 * @param moved where HEAD is now, and which paths it is asked for: what a commit or a pull in the turn brought is none of the turn's
 */
export function readAtPrompt(
  git: Git,
  begin: TurnBegin | undefined,
  paths: readonly RepoPath[],
  mayBeIgnored: (path: RepoPath) => boolean,
  moved?: { readonly head: string; readonly isAsked: (path: RepoPath) => boolean },
): (path: RepoPath) => FileState | undefined {
  if (!begin?.head) return (path) => begin?.files.get(path)?.state;
  const clean = paths.filter((path) => !begin.files.has(path));
  const tree = readTreeOf(git, begin.head, clean, moved);
  const absent = clean.filter((path) => !tree?.has(path));
  const ignored = new Set(tree ? findIgnored(git, absent.filter(mayBeIgnored)) : absent);
  return (path) => {
    const dirty = begin.files.get(path);
    if (dirty) return dirty.state;
    const entry = tree?.get(path);
    if (entry) return isGitFile(entry.mode) ? { kind: 'git', oid: entry.oid, mode: entry.mode } : undefined;
    return ignored.has(path) ? undefined : MISSING;
  };
}

/** @returns `undefined` where the commit is not there any more */
function readTreeOf(
  git: Git,
  head: string,
  paths: readonly RepoPath[],
  moved: Parameters<typeof readAtPrompt>[4],
): Map<string, TreeEntry> | undefined {
  const asked = moved && moved.head !== head ? paths.filter(moved.isAsked) : [];
  const tree = paths.length === 0 ? new Map<string, TreeEntry>() : readTree(git, head, paths);
  const later = moved && asked.length > 0 ? readTree(git, moved.head, asked) : undefined;
  if (!tree || !later) return tree;
  const isAsked = new Set<string>(asked);
  return new Map([...[...tree].filter(([path]) => !isAsked.has(path)), ...later]);
}

const isGitFile = (mode: string): mode is GitMode => ['100644', '100755', '120000'].includes(mode);
