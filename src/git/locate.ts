import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { errnoOf, FileRefused } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { readUserText } from '../base/file/small-file.ts';
import { toRepoPath } from '../base/repo-path.ts';

/** Where a worktree keeps its things; all paths absolute, `worktreeRoot` physical (no symlinks). */
export interface Repo {
  readonly worktreeRoot: string;
  /** This worktree's own git folder. */
  readonly gitDir: string;
  /** The folder all worktrees share. Equal to `gitDir` in the main worktree. */
  readonly commonDir: string;
  /** Empty in the main worktree and in a submodule, else the name under `<common-dir>/worktrees`. */
  readonly worktreeId: string;
  /** There is no `.git` in the worktree: git finds the repository only when it is told. */
  readonly isNamed?: true;
}

/** No system opens a path that is longer. A payload may name one of millions of folders. */
const MAX_PATH = process.platform === 'win32' ? 32_767 : 4096;

/**
 * Finds the repository that `start` (a folder, or a path that need not exist) lies in, by reading `.git` and
 * without a child process. Where there is none, the one that the environment names counts, as it does for git.
 * `undefined` outside a repository and inside a bare one.
 *
 * @throws the system error of a look that failed, or that was refused where there is no repository further up either: then nobody knows
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export function locateRepo(start: string, env: NodeJS.ProcessEnv = process.env): Repo | undefined {
  const from = physicalPath(start);
  if (from.length > MAX_PATH) return undefined;
  let refusal: unknown;
  for (let dir = from; ; dir = dirname(dir)) {
    try {
      const gitDir = readGitDir(join(dir, '.git'));
      if (gitDir !== undefined) return describe(dir, gitDir);
    } catch (error) {
      if (!REFUSED.has(errnoOf(error) ?? '')) throw error;
      refusal ??= error; // git itself goes on to the folder above
    }
    if (dirname(dir) !== dir) continue;
    const named = locateNamed(from, env);
    if (!named && refusal) throw refusal;
    return named;
  }
}

/** The folder is somebody else's. */
const REFUSED = new Set(['EACCES', 'EPERM']);

/**
 * A home folder under git, say, with `GIT_DIR` and `GIT_WORK_TREE` exported. Relative ones mean another folder for
 * each process, and are not followed.
 */
function locateNamed(from: string, { GIT_DIR, GIT_WORK_TREE }: NodeJS.ProcessEnv): Repo | undefined {
  if (!GIT_DIR || !GIT_WORK_TREE || !isAbsolute(GIT_DIR) || !isAbsolute(GIT_WORK_TREE)) return undefined;
  const root = physicalPath(GIT_WORK_TREE);
  if (from !== root && !toRepoPath(root, from)) return undefined;
  return isGitDir(GIT_DIR) ? { ...describe(root, physicalPath(GIT_DIR)), isNamed: true } : undefined;
}

/** The repository git itself names to a hook by `GIT_DIR` (linked worktrees, `git -C`), else that of `cwd`. */
export function locateRepoForGitHook(cwd: string, env: NodeJS.ProcessEnv): Repo | undefined {
  const named = env.GIT_DIR;
  if (!named) return locateRepo(cwd);
  const root = resolve(cwd, env.GIT_WORK_TREE ?? '.');
  const gitDir = resolve(cwd, named);
  return isGitDir(gitDir) ? describe(physicalPath(root), physicalPath(gitDir)) : locateRepo(cwd);
}

/** Resolves symlinks of the longest part of `path` that exists; the rest is kept as it is, and the whole of what can be no path. */
export function physicalPath(path: string): string {
  const full = resolve(path);
  if (full.length > MAX_PATH) return full;
  const missing: string[] = [];
  for (let existing = full; ; existing = dirname(existing)) {
    try {
      return join(disk.realpathSync.native(existing), ...missing);
    } catch {
      if (dirname(existing) === existing) return full;
      missing.unshift(basename(existing));
    }
  }
}

/** {@link physicalPath} of the folder a file lies in; the file itself may be a link, which git tracks as such. */
export function physicalFile(path: string): string {
  const full = resolve(path);
  return join(physicalPath(dirname(full)), basename(full));
}

/**
 * {@link physicalFile} of what was written through a path: where that is a link to a file, the file behind it, which is what git sees
 * change. Links that lead to a folder, to nothing or in a circle are what they are.
 */
export const writtenFile = (path: string): string => behindLink(physicalFile(path));

/** Where files were written that one call of a tool names; each folder is looked at once. */
export class WrittenFiles {
  private readonly physical = new Map<string, string>();
  private readonly repos = new Map<string, Repo | undefined>();

  /** {@link writtenFile} of an absolute path, and {@link locateRepo} of that. */
  locate(path: string): { readonly file: string; readonly repo: Repo | undefined } {
    const folder = once(this.physical, dirname(path), physicalPath);
    const file = behindLink(join(folder, basename(path)));
    return { file, repo: once(this.repos, dirname(file), locateRepo) };
  }
}

function once<T>(known: Map<string, T>, folder: string, look: (folder: string) => T): T {
  const value = known.has(folder) ? (known.get(folder) as T) : look(folder);
  known.set(folder, value);
  return value;
}

function behindLink(file: string): string {
  try {
    if (!disk.lstatSync(file).isSymbolicLink() || !disk.statSync(file).isFile()) return file;
    return disk.realpathSync.native(file);
  } catch {
    return file; // gone by now, or leading nowhere
  }
}

function describe(worktreeRoot: string, gitDir: string): Repo {
  const shared = readPath(join(gitDir, 'commondir'))?.trim();
  const commonDir = shared ? resolve(gitDir, shared) : gitDir;
  return { worktreeRoot, gitDir, commonDir, worktreeId: commonDir === gitDir ? '' : basename(gitDir) };
}

/** `.git` is a folder, or in linked worktrees and submodules a file that says `gitdir: <path>`. */
function readGitDir(dotGit: string): string | undefined {
  const stat = lookFor(() => disk.statSync(dotGit, { throwIfNoEntry: false }));
  if (stat?.isDirectory()) return isGitDir(dotGit) ? dotGit : undefined;
  if (!stat?.isFile()) return undefined;
  const target = /^gitdir: (.+?)\s*$/.exec(readPath(dotGit) ?? '')?.[1];
  const gitDir = target === undefined ? undefined : physicalPath(resolve(dirname(dotGit), target));
  return gitDir !== undefined && isGitDir(gitDir) ? gitDir : undefined; // a moved or deleted main repository
}

/** What git keeps of where something lies. @throws {FileRefused} where it can be no path */
function readPath(file: string): string | undefined {
  const text = readUserText(file, 'git');
  if (text?.includes('\0')) throw new FileRefused(file, 'no path');
  return text;
}

/** Then there is nothing. A look that was refused, or that the disk failed, says nothing of the kind. */
const NONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** Of a pipe or a device in the place of HEAD git itself would never come back. @throws the system error of a look that failed */
function isGitDir(dir: string): boolean {
  const head = join(dir, 'HEAD');
  const stat = lookFor(() => disk.statSync(head, { throwIfNoEntry: false }) ?? disk.lstatSync(head)); // a link, before the first commit
  return stat !== undefined && (stat.isFile() || stat.isSymbolicLink());
}

/** What a look finds; `undefined` where there is nothing. @throws the system error of a look that failed */
function lookFor<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (NONE.has(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
