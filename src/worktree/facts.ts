import { join, resolve } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk, lstatIfExists, lstatInWorktree } from '../base/file/disk.ts';
import { sha256Of } from '../base/hash.ts';
import { findOperation } from '../git/commit/operation.ts';
import { locateRepo } from '../git/locate.ts';
import { isDefaultBranch } from '../git/ref/default-branch.ts';
import { gitText } from '../git/run.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';
import {
  countLonely,
  gitAtTop,
  gitInFolder,
  listModules,
  readIndexNotes,
  readOwnRefs,
  readRepositoryWork,
  readStaged,
  readUncommitted,
} from '../git/worktree/worktree-work.ts';
import type { SessionState } from '../session/state.ts';
import type { Facts } from './losses.ts';
import type { Carried } from './manifest.ts';
import { isOurs, isRemade } from './remade.ts';
import { gitIn, isWithin, type Repository } from './repository.ts';
import { isRunning } from './sessions.ts';

/** What a look at a worktree needs besides git. */
export interface Look {
  /** Where the command was called, physical. */
  readonly cwd: string;
  /** Sessions that live in the worktree. */
  readonly sessions: readonly SessionState[];
  readonly carried: readonly Carried[];
}

/** {@link Facts}, and how it may be removed. */
export interface WorktreeFacts extends Facts {
  /** Whether its folder can have another name: submodules, and worktrees of other repositories, are known by theirs. */
  readonly isMovable: boolean;
}

const NOTHING = {
  ...{ changed: [], hidden: [], untracked: [], ignored: [] },
  ...{ repositories: [], submodules: [] },
};

/** Looks at everything that removing a worktree could take away. @throws {EntireError} `GIT_FAILED` */
export function readFacts(repository: Repository, worktree: Worktree, look: Look): WorktreeFacts {
  const { git, worktrees } = repository;
  const { root, branch, head, isMain, isBare, isForeign, locked, gitDir } = worktree;
  const within = worktrees.filter((one) => one.root !== root && !one.isMissing && isWithin(one.root, root));
  return {
    ...{ isMain, isBare, isForeign, locked, branch },
    isHere: isWithin(look.cwd, root),
    worktreesWithin: within.map((one) => one.root),
    isDefaultBranch: isDefaultBranch(git, branch),
    lonelyCommits: head ? countLonely(git, head, branch) : 0,
    refs: isMain ? [] : readOwnRefs(gitDir),
    operation: findOperation(gitDir),
    running: look.sessions
      .filter((session) => isRunning(repository.commonDir, session))
      .map(({ sessionId, agentType }) => ({ id: sessionId, agent: agentType })),
    ...(isMain || worktree.isMissing || isForeign
      ? {
          ...{ ...NOTHING, submodules: readOtherModules(worktree, []), isMovable: false },
          changed: isMain || isBare ? [] : readStaged(gitDir),
        }
      : readContents(repository, worktree, look)),
  };
}

function readContents(
  repository: Repository,
  worktree: Worktree,
  { carried }: Look,
): Pick<WorktreeFacts, keyof typeof NOTHING | 'isMovable'> {
  const { root } = worktree;
  const git = gitIn(repository, worktree);
  const { changed, untracked, ignored } = readUncommitted(git, { ignored: true });
  const { submodules, hidden, folders } = readIndexNotes(git);
  const reference = repository.worktrees.find((one) => one.root !== root && !one.isBare && !one.isMissing);
  const digests = new Map(carried.map(({ path, sha256 }) => [path, sha256]));
  const isElsewhere = (path: string): boolean =>
    !path.includes('\0') && // no UTF-8
    (isUnchanged(join(root, path), digests.get(path)) ||
      (reference !== undefined && isSame(path, root, reference.root)));
  const kept = listLost(root, ignored, folders);
  const own = submodules.flatMap((path) => readOwnWork(root, path, isElsewhere));
  const { repositories, hasLinks } = findRepositories(root, [
    ...submodules.map((path) => join(root, path)),
    ...repository.worktrees.map((one) => one.root),
  ]);
  return {
    changed,
    hidden,
    untracked: untracked.filter((path) => !isOurs(path) && !isElsewhere(path)),
    ignored: kept.filter((path) => !isElsewhere(path)),
    repositories: repositories.filter((path) => !untracked.includes(path) && !kept.includes(path)),
    submodules: [
      ...own,
      ...readOtherModules(
        worktree,
        own.map(({ path }) => locateRepo(join(root, path))?.gitDir),
      ),
    ],
    isMovable: submodules.length === 0 && !hasLinks,
  };
}

/** Submodules that are not checked out, as in a commit that has none: their repositories go with the worktree all the same. */
const readOtherModules = (
  { gitDir, isMain }: Worktree,
  known: readonly (string | undefined)[],
): Facts['submodules'] =>
  (isMain ? [] : listModules(gitDir))
    .filter((folder) => !known.includes(folder))
    .map((folder) => ({ path: folder, work: readRepositoryWork(gitInFolder(folder)) }));

const isUnchanged = (file: string, digest: string | undefined): boolean =>
  digest !== undefined &&
  lstatIfExists(file)?.isFile() === true &&
  sha256Of(disk.readFileSync(file)) === digest;

/** Larger ones are not read to find out. */
const MAX_BYTES = 64 * 1024 * 1024;

/** No link is followed on the way: it may lead back to the file that is about to go. */
function isSame(path: string, root: string, reference: string): boolean {
  if (path.endsWith('/')) return false;
  const [a, b] = [join(root, path), join(reference, path)];
  const [one, other] = [lstatIfExists(a), lstatInWorktree(reference, path)];
  if (!one || !other) return false;
  if (one.isSymbolicLink() && other.isSymbolicLink()) return disk.readlinkSync(a) === disk.readlinkSync(b);
  if (!one.isFile() || !other.isFile() || one.size !== other.size || one.size > MAX_BYTES) return false;
  return disk.readFileSync(a).equals(disk.readFileSync(b));
}

/**
 * Repositories of their own within a worktree that hold what nothing else does: `git status` tells of none that lies in a folder
 * with tracked files, or in one that is ignored. Looks into every folder, as the removal will.
 *
 * @param known folders of submodules and other worktrees, absolute, which are looked at elsewhere
 * @returns paths relative to the worktree, which end in `/`; and whether a `.git` among them leads elsewhere
 */
function findRepositories(
  root: string,
  known: readonly string[],
): { readonly repositories: string[]; readonly hasLinks: boolean } {
  const found: string[] = [];
  let hasLinks = false;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const path = resolve(root, folder); // without the last slash, as those that are known
    const entries = disk.readdirSync(path, { withFileTypes: true });
    const isRepository = folder !== '' && entries.some(({ name }) => name === '.git');
    hasLinks ||= isRepository && entries.some((one) => one.name === '.git' && !one.isDirectory());
    if (isRepository && known.includes(path)) continue;
    if (isRepository && hasWork(root, folder)) found.push(folder);
    else
      for (const entry of entries)
        if (entry.isDirectory() && entry.name !== '.git') folders.push(`${folder}${entry.name}/`);
  }
  return { repositories: found.sort(), hasLinks };
}

const hasWork = (root: string, path: string): boolean =>
  readOwnWork(root, path, () => false).some(({ work }) => work.length > 0);

/** A repository within a worktree, and what it holds that nothing else does, in words; nothing: it may go. */
export interface OwnWork {
  /** Relative to the worktree. */
  readonly path: string;
  readonly work: readonly string[];
}

/**
 * What a submodule or another repository holds, and then the submodules in it. One that git cannot read holds something.
 *
 * @param isElsewhere whether nobody loses a file, relative to `root`
 */
export function readOwnWork(root: string, path: string, isElsewhere: (file: string) => boolean): OwnWork[] {
  const top = join(root, path);
  try {
    const git = gitAtTop(top);
    const { changed, untracked, ignored } = readUncommitted(git, { ignored: true });
    const { hidden, submodules, folders } = readIndexNotes(git);
    const operation = findOperation(gitText(git, ['rev-parse', '--absolute-git-dir']));
    const files = listLost(top, ignored, folders).map((file) => join(path, file));
    const work = [
      ...(changed.length + untracked.length > 0 ? ['changes'] : []),
      ...(hidden.length > 0 ? ['changes hidden by assume-unchanged or skip-worktree'] : []),
      ...(files.every(isElsewhere) ? [] : ['ignored files that a build would not recreate']),
      ...(operation === undefined ? [] : [`a ${operation} that is not finished`]),
      ...readRepositoryWork(git),
    ];
    return [
      { path, work },
      ...submodules.flatMap((inner) => readOwnWork(root, join(path, inner), isElsewhere)),
    ];
  } catch (error) {
    return [{ path, work: [`what git cannot read (${describeError(error)})`] }];
  }
}

/** A folder with more than this is named as a whole. */
const MAX_FILES = 2000;

/**
 * Ignored files of a repository that no program makes again, one by one.
 *
 * @param tracked folders with tracked files
 */
export const listLost = (root: string, ignored: readonly string[], tracked: ReadonlySet<string>): string[] =>
  ignored.filter((path) => !isRemade(path, tracked)).flatMap((path) => expand(root, path, tracked));

/** The files of a folder that is ignored as a whole, without what programs make again. */
function expand(root: string, path: string, tracked: ReadonlySet<string>): string[] {
  if (!path.endsWith('/')) return [path];
  const files: string[] = [];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = disk.readdirSync(join(root, folder), { withFileTypes: true });
    if (entries.some(({ name }) => name === '.git')) {
      files.push(folder); // a repository of its own
      continue;
    }
    for (const entry of entries) {
      const inside = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`;
      if (isRemade(inside, tracked)) continue;
      if (entry.isDirectory()) folders.push(inside);
      else files.push(inside);
    }
    if (files.length > MAX_FILES) return [path];
  }
  return files;
}
