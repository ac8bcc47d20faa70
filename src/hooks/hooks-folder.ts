import { basename, dirname, join } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { toRepoPath } from '../base/repo-path.ts';
import { physicalPath, type Repo } from '../git/locate.ts';
import { readHooksDir } from '../git/refs.ts';
import { gitFor } from '../git/run.ts';
import { ensureGitHooks, findGitHooks, missingGitHooks, runningProgram } from './install.ts';
import { GIT_HOOKS, renderCommand } from './shims.ts';

/** Where git looks for this repository's hooks, and whether the folder is the repository's own. */
export interface HooksFolder {
  readonly dir: string;
  /** False for a folder that serves other repositories as well, such as `~/.githooks`. */
  readonly isOwn: boolean;
}

/** Asks git, which honours `core.hooksPath` (Husky) and linked worktrees. @throws {EntireError} `GIT_FAILED` */
export function locateHooksFolder(repo: Repo): HooksFolder {
  const dir = readHooksDir(gitFor(repo));
  const real = physicalPath(dir);
  const shared = physicalPath(repo.commonDir);
  // A linked worktree may be told to use a folder of the main one.
  const main = basename(shared) === '.git' ? dirname(shared) : shared;
  const isOwn = [repo.worktreeRoot, main].some((root) => toRepoPath(root, real));
  return { dir, isOwn };
}

/**
 * Puts back the hooks that are missing or overwritten. In a folder outside the repository nothing is ever written
 * unasked.
 */
export function ensureOwnGitHooks(repo: Repo, absolutePath: boolean): void {
  const folder = locateHooksFolder(repo);
  if (folder.isOwn) ensureGitHooks(folder.dir, absolutePath ? runningProgram() : undefined);
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
  if (missing.length === 0) return;
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
