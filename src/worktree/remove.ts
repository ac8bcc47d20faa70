import { basename, dirname, join, resolve } from 'node:path';
import { AGENTS } from '../agents/names.ts';
import { disk } from '../base/disk.ts';
import { EntireError } from '../base/errors.ts';
import { newId, type SessionId } from '../base/ids.ts';
import { locateRepo, physicalPath } from '../git/locate.ts';
import { removeWorktree } from '../git/worktree-change.ts';
import type { Worktree } from '../git/worktree-list.ts';
import { settingsPlace } from '../hooks/agent-settings.ts';
import { withSessionLock } from '../session/lock.ts';
import { hasOwed, settleOwed } from '../strategy/commit/settle.ts';
import { workIn } from '../strategy/work.ts';
import { dropBranch, removeEmptyFolder } from './create.ts';
import { readFacts, type WorktreeFacts } from './facts.ts';
import { type Kept, keepWork, REMOVED_REFS, removedFolder } from './keep.ts';
import { findLosses, findObstacles, type Loss, type Obstacle } from './losses.ts';
import { readManifest, updateManifest, type WorktreeEntry } from './manifest.ts';
import { labelOf } from './name.ts';
import { gitIn, isWithin, type Repository } from './repository.ts';
import {
  copyTranscripts,
  followTranscripts,
  isSetUp,
  readSessionsByWorktree,
  transcriptsWithin,
} from './sessions.ts';

/** What somebody asks for. */
export interface RemoveWish {
  /** Its name, its path, or the name of its folder. */
  readonly target: string;
  readonly force: boolean;
  readonly deleteBranch: boolean;
  readonly cwd: string;
}

/** What a removal came to. */
export interface Removed {
  readonly name: string;
  readonly root: string;
  /** `refused`: nothing was changed. `forgotten`: git knew nothing of it, and only the manifest did. */
  readonly result: 'removed' | 'refused' | 'forgotten';
  readonly obstacles: readonly Obstacle[];
  readonly losses: readonly Loss[];
  readonly kept: Kept;
  /** The one that was checked out in it. */
  readonly branch: string | undefined;
  /** The branch that is there no more, and where it stood. */
  readonly deletedBranch: { readonly name: string; readonly tip: string } | undefined;
  /** Sessions that lived in it. */
  readonly sessions: readonly string[];
}

const NOTHING_KEPT: Kept = { ref: undefined, commit: undefined, folder: undefined, autostash: undefined };

/**
 * Removes a worktree, unless work would be lost; with `force` it is kept elsewhere before.
 *
 * @param manifest the file
 * @throws {EntireError} `NOT_FOUND`, `GIT_FAILED`, `LOCKED`, and what the manifest throws
 */
export const removeLinked = (repository: Repository, manifest: string, wish: RemoveWish): Promise<Removed> =>
  withSessionLock(dirname(manifest), LOCK, () => removeAlone(repository, manifest, wish), {
    waitMs: WAIT_MS,
  });

/** Of two branches that lead to the same commits, each one would go because the other is there. No session has this name there. */
const LOCK = 'remove' as SessionId;
/** Another removal may have much to keep. */
const WAIT_MS = 60_000;

async function removeAlone(repository: Repository, manifest: string, wish: RemoveWish): Promise<Removed> {
  const entries = readManifest(manifest).entries.filter((one) => one.repository === repository.commonDir);
  const { worktree, entry } = findTarget(repository, entries, wish);
  const forget = () => updateManifest(manifest, (all) => all.filter(({ id }) => id !== entry?.id));
  const name = entry?.name ?? basename(worktree?.root ?? wish.target);
  const nothing = {
    name,
    branch: worktree?.branch,
    obstacles: [],
    losses: [],
    kept: NOTHING_KEPT,
    deletedBranch: undefined,
    sessions: [],
  };
  if (!worktree) {
    await forget();
    return { ...nothing, root: entry?.path ?? '', result: 'forgotten' };
  }
  const { root } = worktree;
  const sessions = readSessionsByWorktree(repository.commonDir).get(worktree.worktreeId) ?? [];
  const look = { cwd: physicalPath(wish.cwd), sessions, carried: entry?.carried ?? [] };
  const facts = readFacts(repository, worktree, look);
  const [obstacles, losses] = [findObstacles(facts, wish), findLosses(facts, wish)];
  if (obstacles.length > 0 || (losses.length > 0 && !wish.force))
    return { ...nothing, root, result: 'refused', obstacles, losses };

  const id = newId();
  const label = labelOf(name);
  const folder = removedFolder(repository.commonDir, label, id);
  const git = worktree.isMissing ? repository.git : gitIn(repository, worktree);
  const kept = keepWork(git, worktree, facts, {
    ...{ ref: `${REMOVED_REFS}${label}/${id}`, folder },
    subject: `What was in worktree ${name} when it was removed`,
    keepsCommits: losses.some(({ kind }) => kind === 'commits'),
  });
  await settle(worktree);
  const target = chooseHome(repository, worktree) ?? folder;
  const moves = worktree.isMissing ? [] : copyTranscripts(root, target, sessions);
  takeAway({ ...repository, git: outside(repository, worktree) }, worktree, facts, losses.length > 0);
  await followTranscripts(repository.commonDir, transcriptsWithin(sessions, root), moves);
  await forget();
  forgetAgents(repository, worktree);
  const around = dirname(root);
  // Any other folder that is empty now was somebody's before.
  if (around.endsWith('.worktrees') || isWithin(around, dirname(manifest))) removeEmptyFolder(around);
  return {
    ...{ ...nothing, root, result: 'removed', losses, kept },
    deletedBranch: wish.deleteBranch ? deleteBranch(repository, worktree) : undefined,
    sessions: sessions.map(({ sessionId }) => sessionId),
  };
}

/**
 * By its name, else by its path, else by the name of its folder.
 *
 * @throws {EntireError} `NOT_FOUND`, also where several are meant
 */
function findTarget(
  { worktrees }: Repository,
  entries: readonly WorktreeEntry[],
  { target, cwd }: RemoveWish,
): { worktree: Worktree | undefined; entry: WorktreeEntry | undefined } {
  const at = (path: string): Worktree | undefined => worktrees.find(({ root }) => root === path);
  const named = entries.find(({ name }) => name === target);
  if (named) {
    const worktree = at(named.path);
    // A folder that git does not know may hold anything.
    return { worktree, entry: named };
  }
  const path = physicalPath(resolve(cwd, target));
  const folders = worktrees.filter(({ root }) => basename(root) === target);
  const worktree = at(path) ?? (folders.length === 1 ? folders[0] : undefined);
  const entry = entries.find((one) => one.path === (worktree?.root ?? path));
  if (worktree || entry) return { worktree, entry };
  throw new EntireError(
    'NOT_FOUND',
    folders.length > 1
      ? `${folders.length} worktrees lie in folders called ${target}`
      : `there is no worktree "${target}" in this repository`,
    { hint: folders.length > 1 ? 'Say its path.' : '`entire worktree list` shows those that there are.' },
  );
}

/** Commits that wait for their checkpoint have it before the worktree goes that they were made in. */
async function settle({ root, head, isMissing }: Worktree): Promise<void> {
  const repo = isMissing ? undefined : locateRepo(root);
  if (!repo) return;
  const work = workIn(repo);
  if (hasOwed(work, head)) await settleOwed(work);
}

/** Another worktree, the main one before others, that has room for what is ours. */
const chooseHome = ({ worktrees }: Repository, { root }: Worktree): string | undefined =>
  worktrees.find(
    (one) => one.root !== root && !one.isBare && !one.isMissing && !one.isForeign && isSetUp(one.root),
  )?.root;

/** Git that does not stand in what is about to go. */
function outside({ worktrees, git, commonDir }: Repository, { root }: Worktree): Repository['git'] {
  const other = worktrees.find((one) => one.root !== root && !one.isMissing);
  return { ...git, cwd: other?.root ?? commonDir };
}

/** Where nothing is lost git looks once more, as close to the removal as can be. */
function takeAway(
  { git }: Repository,
  { root, isMissing }: Worktree,
  { elsewhere, hasSubmodules }: WorktreeFacts,
  isKept: boolean,
): void {
  const force = isKept || hasSubmodules; // which git refuses to remove otherwise, whatever is in them
  if (!force && !isMissing) for (const path of elsewhere) disk.rmSync(join(root, path), { force: true });
  removeWorktree(git, root, { force });
}

/** What agents' settings were before us there, which nobody puts back any more. */
function forgetAgents({ commonDir }: Repository, { worktreeId, root }: Worktree): void {
  if (worktreeId === '') return;
  const repo = { worktreeRoot: root, gitDir: '', commonDir, worktreeId };
  for (const agent of Object.keys(AGENTS) as (keyof typeof AGENTS)[])
    disk.rmSync(settingsPlace(repo, agent).recordFile, { force: true });
}

/** Only from where it was when it was looked at. @throws {EntireError} `REF_MOVED`, `REF_LOCKED` */
function deleteBranch({ git }: Repository, { branch, head }: Worktree): Removed['deletedBranch'] {
  if (branch === undefined || !head) return undefined;
  dropBranch(git, branch, head);
  return { name: branch, tip: head };
}
