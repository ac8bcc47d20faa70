import { dirname, join, resolve } from 'node:path';
import { now, renderUtc } from '../base/clock.ts';
import { describeError, EntireError, type ErrorCode } from '../base/errors.ts';
import { disk, lstatIfExists, W_OK } from '../base/file/disk.ts';
import { newId, type ObjectId } from '../base/ids.ts';
import { isShadowBranch, METADATA_REF } from '../checkpoint/shadow-branch.ts';
import { locateRepo, physicalPath, type Repo } from '../git/locate.ts';
import { readRefs, readRevisions, updateRefs } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import {
  addWorktree,
  forgetBranchConfig,
  isBranchName,
  makeBranch,
  type Start,
} from '../git/worktree/worktree-change.ts';
import { listWorktrees } from '../git/worktree/worktree-list.ts';
import { type CarryReport, carryOver } from './carry.ts';
import { findWorktree, markEntry } from './entry.ts';
import { findNameFault, readManifest, updateManifest, type WorktreeEntry } from './manifest.ts';
import { choosePlace } from './place.ts';
import { findWatcher, isWithin, type Repository } from './repository.ts';

/** What somebody asks for. */
export interface CreateWish {
  readonly name: string;
  /** A revision; HEAD where nothing is said. */
  readonly from: string | undefined;
  /** A folder; relative to `cwd`. */
  readonly path: string | undefined;
  readonly branch: string | undefined;
  readonly cwd: string;
}

/** A worktree that was made. */
export interface Created extends CarryReport {
  readonly entry: WorktreeEntry;
  readonly repo: Repo;
  readonly start: Start;
  readonly head: ObjectId;
  /** The worktree in which `git status` shows the new one. */
  readonly watcher: string | undefined;
  /** What went wrong behind a worktree that stands: its `post-checkout` hook, say. */
  readonly complaint: string | undefined;
}

/**
 * Makes a worktree with a branch, and notes it. What was made goes again where something fails.
 *
 * @param manifest the file
 * @throws {EntireError} `BAD_FLAGS`, `NOT_FOUND`, `WORKTREE_REFUSED`, `GIT_FAILED`, and what the manifest throws
 */
export async function createWorktree(
  repository: Repository,
  manifest: string,
  wish: CreateWish,
): Promise<Created> {
  const fault = findNameFault(wish.name);
  if (fault !== undefined)
    throw refused('BAD_FLAGS', `"${wish.name}" is not a name for a worktree: ${fault}.`);
  refuseTaken(repository, readManifest(manifest).entries, wish.name);
  const { start, head } = chooseStart(repository, wish);
  const root = chooseRoot(repository, manifest, wish);
  const watcher = findWatcher(root);
  const entry: WorktreeEntry = {
    ...{ id: newId(), name: wish.name, path: root, repository: repository.commonDir },
    branch: start.branch,
    from: start.kind === 'local' ? undefined : head,
    ...{ createdAt: renderUtc(now()), carried: [], other: {} },
  };
  await updateManifest(manifest, (entries) => [...withoutForerunner(repository, entries, entry), entry]);
  let complaint: string | undefined;
  let repo: Repo;
  try {
    complaint = add(repository.git, root, start, head);
    repo = locateRepo(root) as Repo;
  } catch (error) {
    if (wish.path === undefined) removeEmptyFolder(dirname(root));
    await updateManifest(manifest, (entries) => entries.filter(({ id }) => id !== entry.id));
    throw error;
  }
  const report = repository.here ? carryOver(repository.here, repo) : { carried: [], failed: [] };
  const done = { ...entry, carried: report.carried };
  complaint ??= await note(manifest, repo, done);
  return { ...report, entry: done, repo, start, head, watcher, complaint };
}

/**
 * Notes what was carried over; the entry itself stands. Also where that is nothing: another process that wanted the name may have
 * taken ours for one that was given up.
 *
 * @returns why it could not
 */
async function note(manifest: string, repo: Repo, entry: WorktreeEntry): Promise<string | undefined> {
  const isOther = ({ repository, name }: WorktreeEntry) =>
    repository !== entry.repository || name !== entry.name;
  try {
    markEntry(repo.gitDir, entry);
    await updateManifest(manifest, (entries) => [...entries.filter(isOther), entry]);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

/** An entry of the same name gives way to the new one where its worktree is gone. @throws {EntireError} `WORKTREE_REFUSED` */
function withoutForerunner(
  repository: Repository,
  entries: readonly WorktreeEntry[],
  { name }: WorktreeEntry,
): WorktreeEntry[] {
  const before = refuseTaken(repository, entries, name);
  return entries.filter((entry) => entry !== before);
}

/** @returns an entry of that name whose worktree git does not know @throws {EntireError} `WORKTREE_REFUSED` for one that it does */
function refuseTaken(
  { git, commonDir }: Repository,
  entries: readonly WorktreeEntry[],
  name: string,
): WorktreeEntry | undefined {
  const own = entries.filter(({ repository }) => repository === commonDir);
  const before = own.find((entry) => entry.name === name);
  const worktree = before && findWorktree(own, listWorktrees(git, commonDir), before);
  if (!worktree) return before;
  throw refused('WORKTREE_REFUSED', `there is a worktree "${name}": ${worktree.root}`, {
    hint: `Take another name, or remove it with \`entire worktree remove ${name}\`.`,
  });
}

function chooseStart(repository: Repository, wish: CreateWish): { start: Start; head: ObjectId } {
  const { git, worktrees } = repository;
  const branch = wish.branch ?? wish.name;
  if (!isBranchName(git, branch))
    throw refused('BAD_FLAGS', `git takes "${branch}" for no name of a branch.`);
  if (isShadowBranch(branch) || `refs/heads/${branch}` === METADATA_REF)
    throw refused('BAD_FLAGS', `${branch} is the name of a branch of Entire's own.`);
  const elsewhere = worktrees.find((one) => one.branch === branch && !one.isBare);
  if (elsewhere)
    throw refused('WORKTREE_REFUSED', `branch ${branch} is checked out in ${elsewhere.root}`, {
      hint: 'A branch can be in one worktree only: take another with --branch.',
    });
  const local = `refs/heads/${branch}`;
  const remotes = `refs/remotes/origin/${branch}`;
  const refs = readRefs(git, [local, remotes]);
  const [here, there] = [refs.get(local), refs.get(remotes)];
  if (here) {
    if (wish.branch === undefined)
      throw refused('WORKTREE_REFUSED', `there is a branch ${branch} already`, {
        hint: `Take another name, or check that branch out: \`entire worktree create ${wish.name} --branch ${branch}\`.`,
      });
    if (wish.from !== undefined)
      throw refused('BAD_FLAGS', `branch ${branch} exists: it begins where it is, and not at ${wish.from}`);
    return { start: { kind: 'local', branch }, head: here };
  }
  if (there && wish.branch !== undefined && wish.from === undefined)
    return { start: { kind: 'remote', branch, ref: remotes, commit: there }, head: there };
  const commit = findCommit(repository, wish.from ?? 'HEAD');
  return { start: { kind: 'new', branch, commit }, head: commit };
}

function findCommit({ git }: Repository, revision: string): ObjectId {
  // A list of revisions has one on each line.
  const asked = `${revision}^{commit}`;
  const oid = /[\n\0]/.test(revision) ? undefined : readRevisions(git, [asked]).get(asked);
  if (oid) return oid;
  if (revision === 'HEAD')
    throw refused('NOT_FOUND', 'there is no commit yet that a worktree could begin with', {
      hint: 'Make the first commit, then run the command again.',
    });
  throw refused('NOT_FOUND', `there is no commit "${revision}"`);
}

function chooseRoot(repository: Repository, manifest: string, { name, path, cwd }: CreateWish): string {
  const root = physicalPath(
    path === undefined ? defaultRoot(repository, manifest, name) : resolve(cwd, path),
  );
  // Lists of older gits have a path on each line.
  if (path === '' || /[\0-\x1f\x7f]/.test(root))
    throw refused('BAD_FLAGS', 'a worktree cannot lie at a path that is empty or has control characters');
  const stat = lstatIfExists(root);
  if (stat && !(stat.isDirectory() && disk.readdirSync(root).length === 0))
    throw refused('WORKTREE_REFUSED', `${root} already exists`, {
      hint: 'Name a folder that is new with --path, or move away what is there.',
    });
  if (isWithin(root, repository.commonDir))
    throw refused('BAD_FLAGS', `${root} lies within the git folder of the repository`);
  const known = repository.worktrees.find((one) => one.root === root);
  if (known)
    throw refused('WORKTREE_REFUSED', `git has a worktree at ${root}, whose folder is gone`, {
      hint: `Remove it first: \`entire worktree remove ${root}\`.`,
    });
  return root;
}

function defaultRoot({ worktrees, commonDir }: Repository, manifest: string, name: string): string {
  const [main] = worktrees;
  return choosePlace({
    ...{ name, commonDir, fallback: dirname(manifest) },
    main: main?.root ?? commonDir,
    isBare: main?.isBare ?? true,
    isWatched: (folder) => findWatcher(join(folder, 'x.worktrees')) !== undefined,
    isWritable,
  });
}

function isWritable(folder: string): boolean {
  try {
    disk.accessSync(folder, W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Has git make the branch and the worktree. A branch that came of it goes again where git could not, unless it moved meanwhile.
 *
 * @returns what went wrong although the worktree stands
 */
function add(git: Git, root: string, start: Start, head: ObjectId): string | undefined {
  makeBranch(git, start);
  try {
    return addWorktree(git, root, start.branch);
  } catch (error) {
    if (start.kind !== 'local') dropBranch(git, start.branch, head);
    throw error;
  }
}

/** Deletes a branch that is still where it was. @throws {EntireError} `REF_MOVED`, `REF_LOCKED` */
export function dropBranch(git: Git, branch: string, tip: ObjectId): void {
  updateRefs(git, [{ ref: `refs/heads/${branch}`, to: undefined, from: tip }]);
  forgetBranchConfig(git, branch);
}

/** The folder that worktrees lie in goes with the last of them. */
export function removeEmptyFolder(folder: string): void {
  try {
    disk.rmdirSync(folder);
  } catch {
    // Others lie there, or it is not ours to remove.
  }
}

const refused = (code: ErrorCode, message: string, options: { hint?: string } = {}): EntireError =>
  new EntireError(code, message, options);
