import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, isReachable, lstatIfExists } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import {
  foldersOf,
  isInfrastructurePath,
  isUnrecordable,
  parseRepoPath,
  type RepoPath,
} from '../../base/repo-path.ts';
import { type Git, gitText, inBatchesOrAll, MAX_NAMED, runGit, splitNul } from '../run.ts';

/** How a path differs from HEAD, seen in the worktree. */
export type ChangeKind = 'untracked' | 'modified' | 'deleted';

export interface Status {
  /** `undefined` before the first commit. */
  readonly head: ObjectId | undefined;
  /** Short name, what is no UTF-8 in it replaced; `undefined` when detached. */
  readonly branch: string | undefined;
  /** Without our own files; a submodule when it is on another commit, whatever is dirty in it. */
  readonly changes: ReadonlyMap<RepoPath, ChangeKind>;
  /** Ignored files and folders (a folder ends in `/`), only when asked for. */
  readonly ignored: readonly string[];
}

/** Every path that differs, files of untracked folders one by one; of submodules only the commit they are on. */
const PORCELAIN = [
  ...['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames'],
  '--ignore-submodules=dirty',
] as const;

/** Names that one line of the log holds. */
const MAX_NAMES = 10;

/** Paths git does not know. */
export const untrackedFiles = ({ changes }: Pick<Status, 'changes'>): RepoPath[] =>
  [...changes].flatMap(([path, kind]) => (kind === 'untracked' ? [path] : []));

/**
 * One `git status`: HEAD, branch, and every path that differs.
 *
 * @see https://git-scm.com/docs/git-status#_porcelain_format_version_2
 */
export function readStatus(git: Git, options: { ignored?: boolean } = {}): Status {
  const ignoring = options.ignored ? ['--ignored=matching'] : [];
  removeIgnorePipe(git.cwd);
  const { stdout } = runGit(git, [...PORCELAIN, '--branch', '--no-ahead-behind', ...ignoring]);

  let head: ObjectId | undefined;
  let branch: string | undefined;
  const changes = new Map<RepoPath, ChangeKind>();
  const ignored: string[] = [];
  const lines = splitNul(stdout);
  for (const line of lines) {
    if (line.startsWith('# branch.oid ')) head = parseObjectId(line.slice('# branch.oid '.length));
    else if (line.startsWith('# branch.head '))
      branch = parseBranch(git, line.slice('# branch.head '.length));
    else if (line.startsWith('! ') && !isInfrastructurePath(line.slice(2))) ignored.push(line.slice(2));
    else addChange(changes, line);
  }
  const left = lines.filter((line) => !line.startsWith('# ') && isUnrecordable(line));
  if (left.length > 0)
    log('info', 'files left out: their names are not UTF-8, or of several lines', {
      count: left.length,
      names: left.slice(0, MAX_NAMES).map((line) => line.replace(/\0$/, '')),
    });
  return { head, branch, changes, ignored };
}

/** @param text as git prints it: a branch may be called what a detached HEAD is shown as */
function parseBranch(git: Git, text: string): string | undefined {
  const name = text.replace(/\0$/, '');
  if (name !== '(detached)') return name;
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  return gitText(git, args, { okCodes: [0, 1] }) === `refs/heads/${name}` ? name : undefined;
}

/**
 * Which of `paths` the worktree has otherwise than HEAD, in git's own judgement: line ends and filters of
 * `.gitattributes` are no difference.
 */
export function readDirty(git: Git, paths: readonly string[]): Set<string> {
  if (paths.length === 0) return new Set();
  // Naming a few paths spares the look at the others; naming many costs git more than looking at everything.
  const named = paths.length <= MAX_NAMED ? ['--', ...paths] : [];
  const { stdout } = runGit(git, [...PORCELAIN, ...named]);
  const changes = new Map<RepoPath, ChangeKind>();
  for (const line of splitNul(stdout)) addChange(changes, line);
  return new Set(paths.filter((path) => changes.has(path as RepoPath)));
}

/** What of `paths` `git status` shows, files of our own among them. */
export function findShown(git: Git, paths: readonly string[]): string[] {
  if (paths.length === 0) return []; // without a path git looks at everything
  removeIgnorePipe(git.cwd);
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--', ...paths];
  return splitNul(runGit(git, args).stdout).flatMap((line) => line.slice('?? '.length) || []);
}

/** Which of `paths` git ignores; those it tracks all the same are none, nor those that lie behind a link by now. */
export function findIgnored(git: Git, asked: readonly string[]): string[] {
  const paths = asked.filter((path) => isReachable(git.cwd, path)); // git would refuse all of them
  if (paths.length <= MAX_NAMED) return checkIgnore(git, paths, []);
  const matching = checkIgnore(git, paths, ['--no-index']);
  const tracked = findNamedInIndex(git, matching);
  return matching.filter((path) => !tracked.has(path));
}

function checkIgnore({ cwd, env }: Git, paths: readonly string[], options: readonly string[]): string[] {
  if (paths.length === 0) return [];
  removeIgnorePipe(cwd);
  // This command refuses literal pathspecs; a path that begins with a dot has no magic.
  const git = { cwd, env: { ...env, GIT_LITERAL_PATHSPECS: '0' } };
  const input = paths.map((path) => `./${path}\0`).join('');
  const { stdout } = runGit(git, ['check-ignore', '-z', '--stdin', ...options], { input, okCodes: [0, 1] });
  return splitNul(stdout).flatMap((path) => path.slice(2) || []);
}

/** Which of `paths` are in the index, themselves or with what lies below them. */
function findNamedInIndex(git: Git, paths: readonly string[]): Set<string> {
  const asked = new Set(paths);
  const found = new Set<string>();
  for (const batch of inBatchesOrAll(paths))
    for (const entry of splitNul(runGit(git, ['ls-files', '-z', '--', ...batch]).stdout))
      for (const name of [...foldersOf(entry).flatMap((folder) => [folder, `${folder}/`]), entry])
        if (asked.has(name)) found.add(name);
  return found;
}

/** Takes one line of the output that tells of a path; lines that tell of something else are passed over. */
function addChange(changes: Map<RepoPath, ChangeKind>, line: string): void {
  if (line.startsWith('? ')) add(changes, line.slice(2), 'untracked');
  else if (line.startsWith('1 ') || line.startsWith('u ')) addTracked(changes, line);
}

/** `1 XY sub mH mI mW hH hI path`; for conflicts `u XY sub m1 m2 m3 mW h1 h2 h3 path`. */
function addTracked(changes: Map<RepoPath, ChangeKind>, line: string): void {
  const columns = line.startsWith('1 ') ? 8 : 10;
  const fields = line.split(' ');
  const worktreeMode = fields[line.startsWith('1 ') ? 5 : 6];
  const path = fields.slice(columns).join(' ');
  add(changes, path, worktreeMode === '000000' ? 'deleted' : 'modified');
}

function add(changes: Map<RepoPath, ChangeKind>, text: string, kind: ChangeKind): void {
  const path = parseRepoPath(text); // an untracked nested repository comes as `name/`, and is not ours to look into
  if (path && !isInfrastructurePath(path)) changes.set(path, kind);
}

/**
 * Before git looks at a worktree: it opens whatever has the name of an ignore file, and waits at a pipe for ever. The one in our own
 * folder is ours, and a pipe has nothing that could be lost. Never throws.
 */
export function removeIgnorePipe(root: string): void {
  const file = join(root, '.entire', '.gitignore');
  try {
    if (lstatIfExists(file)?.isFIFO()) disk.rmSync(file);
  } catch (error) {
    log('warn', 'a pipe in the place of our .gitignore not removed', { file, error: describeError(error) });
  }
}
