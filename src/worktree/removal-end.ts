import { dirname } from 'node:path';
import { AGENTS } from '../agents/names.ts';
import { describeError, EntireError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { parseObjectId } from '../base/ids.ts';
import { readRef, readRefsBelow, updateRefs } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { removeWorktree } from '../git/worktree/worktree-change.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';
import { settingsPlace } from '../hooks/agent-settings.ts';
import { bringBack } from './aside.ts';
import { dropBranch, removeEmptyFolder } from './create.ts';
import { REMOVED_REFS, removedFolder, removedRef } from './keep.ts';
import { labelOf, updateManifest } from './manifest.ts';
import {
  dropRemoval,
  dropUnfinished,
  findMarked,
  type Removal,
  readRemovals,
  unmarkRemoval,
} from './removal.ts';
import { isWithin, type Repository } from './repository.ts';
import { followTranscripts, readSessionsByWorktree, transcriptsWithin } from './sessions.ts';

/**
 * Brings the removals of a repository to an end that were killed: those that had kept everything are done, of the others the worktree
 * has its folder again. Only under the lock of removals.
 *
 * @returns those that are done now
 * @throws as {@link endRemoval}
 */
export async function settleRemovals(repository: Repository, manifest: string): Promise<Removal[]> {
  const ended: Removal[] = [];
  dropUnfinished(repository.commonDir);
  for (const removal of readRemovals(repository.commonDir)) {
    const { done } = removal;
    if (done) await endRemoval(repository, manifest, { ...removal, done });
    else takeBack(repository, removal);
    if (done) ended.push(removal);
  }
  return ended;
}

/** The worktree is as it was, and what was kept of it so far goes. @throws {EntireError} `WRITE_FAILED` that says where it lies */
export function takeBack({ commonDir, worktrees, git }: Repository, removal: Removal): void {
  const worktree = findMarked(worktrees, removal);
  if (worktree) {
    if (removal.aside !== undefined) bringBack(worktree, removal.aside);
    if (disk.existsSync(worktree.root)) dropKept(git, commonDir, removal);
    unmarkRemoval(worktree);
  }
  dropRemoval(commonDir, removal);
}

/** Copies of what lies in the worktree again. */
function dropKept(git: Git, commonDir: string, { name, id }: Removal): void {
  const ref = removedRef(labelOf(name), id);
  const refs = [...readRefsBelow(git, [REMOVED_REFS])].filter(
    ([one]) => one === ref || one.startsWith(`${ref}-worktree/`),
  );
  if (refs.length > 0)
    updateRefs(
      git,
      refs.map(([one, tip]) => ({ ref: one, from: tip, to: undefined })),
    );
  disk.rmSync(removedFolder(commonDir, labelOf(name), id), { recursive: true, force: true });
}

/**
 * Takes a worktree away of which everything is kept. It may be done twice.
 *
 * @throws {EntireError} `GIT_FAILED`, `LOCKED`, `WRITE_FAILED` that says what is left: the next removal does the rest; `REF_MOVED`,
 *   `REF_LOCKED` where all of it is done but for the branch
 */
export async function endRemoval(
  repository: Repository,
  manifest: string,
  removal: Removal & { readonly done: NonNullable<Removal['done']> },
): Promise<void> {
  const { commonDir, git } = repository;
  const { root, aside, branch, done, name, entryId } = removal;
  const worktree = findMarked(repository.worktrees, removal);
  if (worktree) {
    // While its id is its own.
    const sessions = readSessionsByWorktree(commonDir).get(worktree.worktreeId) ?? [];
    await followTranscripts(commonDir, root, transcriptsWithin(sessions, root), done.moves);
    forgetAgents(repository, worktree);
    removeWorktree({ ...git, cwd: commonDir }, root);
  }
  if (aside !== undefined) discard(name, aside);
  await updateManifest(manifest, (all) => all.filter(({ id }) => id !== entryId));
  const around = dirname(root);
  // Any other folder that is empty now was somebody's before.
  if (around.endsWith('.worktrees') || isWithin(around, dirname(manifest))) removeEmptyFolder(around);
  dropRemoval(commonDir, removal);
  const tip = parseObjectId(done.branchTip);
  if (branch !== undefined && tip && readRef(git, `refs/heads/${branch}`)) dropBranch(git, branch, tip);
}

/** @throws {EntireError} `WRITE_FAILED` that says what is left */
function discard(name: string, folder: string): void {
  try {
    disk.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    const reason = describeError(cause);
    throw new EntireError(
      'WRITE_FAILED',
      `worktree ${name} was removed, and ${folder} could not be: ${reason}`,
      {
        hint: 'Nothing in it is needed any more: delete it, or run the command again.',
        cause,
      },
    );
  }
}

/** What agents' settings were before us there, which nobody puts back any more. */
function forgetAgents({ commonDir }: Repository, { worktreeId, root }: Worktree): void {
  if (worktreeId === '') return;
  const repo = { worktreeRoot: root, gitDir: '', commonDir, worktreeId };
  for (const agent of Object.keys(AGENTS) as (keyof typeof AGENTS)[])
    disk.rmSync(settingsPlace(repo, agent).recordFile, { force: true });
}
