import { basename, dirname } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { toRepoPath } from '../base/repo-path.ts';
import { locateRepo, physicalPath, type Repo } from '../git/locate.ts';
import { type Git, gitAt, gitFor, runGit } from '../git/run.ts';
import { findIgnored } from '../git/worktree/status.ts';
import { listWorktrees, type Worktree } from '../git/worktree/worktree-list.ts';

/** A repository with all its worktrees, seen from a folder; it may be a bare one. */
export interface Repository {
  readonly git: Git;
  /** Absolute, physical. */
  readonly commonDir: string;
  /** The worktree that the folder lies in; none in a bare repository. */
  readonly here: Repo | undefined;
  /** The main one first. */
  readonly worktrees: readonly Worktree[];
}

/**
 * The repository that a folder lies in. Unlike other commands, one about worktrees has work in a bare repository, too.
 *
 * @returns `undefined` outside of any
 * @throws {EntireError} `GIT_FAILED` where git refuses it
 */
export function findRepository(cwd: string): Repository | undefined {
  const located = locateRepo(cwd);
  const git = located ? gitFor(located) : gitAt(cwd);
  const asked = ['rev-parse', '--path-format=absolute', '--is-bare-repository', '--git-common-dir'];
  const { code, stdout, stderr } = runGit(git, asked, { okCodes: [0, 128] });
  if (code !== 0) {
    if (/not a git repository/i.test(stderr)) return undefined;
    throw new EntireError('GIT_FAILED', `git rev-parse failed: ${stderr}`);
  }
  const [isBare, folder = ''] = stdout.toString('utf8').trimEnd().split('\n');
  const commonDir = physicalPath(folder);
  const here = isBare === 'true' ? undefined : located;
  return { git, commonDir, here, worktrees: settleMain(listWorktrees(git, commonDir), commonDir, here) };
}

/** Where the git folder lies elsewhere (a submodule, `--separate-git-dir`), git tells of it in place of the main worktree. */
function settleMain(
  worktrees: readonly Worktree[],
  commonDir: string,
  here: Repo | undefined,
): readonly Worktree[] {
  const [main, ...linked] = worktrees;
  if (!main || main.isBare || basename(commonDir) === '.git' || here?.worktreeId !== '') return worktrees;
  return [{ ...main, root: here.worktreeRoot, isMissing: false }, ...linked];
}

/**
 * Git in a worktree of it. A linked one is named: its folder may have another name for the time being, which git must not note.
 *
 * @see https://github.com/git/git/blob/v2.39.5/setup.c (`update_linked_gitdir`)
 */
export function gitIn({ git }: Repository, { root, gitDir, isMain }: Worktree): Git {
  if (!isMain) return { cwd: root, env: { ...git.env, GIT_DIR: gitDir, GIT_WORK_TREE: root } };
  const repo = locateRepo(root);
  return repo && repo.worktreeRoot === root ? gitFor(repo) : { ...git, cwd: root };
}

/** Whether a folder is another, or lies below it; both physical. */
export const isWithin = (folder: string, outer: string): boolean =>
  folder === outer || folder.startsWith(outer === '/' ? outer : `${outer}/`);

/** The worktree of some repository in which `git status` would show what is made at a path. Names are compared, links resolved. */
export function findWatcher(path: string): string | undefined {
  const real = physicalPath(path);
  const repo = locateRepo(dirname(real));
  if (!repo) return undefined;
  const isBare = runGit(gitFor(repo), ['rev-parse', '--is-bare-repository'], { okCodes: [0, 128] });
  if (isBare.code !== 0 || isBare.stdout.toString().trim() === 'true') return undefined;
  const inside = toRepoPath(repo.worktreeRoot, real);
  if (inside === undefined || /^\.git(\/|$)/.test(inside)) return undefined;
  return findIgnored(gitFor(repo), [`${inside}/`]).length > 0 ? undefined : repo.worktreeRoot;
}
