import { dirname, join } from 'node:path';
import { isAgentSettings } from '../agents/registry.ts';
import { describeError } from '../base/errors.ts';
import { disk, isReachable, lstatIfExists, lstatInWorktree } from '../base/file/disk.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { sha256Of } from '../base/hash.ts';
import { parseRepoPath, type RepoPath, sortedUnique } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { type Git, gitFor, runGit, splitNul } from '../git/run.ts';
import { findTracked } from '../git/worktree/tracked.ts';
import { readActivation } from '../settings/enabled.ts';
import { settingsRoot } from '../settings/followed.ts';
import { ensureExcluded } from '../settings/gitignore.ts';
import { LOCAL_SETTINGS_FILE, SETTINGS_FILE } from '../settings/layers.ts';
import type { Carried } from './manifest.ts';

/**
 * Which ignored files a project wants in its worktrees, in the words of `.gitignore`. Claude Code, Codex and other tools read
 * the same file.
 *
 * @see https://code.claude.com/docs/en/worktrees
 */
const INCLUDE = '.worktreeinclude';

/** Folders in which agents keep settings. */
const AGENT_FOLDERS = [
  ...['.claude', '.codex', '.gemini', '.opencode', '.github/hooks'],
  ...['.qwen', '.pi', '.factory', '.cursor'],
];

/** What came of carrying files over. */
export interface CarryReport {
  readonly carried: readonly Carried[];
  /** What could not be, and why. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Puts into a new worktree what its checkout does not bring along, and what it needs all the same: settings of agents with our
 * hooks that git does not track, settings of ours where it would not follow those that hold in `from`, and what the project lists
 * in {@link INCLUDE}. Nothing that is there is replaced.
 *
 * @param from the worktree that somebody works in
 */
export function carryOver(from: Repo, to: Repo): CarryReport {
  const paths = sortedUnique([...listAgentFiles(gitFor(from)), ...listIncluded(from)]);
  const wanted = new Map<string, string>(paths.map((path) => [path, from.worktreeRoot]));
  for (const path of ownSettings(to)) wanted.set(path, settingsRoot(from));
  const tracked = findTracked(gitFor(from), [...wanted.keys()].filter(countsAsOwn));
  const carried: Carried[] = [];
  const failed: CarryReport['failed'][number][] = [];
  for (const [path, root] of wanted) {
    try {
      if (tracked.has(path) && !lstatIfExists(join(to.worktreeRoot, path)))
        throw new Error('a branch has it, so it is not yours alone');
      const sha256 = copyFile(root, to.worktreeRoot, path as RepoPath);
      if (sha256 !== undefined) carried.push({ path, sha256 });
      if (sha256 !== undefined && path === LOCAL_SETTINGS_FILE) ensureExcluded(to.commonDir);
    } catch (error) {
      failed.push({ path, reason: describeError(error) });
    }
  }
  return { carried, failed };
}

/** Settings that a tool takes for the person's own where git does not track them, and does what they say. */
const countsAsOwn = (path: string): boolean => path === LOCAL_SETTINGS_FILE || isAgentSettings(path);

/** A worktree with settings of its own hears neither those of the main one nor the local ones of the one it was made from. */
function ownSettings(to: Repo): string[] {
  const activation = readActivation(to);
  const isFollowing = 'root' in activation && activation.root !== to.worktreeRoot;
  return isFollowing ? [] : [SETTINGS_FILE, LOCAL_SETTINGS_FILE];
}

/** Settings of agents in the top of the worktree that git does not track, ignored ones among them. */
function listAgentFiles(git: Git): RepoPath[] {
  const { stdout } = runGit(git, ['ls-files', '--others', '-z', '--', ...AGENT_FOLDERS]);
  return splitNul(stdout)
    .flatMap((path) => parseRepoPath(path) ?? [])
    .filter((path) => isAgentSettings(path) && AGENT_FOLDERS.some((dir) => isBelow(path, dir)));
}

const isBelow = (path: string, dir: string): boolean =>
  path.startsWith(`${dir}/`) && !path.slice(dir.length).includes('/.');

/** Files that the project lists, as far as git really ignores them: what it tracks comes with the checkout. */
function listIncluded(from: Repo): RepoPath[] {
  if (!lstatInWorktree(from.worktreeRoot, INCLUDE)?.isFile()) return [];
  const ask = (...args: string[]): string[] =>
    splitNul(runGit(gitFor(from), ['ls-files', '--others', '--ignored', '-z', ...args]).stdout);
  const ignored = new Set(ask('--exclude-standard'));
  return ask(`--exclude-from=${join(from.worktreeRoot, INCLUDE)}`)
    .filter((path) => ignored.has(path))
    .flatMap((path) => parseRepoPath(path) ?? []);
}

/** The digest of what was copied; `undefined` where something stands there, or there is nothing to copy. */
function copyFile(from: string, to: string, path: RepoPath): string | undefined {
  const [source, target] = [join(from, path), join(to, path)];
  const stat = disk.statSync(source, { throwIfNoEntry: false });
  if (!stat?.isFile() || lstatIfExists(target)) return undefined;
  // What was checked out may be somebody else's branch, with a link in place of a folder that leads anywhere.
  if (!isReachable(to, path)) throw new Error('a folder on the way is a link, or none');
  disk.mkdirSync(dirname(target), { recursive: true });
  const bytes = disk.readFileSync(source);
  writeFileAtomic(target, bytes, { mode: stat.mode & 0o777 });
  return sha256Of(bytes);
}
