import { isAbsolute, relative, resolve, sep } from 'node:path';

declare const repoPath: unique symbol;

/** Path relative to the worktree root, `/`-separated, never leaving it. */
export type RepoPath = string & { readonly [repoPath]: true };

/**
 * Returns `file` as a repository path, or `undefined` when it lies outside `root`, is `root` itself, or holds
 * a character that cannot stand in a one-path-per-line file.
 *
 * Segments are compared, not text: `..foo` in the root is a file like any other. Symlinks are the caller's
 * business: both arguments must be physical, or both logical.
 */
export function toRepoPath(root: string, file: string): RepoPath | undefined {
  const rel = relative(root, resolve(root, file));
  if (rel === '' || rel === '..' || rel.startsWith(`..${sep}`) || isAbsolute(rel)) return undefined;
  if (/[\n\r\0]/.test(rel)) return undefined;
  return (sep === '/' ? rel : rel.replaceAll(sep, '/')) as RepoPath;
}

/** Returns a path that git printed, or that an older file recorded, if it stays inside the worktree. */
export function parseRepoPath(text: string): RepoPath | undefined {
  if (text === '' || text.startsWith('/') || /[\n\r\0]/.test(text)) return undefined;
  const unsafe = text.split('/').some((part) => part === '' || part === '.' || part === '..');
  return unsafe ? undefined : (text as RepoPath);
}

/**
 * Whether text is the name of a file that cannot be recorded: one of several lines, or of bytes that are no text, which
 * those who read them mark with a NUL.
 */
export const isUnrecordable = (text: string): boolean => /[\n\r\0]/.test(text);

/**
 * Paths we never record as a user's file: our own folder, and a git folder, which git refuses at any depth and under
 * the other names that Windows and macOS have for it.
 */
export function isInfrastructurePath(path: string): boolean {
  const segments = path.split('/');
  return segments[0] === '.entire' || segments.some((segment) => /^(\.git[. ]*|git~\d+)$/i.test(segment));
}

/** The folders on the way to a path, outermost first. */
export const foldersOf = (path: string): RepoPath[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, depth, names) => names.slice(0, depth + 1).join('/') as RepoPath);

/** Sorted by UTF-16 code unit, without duplicates. */
export function sortedUnique<T extends string>(paths: Iterable<T>): T[] {
  return [...new Set(paths)].sort();
}

/** Whether a path is one of some names, or lies below one. */
export const isNamedBy = (names: readonly string[], path: string): boolean =>
  names.some((name) => path === name || path.startsWith(`${name}/`));
