import { basename, dirname, join } from 'node:path';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk, listNames, lstatIfExists } from '../../base/file/disk.ts';
import { createFileAtomic } from '../../base/file/write-file-atomic.ts';
import { log } from '../../base/log.ts';
import { toRepoPath } from '../../base/repo-path.ts';
import { physicalPath, type Repo } from '../../git/locate.ts';
import { readHooksDir } from '../../git/ref/refs.ts';
import { gitFor, runGit } from '../../git/run.ts';
import { findIgnored } from '../../git/worktree/status.ts';
import {
  ensureGitHooks,
  findGitHooks,
  type GitHooksReport,
  installGitHooks,
  missingGitHooks,
  readScript,
  removeGitHooks,
  runningProgram,
} from './install.ts';
import { classifyScript, FOLLOWING_HOOKS, GIT_HOOKS, type Launcher, renderCommand } from './shims.ts';

/** Where git looks for this repository's hooks, and whose that folder is. */
export interface HooksFolder {
  readonly dir: string;
  /** False for a folder that serves other repositories as well, such as `~/.githooks`. */
  readonly isOwn: boolean;
  /** The top of the worktree whose `git status` may show what lies there; of git's own folder none does. */
  readonly worktree: string | undefined;
}

/** Asks git, which honours `core.hooksPath` (Husky) and linked worktrees. @throws {EntireError} `GIT_FAILED` */
export function locateHooksFolder(repo: Repo): HooksFolder {
  return folderAt(repo, readHooksDir(gitFor(repo)));
}

function folderAt(repo: Repo, dir: string): HooksFolder {
  const real = physicalPath(dir);
  const shared = physicalPath(repo.commonDir);
  if ([shared, repo.gitDir].some((git) => toRepoPath(git, real)))
    return { dir, isOwn: true, worktree: undefined };
  // A linked worktree may be told to use a folder of the main one.
  const main = basename(shared) === '.git' ? dirname(shared) : shared;
  const worktree = [repo.worktreeRoot, main].find((root) => toRepoPath(root, real));
  return { dir, isOwn: worktree !== undefined, worktree };
}

/** Our scripts and what they replaced, where the hooks are a part of a worktree: paths from its top. */
export function listScripts(root: string, { dir, worktree }: HooksFolder): string[] {
  const path = worktree === root ? toRepoPath(root, physicalPath(dir)) : undefined;
  if (path === undefined) return [];
  const names = listNames(dir).filter((name) =>
    GIT_HOOKS.some((hook) => name === hook || name.startsWith(`${hook}.pre-entire`)),
  );
  return names.map((name) => `${path}/${name}`);
}

/**
 * Where hooks of ours may stand in these worktrees: where git looks now, and its own folder, where it looked before a hook manager
 * set `core.hooksPath`. A folder of all repositories is not theirs to clean.
 */
export function listHooksFolders(worktrees: readonly Repo[]): HooksFolder[] {
  const folders = worktrees.flatMap((repo) => [
    locateHooksFolder(repo),
    folderAt(repo, join(repo.commonDir, 'hooks')),
  ]);
  const own = folders.filter(({ isOwn }) => isOwn);
  return [...new Map(own.map((folder) => [physicalPath(folder.dir), folder])).values()];
}

/**
 * Puts back the hooks that are missing or overwritten, where nobody sees them. Nothing is ever written unasked in a folder outside
 * of the repository, nor in one that git shows or tracks: it would end up in somebody's commit. What is committed there without
 * our hooks is linked afterwards.
 */
export function ensureOwnGitHooks(repo: Repo, absolutePath: boolean): void {
  const folder = locateHooksFolder(repo);
  if (!folder.isOwn) return;
  hideGenerated(folder);
  const launcher = absolutePath ? runningProgram() : undefined;
  if (missingGitHooks(folder.dir, launcher).length === 0) return;
  if (isOutOfSight(repo, folder)) ensureGitHooks(folder.dir, launcher);
  else log('info', 'git hooks are missing in a folder that git shows', { dir: folder.dir });
}

/** {@link installGitHooks} for whoever was asked to, in a folder that git may show. @throws {EntireError} `WRITE_FAILED` */
export function installIn(folder: HooksFolder, launcher: Launcher): GitHooksReport {
  hideGenerated(folder);
  return installGitHooks(folder.dir, launcher);
}

/**
 * Husky's folder `_` has a `.gitignore` for all that is in it. In a new worktree, and in a clone before `npm install`, there is none
 * yet; nobody else keeps anything there, so it gets the same one with our hooks.
 */
function hideGenerated({ dir, worktree }: HooksFolder): void {
  if (worktree === undefined || basename(dir) !== '_') return;
  const isOurs = (name: string): boolean =>
    GIT_HOOKS.some(
      (hook) => hook === name && classifyScript(hook, readScript(join(dir, name)) ?? '') === 'ours',
    );
  if (listNames(dir).every(isOurs)) createFileAtomic(join(dir, '.gitignore'), GENERATED, { mode: 0o644 });
}

/** Husky writes the same without an end of line. */
const GENERATED = '*\n';

/** {@link removeGitHooks}, and with them what {@link installIn} hid them with. @throws {EntireError} `WRITE_FAILED` */
export function removeFrom(repo: Repo, folder: HooksFolder): GitHooksReport {
  const report = removeGitHooks(folder.dir);
  if (hidesNothing(repo, folder)) {
    disk.unlinkSync(join(folder.dir, '.gitignore'));
    disk.rmdirSync(folder.dir);
  }
  return report;
}

/** Whether nothing is left but a `.gitignore` as {@link hideGenerated} writes it, which nobody has made a part of the repository. */
function hidesNothing(repo: Repo, { dir, worktree }: HooksFolder): boolean {
  if (worktree === undefined || basename(dir) !== '_' || listNames(dir).join() !== '.gitignore') return false;
  const file = join(dir, '.gitignore');
  if (!lstatIfExists(file)?.isFile() || readScript(file) !== GENERATED) return false;
  const path = toRepoPath(worktree, physicalPath(dir)) ?? dir;
  const git = { ...gitFor(repo), cwd: worktree };
  const { code, stdout } = runGit(git, ['ls-files', '-z', '--', path], { okCodes: [0, 128] });
  return code === 0 && stdout.length === 0; // in a submodule, say, git does not tell
}

/** Whether no `git status` shows a hook of ours in the folder: git ignores them there, and tracks nothing beside them. */
function isOutOfSight(repo: Repo, { dir, worktree }: HooksFolder): boolean {
  if (worktree === undefined) return true;
  const git = { ...gitFor(repo), cwd: worktree };
  const path = toRepoPath(worktree, physicalPath(dir)) ?? dir;
  const scripts = GIT_HOOKS.flatMap((hook) => [`${path}/${hook}`, `${path}/${hook}.pre-entire`]);
  try {
    if (findIgnored(git, scripts).length < scripts.length) return false;
    return runGit(git, ['ls-files', '-z', '--', path]).stdout.length === 0;
  } catch (error) {
    log('info', 'git does not tell whether it shows a folder', { dir, error: describeError(error) });
    return false; // in a submodule, say
  }
}

/**
 * The same in the middle of a commit: Lefthook installs its own hooks again when it runs and its configuration has
 * changed, and the hooks after this one would not call us. Where all stand in the usual place git is not asked.
 */
export function keepGitHooks(repo: Repo, absolutePath: boolean): void {
  const usual = join(repo.commonDir, 'hooks');
  if (missingGitHooks(usual, absolutePath ? runningProgram() : undefined).length > 0)
    ensureOwnGitHooks(repo, absolutePath);
}

/**
 * Refuses a folder outside the repository, unless its hooks call us already: they would run in every repository
 * of this user.
 *
 * @throws {EntireError} `WRITE_FAILED` with the lines to add by hand
 */
export function refuseForeignFolder({ dir, isOwn }: HooksFolder): void {
  if (isOwn) return;
  const found = findGitHooks(dir);
  const missing = GIT_HOOKS.filter((hook) => !found.includes(hook));
  if (missing.every((hook) => FOLLOWING_HOOKS.includes(hook))) return; // `entire doctor` tells of those
  const lines = missing.map((hook) => `  ${hook}:\n      ${renderCommand(hook)}`);
  throw new EntireError(
    'WRITE_FAILED',
    `git takes its hooks from ${dir}, outside of this repository (core.hooksPath).`,
    {
      hint: [
        'Add these lines to the scripts there (they do nothing in repositories without Entire):',
        ...lines,
        'Or run the command again with --force, and they are installed there for all your repositories.',
      ].join('\n'),
    },
  );
}
