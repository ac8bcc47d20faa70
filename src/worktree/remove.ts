import { basename, dirname, resolve } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { newId, type SessionId } from '../base/ids.ts';
import { locateRepo, physicalPath } from '../git/locate.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';
import { withSessionLock } from '../session/lock.ts';
import { hasOwed, settleOwed } from '../strategy/commit/settle.ts';
import { workIn } from '../strategy/work.ts';
import { type Aside, asideOf, setAside } from './aside.ts';
import { findEntry, findWorktree } from './entry.ts';
import { type Look, readFacts } from './facts.ts';
import { type Kept, keepWork, removedFolder, removedRef } from './keep.ts';
import { findLosses, findObstacles, type Loss, type Obstacle } from './losses.ts';
import { labelOf, readManifest, updateManifest, type WorktreeEntry } from './manifest.ts';
import { findMarked, markRemoval, type Removal, writeRemoval } from './removal.ts';
import { endRemoval, settleRemovals, takeBack } from './removal-end.ts';
import { findRepository, gitIn, type Repository } from './repository.ts';
import { copyTranscripts, isSetUp, readSessionsByWorktree } from './sessions.ts';

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

/** What came of a removal, as far as it says itself. */
const endedBy = ({ name, root, branch, done }: Removal): Removed => ({
  ...{ name, root, result: 'removed', obstacles: [], losses: [], kept: done?.kept ?? NOTHING_KEPT },
  ...{ branch, sessions: [] },
  deletedBranch: branch && done?.branchTip ? { name: branch, tip: done.branchTip } : undefined,
});

const NOTHING_KEPT: Kept = {
  ref: undefined,
  commit: undefined,
  refs: [],
  folder: undefined,
  autostash: undefined,
};

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

async function removeAlone(known: Repository, manifest: string, wish: RemoveWish): Promise<Removed> {
  const refreshed = (): Repository => findRepository(wish.cwd) ?? known;
  const ended = await settleRemovals(refreshed(), manifest);
  const meant = ended.find(
    (one) => one.name === wish.target || one.root === physicalPath(resolve(wish.cwd, wish.target)),
  );
  if (meant) return endedBy(meant);
  const repository = refreshed(); // others may have been removed while this waited
  const entries = readManifest(manifest).entries.filter((one) => one.repository === repository.commonDir);
  const { worktree, entry } = findTarget(repository, entries, wish);
  const name = entry?.name ?? basename(worktree?.root ?? wish.target);
  const nothing = {
    ...{ name, branch: worktree?.branch, obstacles: [], losses: [], kept: NOTHING_KEPT },
    ...{ deletedBranch: undefined, sessions: [] },
  };
  if (!worktree) {
    await updateManifest(manifest, (all) => all.filter(({ id }) => id !== entry?.id));
    return { ...nothing, root: entry?.path ?? '', result: 'forgotten' };
  }
  const { root, isMissing } = worktree;
  const sessions = readSessionsByWorktree(repository.commonDir).get(worktree.worktreeId) ?? [];
  const look = { cwd: physicalPath(wish.cwd), sessions, carried: entry?.carried ?? [] };
  const first = judge(repository, worktree, look, wish);
  if (first.isRefused) return { ...nothing, ...first.found, root, result: 'refused' };

  const id = newId();
  const label = labelOf(name);
  const folder = removedFolder(repository.commonDir, label, id);
  await settle(worktree);
  const { branch, worktreeId } = worktree;
  const wanted = first.facts.isMovable ? asideOf(root, id) : undefined;
  const begun = { id, name, root, worktreeId, entryId: entry?.id, branch };
  const removal: Removal = { ...begun, aside: wanted, done: undefined };
  writeRemoval(repository.commonDir, removal);
  markRemoval(worktree, removal);
  let aside: Aside | undefined;
  let isKept = false;
  const giveBack = (): void => {
    aside?.putBack();
    takeBack(repository, removal);
  };
  try {
    aside = wanted === undefined ? undefined : setAside(worktree, wanted);
    // What counts is what lies there now that nobody comes by any more; where it stays in place, a moment before it goes.
    const now = refreshed();
    const last = { ...findSame(now, worktree), root: aside?.root ?? root, isMissing };
    const { found, facts, isRefused } = judge(now, last, look, wish);
    if (isRefused) {
      giveBack();
      return { ...nothing, ...found, root, result: 'refused' };
    }
    const kept = keepWork(isMissing ? now.git : gitIn(now, last), last, facts, {
      ...{ ref: removedRef(label, id), folder },
      subject: `What was in worktree ${name} when it was removed`,
      keepsCommits: found.losses.some(({ kind }) => kind === 'commits'),
    });
    const moves = isMissing ? [] : copyTranscripts(last.root, chooseHome(now, worktree) ?? folder, sessions);
    const done = { kept, moves, branchTip: wish.deleteBranch ? last.head : undefined };
    const ending = { ...removal, aside: aside?.root, done };
    writeRemoval(now.commonDir, ending);
    isKept = true;
    await endRemoval(now, manifest, ending);
    return {
      ...{ ...endedBy(ending), losses: found.losses },
      sessions: sessions.map(({ sessionId }) => sessionId),
    };
  } catch (error) {
    const isThere = !isKept || (aside !== undefined && findMarked(refreshed().worktrees, removal));
    if (isThere) giveBack();
    throw error;
  }
}

/** Looks at a worktree, and says whether it may go. */
function judge(repository: Repository, worktree: Worktree, look: Look, wish: RemoveWish) {
  const facts = readFacts(repository, worktree, look);
  const found = { obstacles: findObstacles(facts, wish), losses: findLosses(facts, wish) };
  return { facts, found, isRefused: found.obstacles.length > 0 || (found.losses.length > 0 && !wish.force) };
}

/** @throws {EntireError} `NOT_FOUND` where somebody else removed it */
function findSame({ worktrees }: Repository, { worktreeId, isMain, root }: Worktree): Worktree {
  const same = worktrees.find((one) => one.worktreeId === worktreeId && one.isMain === isMain);
  if (same) return same;
  throw new EntireError('NOT_FOUND', `git knows no worktree at ${root} any more`);
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
  const named = entries.find(({ name }) => name === target);
  // A folder that git does not know may hold anything.
  if (named) return { worktree: findWorktree(entries, worktrees, named), entry: named };
  const path = physicalPath(resolve(cwd, target));
  const folders = worktrees.filter(({ root }) => basename(root) === target);
  const worktree =
    worktrees.find(({ root }) => root === path) ?? (folders.length === 1 ? folders[0] : undefined);
  const entry = worktree ? findEntry(entries, worktrees, worktree) : entries.find((one) => one.path === path);
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
