import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { listNames, lstatIfExists, lstatInWorktree } from '../../base/file/disk.ts';
import { physicalPath } from '../locate.ts';
import { BRANCHES_OF_PEOPLE, REMOTES_OF_PEOPLE } from '../ref/people.ts';
import { type Git, gitAt, gitText, runGit, splitNul } from '../run.ts';
import { unhide, withIndexCopy, withPrivateIndex } from './private-index.ts';
import { removeIgnorePipe } from './status.ts';

/** What git says is in a worktree and in no commit; paths relative to its root. */
export interface Uncommitted {
  /** Tracked paths that differ from HEAD, staged or not; of submodules those on another commit. */
  readonly changed: readonly string[];
  /** Files git does not know, one by one; a repository of its own ends in `/`. */
  readonly untracked: readonly string[];
  /** Ignored files, and folders that are ignored as a whole, which end in `/`. */
  readonly ignored: readonly string[];
}

/** A removal rests on this: what we do not understand is not taken for nothing. */
const notUnderstood = (command: string, line: string): EntireError =>
  new EntireError('GIT_FAILED', `git ${command} printed what is not understood: ${line}`);

const countOf = (command: string, line: string): number => {
  if (!/^\d+$/.test(line)) throw notUnderstood(command, line);
  return Number(line);
};

// A watcher of the file system may be behind.
const STATUS = ['-c', 'core.fsmonitor=false', 'status', '--porcelain=v2', '-z', '--no-renames'];

/** What a worktree holds that its commit does not. One process. @throws {EntireError} `GIT_FAILED` */
export function readUncommitted(git: Git, options: { readonly ignored: boolean }): Uncommitted {
  const flags = ['--untracked-files=all', '--ignore-submodules=none'];
  const ignoring = options.ignored ? ['--ignored=matching'] : [];
  removeIgnorePipe(git.cwd);
  return parseUncommitted(splitNul(runGit(git, [...STATUS, ...flags, ...ignoring]).stdout));
}

/** @throws {EntireError} `GIT_FAILED` for a line of another kind @see https://git-scm.com/docs/git-status#_porcelain_format_version_2 */
export function parseUncommitted(lines: readonly string[]): Uncommitted {
  const found = { changed: [] as string[], untracked: [] as string[], ignored: [] as string[] };
  for (const line of lines) {
    const kind = line[0];
    if (kind === '?') found.untracked.push(line.slice(2));
    else if (kind === '!') found.ignored.push(line.slice(2));
    else if (kind === '1' || kind === 'u') {
      const fields = line.split(' ');
      const path = fields.slice(kind === '1' ? 8 : 10).join(' ');
      const [, xy = '', sub = ''] = fields;
      if (path === '') throw notUnderstood('status', line);
      // Of a submodule with changes in it `.M` says no more than that.
      if (!sub.startsWith('S') || sub[1] === 'C' || xy[0] !== '.') found.changed.push(path);
    } else if (line !== '' && kind !== '#') throw notUnderstood('status', line);
  }
  return found;
}

/**
 * Paths that are staged in a worktree whose folder is gone: its index is all that is left of them.
 *
 * @throws {EntireError} `GIT_FAILED`
 */
export function readStaged(gitDir: string): string[] {
  const git = gitInFolder(gitDir);
  if (!lstatIfExists(join(gitDir, 'index'))) return [];
  const hasHead = runGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD'], { okCodes: [0, 1] }).code === 0;
  const args = hasHead ? ['diff-index', '--cached', '--name-only', '-z', 'HEAD', '--'] : ['ls-files', '-z'];
  return splitNul(runGit(git, args).stdout).filter(Boolean);
}

/** What the index says besides: submodules, and files that git was told not to look at. */
export interface IndexNotes {
  /** Submodules that have a repository here. */
  readonly submodules: readonly string[];
  /** Files with changes that `git status` does not show (`--assume-unchanged`, `--skip-worktree`). */
  readonly hidden: readonly string[];
  /** Folders with tracked files at any depth, except where those only keep the folder there. */
  readonly folders: ReadonlySet<string>;
}

/** There only so that git has the folder. */
const PLACEHOLDER = /(?:^|\/)\.(?:git|)keep$|(?:^|\/)\.gitignore$/;

/** One process, and some more where git was told not to look. @throws {EntireError} `GIT_FAILED` */
export function readIndexNotes(git: Git): IndexNotes {
  const submodules: string[] = [];
  const flagged: string[] = [];
  const folders = new Set<string>();
  for (const line of splitNul(runGit(git, ['ls-files', '-s', '-v', '-z']).stdout)) {
    if (line === '') continue;
    const [, tag, mode, path] = /^(\S) (\d+) [0-9a-f]+ \d\t([\s\S]*)$/.exec(line) ?? [];
    if (tag === undefined || mode === undefined || path === undefined) throw notUnderstood('ls-files', line);
    if (!PLACEHOLDER.test(path))
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
        folders.add(path.slice(0, at));
    if (mode === '160000') {
      if (lstatIfExists(join(git.cwd, path, '.git'))) submodules.push(path);
    } else if (tag !== 'H' && tag !== 'M' && isThere(git.cwd, path)) flagged.push(path);
  }
  return { submodules, folders, hidden: flagged.length > 0 ? readHidden(git, flagged) : [] };
}

/** A name that is no UTF-8 is taken for one that is there. */
const isThere = (root: string, path: string): boolean =>
  path.includes('\0') || lstatInWorktree(root, path) !== undefined;

/** Which of them differ from the index: git looks, with an index that says nothing of the flags. */
function readHidden(git: Git, flagged: readonly string[]): string[] {
  const isOdd = (path: string): boolean => path.includes('\0');
  const index = gitText(git, ['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  return withIndexCopy(index, (file) => {
    unhide(
      git,
      file,
      flagged.filter((path) => !isOdd(path)),
    );
    const flags = ['--untracked-files=no', '--ignore-submodules=all'];
    const { stdout } = runGit(withPrivateIndex(git, file), [...STATUS, ...flags]);
    const changed = new Set(parseUncommitted(splitNul(stdout)).changed);
    return [...flagged.filter(isOdd), ...flagged.filter((path) => changed.has(path))];
  });
}

/** Git folders of all submodules that a worktree ever had, those that are not checked out now among them; absolute. */
export function listModules(gitDir: string): string[] {
  const found: string[] = [];
  const folders = [join(gitDir, 'modules')]; // names may have several parts, and a submodule submodules
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const isGitDir = ['HEAD', 'objects'].every((name) => lstatIfExists(join(folder ?? '', name)));
    if (isGitDir) found.push(folder);
    const inner = isGitDir ? join(folder, 'modules') : folder;
    for (const name of listNames(inner))
      if (lstatIfExists(join(inner, name))?.isDirectory()) folders.push(join(inner, name));
  }
  return found;
}

/** Git in a git folder. It would not start where the files are gone that the folder says it has. */
export const gitInFolder = (folder: string): Git => {
  const { env } = gitAt(folder);
  return { cwd: folder, env: { ...env, GIT_DIR: folder, GIT_WORK_TREE: folder } };
};

/** Git in the top of a repository, and not in one around it that git finds where it cannot read this one. @throws {EntireError} `GIT_FAILED` */
export function gitAtTop(path: string): Git {
  const git = gitAt(path);
  const top = gitText(git, ['rev-parse', '--show-toplevel']);
  if (physicalPath(top) !== physicalPath(path))
    throw new EntireError('GIT_FAILED', `no repository at ${path}`);
  return git;
}

/**
 * Commits and stashes that a repository has and no remote of it does; in words.
 *
 * @throws {EntireError} `GIT_FAILED`
 */
export function readRepositoryWork(git: Git): string[] {
  const hasHead = runGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD'], { okCodes: [0, 1] }).code === 0;
  const tips = [...(hasHead ? ['HEAD'] : []), '--branches', '--tags'];
  const args = ['rev-list', '--count', ...tips, '--not', '--remotes', '--'];
  const commits = countOf('rev-list', gitText(git, args));
  const stash = runGit(git, ['rev-parse', '--verify', '--quiet', 'refs/stash'], { okCodes: [0, 1] });
  return [
    ...(commits > 0 ? [`${commits} ${commits === 1 ? 'commit' : 'commits'} that no remote has`] : []),
    ...(stash.code === 0 ? ['a stash'] : []),
  ];
}

/**
 * How many commits lead to a tip, and neither another branch, a remote nor a tag leads to them. Branches of our own are none:
 * what they hold goes by itself.
 *
 * @param branch the branch that is not to count either
 */
export function countLonely(git: Git, tip: string, branch: string | undefined): number {
  const except = branch === undefined ? [] : [`--exclude=${branch}`];
  const others = ['--not', ...except, ...BRANCHES_OF_PEOPLE, '--remotes', '--tags'];
  return countOf('rev-list', gitText(git, ['rev-list', '--count', tip, ...others, '--']));
}

/**
 * Refs that a worktree has for itself (`refs/worktree/` and the like), and that alone lead to commits. One that leads to no commit is an error.
 *
 * @throws {EntireError} `GIT_FAILED`
 * @see https://git-scm.com/docs/git-worktree#_refs
 */
export function readOwnRefs(gitDir: string): string[] {
  const git = gitInFolder(gitDir);
  const own = ['refs/worktree/', 'refs/bisect/', 'refs/rewritten/'];
  const refs = gitText(git, ['for-each-ref', '--format=%(refname)', ...own])
    .split('\n')
    .filter(Boolean);
  return refs.filter((ref) => countLonely(git, ref, undefined) > 0);
}

/** How many commits lead to a tip, and no branch of a remote does, as those were last fetched or pushed; `undefined` where none is here. */
export function countUnpushed(git: Git, tip: string): number | undefined {
  const remotes = gitText(git, ['for-each-ref', '--format=%(refname)', '--count=20', 'refs/remotes']).split(
    '\n',
  );
  if (remotes.every((ref) => ref === '' || ref.includes('/entire/'))) return undefined;
  const args = ['rev-list', '--count', tip, '--not', ...REMOTES_OF_PEOPLE, '--'];
  return countOf('rev-list', gitText(git, args));
}

/** How far a branch is ahead of what it follows; `undefined` where it follows nothing that is here. */
export function countAhead(git: Git, branch: string): number | undefined {
  const { stdout } = runGit(git, ['for-each-ref', '--format=%(upstream)', `refs/heads/${branch}`]);
  const upstream = stdout.toString('utf8').split('\n')[0] ?? '';
  if (upstream === '') return undefined;
  const args = ['rev-list', '--count', `refs/heads/${branch}`, '--not', upstream, '--'];
  const { code, stdout: count } = runGit(git, args, { okUnknown: true });
  return code === 0 ? Number(count.toString('latin1')) : undefined;
}
