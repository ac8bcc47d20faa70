import { join } from 'node:path';
import { disk, lstatInWorktree } from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { findMergeBase } from '../git/commits.ts';
import { blobId, hashFiles, isSameEntry, readTree, type TreeEntry } from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import { MAX_BYTES } from './look-now.ts';
import type { TurnBegin } from './turn-begin.ts';

/** What a turn of which HEAD went elsewhere has to know of paths that were found changed. */
export interface HeadMoved {
  /**
   * What somebody else's commits, or a pull, made of paths since the prompt, and before the turn's own commits: that is none of the turn's.
   * `undefined` where they took it away.
   */
  readonly brought: ReadonlyMap<RepoPath, TreeEntry | undefined>;
  /** Paths that are what they were at the prompt, wherever HEAD is. */
  readonly still: ReadonlySet<RepoPath>;
}

/** Where HEAD is now, and what commits of the turn itself took: each path with what the oldest of them found there. */
export interface NewHead {
  readonly head: string | undefined;
  readonly committed: ReadonlyMap<RepoPath, TreeEntry | undefined>;
}

const NOTHING: HeadMoved = { brought: new Map(), still: new Set() };

/**
 * Holds what HEAD has of paths against what it had at the prompt. Of commits that it lost, as by `git reset` or in the middle of a rebase,
 * nothing became the turn's: what they had made of a path is what was there. No process where HEAD is where it was.
 *
 * @param paths those that were found changed
 */
export function readHeadMoved(
  git: Git,
  begin: TurnBegin | undefined,
  { head, committed }: NewHead,
  paths: Iterable<RepoPath>,
): HeadMoved {
  if (!begin?.head || !head || head === begin.head) return NOTHING;
  const clean = [...paths].filter((path) => !begin.files.has(path));
  if (clean.length === 0) return NOTHING;
  const [was, now] = [readTree(git, begin.head, clean), readTree(git, head, clean)];
  if (!was || !now) return NOTHING;
  const moved = clean.filter((path) => !isSameEntry(was.get(path), now.get(path)));
  // A commit of the turn may stand on others', as behind `git pull --rebase`.
  const isOnOthers = (path: RepoPath) =>
    committed.has(path) && !isSameEntry(committed.get(path), was.get(path));
  const onOthers = clean.filter(isOnOthers);
  const isLost = openLost(git, begin.head, head, was, [...new Set([...moved, ...onOthers])]);
  const others = moved.filter((path) => !committed.has(path) && !isLost(path));
  // What differs from HEAD, which is at this path what it was, differs from that as well.
  const asked = [...moved, ...clean.filter((path) => committed.has(path))];
  const brought = new Map([
    ...others.map((path) => [path, now.get(path)] as const),
    ...onOthers.flatMap((path) => (isLost(path) ? [] : [[path, committed.get(path)] as const])),
  ]);
  return { brought, still: findStill(git, was, asked) };
}

/** Tells which paths commits had changed that HEAD does not have any more: all of them, where both have nothing in common. */
function openLost(
  git: Git,
  from: string,
  head: string,
  was: ReadonlyMap<string, TreeEntry>,
  paths: readonly RepoPath[],
): (path: RepoPath) => boolean {
  const base = paths.length === 0 ? undefined : findMergeBase(git, from, head);
  if (base === from) return () => false;
  const before = base && readTree(git, base, paths);
  return (path) => !before || !isSameEntry(before.get(path), was.get(path));
}

/** Which files are what a tree has, as git would add them: their names in git tell, after its filters. */
function findStill(
  git: Git,
  tree: ReadonlyMap<string, TreeEntry>,
  paths: readonly RepoPath[],
): Set<RepoPath> {
  const files: RepoPath[] = [];
  const still = new Set<RepoPath>();
  for (const path of new Set(paths)) {
    const [entry, stat] = [tree.get(path), lstatInWorktree(git.cwd, path)];
    if (!entry || !stat) continue;
    if (entry.mode === '120000' && stat.isSymbolicLink() && isLinkOf(join(git.cwd, path), entry.oid))
      still.add(path);
    const mode = (stat.mode & 0o111) === 0 ? '100644' : '100755';
    if (entry.mode === mode && stat.isFile() && stat.size <= MAX_BYTES) files.push(path);
  }
  const ids = hashQuietly(git, files);
  for (const [at, path] of files.entries()) if (ids[at] === tree.get(path)?.oid) still.add(path);
  return still;
}

/** A file that cannot be read must not keep the rest of the turn from its record. */
function hashQuietly(git: Git, files: readonly RepoPath[]): readonly ObjectId[] {
  try {
    return hashFiles(git, files, 'look');
  } catch (error) {
    log('warn', 'not held against the commit of the prompt', { error: describeError(error) });
    return [];
  }
}

const isLinkOf = (file: string, oid: ObjectId): boolean =>
  blobId(disk.readlinkSync(file, 'buffer'), oid) === oid;
