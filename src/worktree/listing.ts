import { basename } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { findOperation } from '../git/commit/operation.ts';
import { gitAt } from '../git/run.ts';
import { listWorktrees, type Worktree } from '../git/worktree/worktree-list.ts';
import { countAhead, countLonely, countUnpushed, readUncommitted } from '../git/worktree/worktree-work.ts';
import type { SessionState } from '../session/state.ts';
import { findEntry, findWorktree } from './entry.ts';
import type { WorktreeEntry } from './manifest.ts';
import { findMarked, type Removal, readRemovals } from './removal.ts';
import { findRepository, gitIn, isWithin, type Repository } from './repository.ts';
import { readSessionsByWorktree } from './sessions.ts';

/** What a worktree holds that is nowhere else yet. */
export interface Unfinished {
  /** Tracked paths that differ from HEAD. */
  readonly changed: number;
  /** Files git does not know. */
  readonly untracked: number;
  /** Commits that no other branch, no remote and no tag leads to. */
  readonly unmerged: number;
  /** Commits that the branch it follows does not have; `undefined` where it follows none. */
  readonly ahead: number | undefined;
  /** Commits that no branch of a remote leads to; `undefined` where none is here. */
  readonly unpushed: number | undefined;
  /** What git is in the middle of. */
  readonly operation: string | undefined;
}

/** A row of the list. */
export interface WorktreeRow {
  /** Of those we made their name, of others that of their folder. */
  readonly name: string;
  readonly root: string;
  readonly repository: string;
  /** `present`; `missing`: git knows it and its folder is gone; `unknown`: only the manifest knows it; `removing`: its removal was stopped. */
  readonly state: 'present' | 'missing' | 'unknown' | 'removing';
  readonly isManaged: boolean;
  readonly isMain: boolean;
  readonly isHere: boolean;
  readonly head: string | undefined;
  readonly branch: string | undefined;
  readonly locked: string | undefined;
  readonly createdAt: string;
  readonly from: string | undefined;
  /** `undefined` where there is nothing to look at, or git cannot. */
  readonly work: Unfinished | undefined;
  /** Why git cannot. */
  readonly problem: string | undefined;
  /** Newest first. */
  readonly sessions: readonly SessionState[];
}

/** The worktrees of a repository, those that git knows first; a bare repository is none itself. */
export function listRows(
  repository: Repository,
  entries: readonly WorktreeEntry[],
  cwd: string | undefined,
): WorktreeRow[] {
  const own = entries.filter((entry) => entry.repository === repository.commonDir);
  const sessions = readSessionsByWorktree(repository.commonDir);
  const worktrees = repository.worktrees.filter(({ isBare }) => !isBare);
  // Of worktrees that lie in one another the innermost is where somebody stands.
  const here = worktrees
    .filter(({ root }) => cwd !== undefined && isWithin(cwd, root))
    .sort((a, b) => b.root.length - a.root.length)[0];
  const removals = readRemovals(repository.commonDir);
  const stopped = new Map(removals.map((one) => [findMarked(worktrees, one), one]));
  const known = worktrees.map((worktree) => {
    const entry = findEntry(own, repository.worktrees, worktree);
    const row = describe(repository, worktree, entry);
    return {
      ...row,
      ...(worktree.isMissing && stopped.has(worktree) && { state: 'removing' as const }),
      isHere: worktree === here,
      sessions: sessions.get(worktree.worktreeId) ?? [],
    };
  });
  const leaving = removals.filter((one) => one.done && !findMarked(worktrees, one));
  const isLeaving = ({ id }: WorktreeEntry): boolean => leaving.some(({ entryId }) => entryId === id);
  const lost = own.filter((entry) => !findWorktree(own, worktrees, entry) && !isLeaving(entry));
  return [...known, ...lost.map(describeLost), ...leaving.map((one) => describeLeaving(repository, one))];
}

/** Git knows nothing of it any more, and all of it is kept. */
const describeLeaving = (
  { commonDir }: Repository,
  { name, root, branch, entryId }: Removal,
): WorktreeRow => ({
  ...{ name, root, repository: commonDir, state: 'removing', isManaged: entryId !== undefined, branch },
  ...{ isMain: false, isHere: false, head: undefined, locked: undefined, sessions: [] },
  ...{ createdAt: '', from: undefined, work: undefined, problem: undefined },
});

const FOREIGN = { problem: 'another repository has its folder' };

function describe(repository: Repository, worktree: Worktree, entry: WorktreeEntry | undefined) {
  const { root, branch, head, locked, isMain, isMissing, isForeign } = worktree;
  const look = isMissing ? {} : isForeign ? FOREIGN : lookAt(repository, worktree);
  return {
    ...{ name: entry?.name ?? basename(root), root, repository: repository.commonDir },
    state: isMissing ? ('missing' as const) : ('present' as const),
    ...{ isManaged: entry !== undefined, isMain, head, branch, locked },
    ...{ createdAt: entry?.createdAt ?? '', from: entry?.from, work: undefined, problem: undefined, ...look },
  };
}

function lookAt(
  repository: Repository,
  worktree: Worktree,
): Pick<WorktreeRow, 'work'> | Pick<WorktreeRow, 'problem'> {
  const { branch, head, gitDir } = worktree;
  try {
    const git = gitIn(repository, worktree);
    const { changed, untracked } = readUncommitted(git, { ignored: false });
    const work = {
      ...{ changed: changed.length, untracked: untracked.length, operation: findOperation(gitDir) },
      unmerged: head ? countLonely(git, head, branch) : 0,
      unpushed: head ? countUnpushed(git, head) : undefined,
      ahead: head && branch !== undefined ? countAhead(git, branch) : undefined,
    };
    return { work };
  } catch (error) {
    return { problem: describeError(error) };
  }
}

const describeLost = (entry: WorktreeEntry): WorktreeRow => ({
  ...{ name: entry.name, root: entry.path, repository: entry.repository, state: 'unknown' },
  ...{ isManaged: true, isMain: false, isHere: false, head: undefined, locked: undefined, sessions: [] },
  ...{ branch: entry.branch || undefined, createdAt: entry.createdAt, from: entry.from },
  ...{ work: undefined, problem: undefined },
});

/** {@link listRows} of every repository that the manifest knows, in the order in which they come there. */
export function listAllRows(entries: readonly WorktreeEntry[], cwd: string): WorktreeRow[] {
  const here = findQuietly(cwd);
  const folders = new Set([
    ...(here ? [here.commonDir] : []),
    ...entries.map(({ repository }) => repository),
  ]);
  return [...folders].flatMap((commonDir) => {
    const repository = commonDir === here?.commonDir ? here : openRepository(commonDir);
    const own = entries.filter((entry) => entry.repository === commonDir);
    return repository ? listRows(repository, own, cwd) : own.map(describeLost);
  });
}

function findQuietly(cwd: string): Repository | undefined {
  try {
    return findRepository(cwd);
  } catch {
    return undefined; // the others are listed all the same
  }
}

/** A repository by its common dir; `undefined` where it is gone, or git refuses it. */
function openRepository(commonDir: string): Repository | undefined {
  if (!disk.existsSync(commonDir)) return undefined;
  try {
    const git = gitAt(commonDir);
    return { git, commonDir, here: undefined, worktrees: listWorktrees(git, commonDir) };
  } catch {
    return undefined;
  }
}
