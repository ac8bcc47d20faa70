import { join } from 'node:path';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import { foldersOf, type RepoPath } from '../../base/repo-path.ts';
import type { FileState } from '../store/file-state.ts';

/**
 * Where a file became a folder, or a folder a file, what stands there now has to go before what was there can come back.
 */

/** Whether there is no file at a path because a folder is there, or because its way leads through something that is none. */
export function isInPlaceOfFile(root: string, path: string): boolean {
  const stat = lstatInWorktree(root, path);
  return stat ? stat.isDirectory() : true;
}

/**
 * Whether a path of which {@link isInPlaceOfFile} is true is free once other paths are removed: all that is in the folder, or what
 * stands on its way.
 *
 * @param isRemoved whether a path is about to be removed
 */
export function isClearedBy(root: string, path: string, isRemoved: (path: RepoPath) => boolean): boolean {
  if (lstatInWorktree(root, path)) return isEmptiedBy(root, path, isRemoved);
  const above = foldersOf(path).find((folder) => !lstatInWorktree(root, folder)?.isDirectory());
  return above !== undefined && isRemoved(above);
}

/** Ends at the first file that stays: a large folder is not walked through. */
function isEmptiedBy(root: string, path: string, isRemoved: (path: RepoPath) => boolean): boolean {
  const names = disk.readdirSync(join(root, path));
  return (
    names.length > 0 && // a folder without files goes with nothing
    names.every((name) => {
      const inner = `${path}/${name}`;
      const isFolder = lstatInWorktree(root, inner)?.isDirectory() === true;
      return isFolder ? isEmptiedBy(root, inner, isRemoved) : isRemoved(inner as RepoPath);
    })
  );
}

/** What is to become of a path. */
export interface Target {
  readonly path: RepoPath;
  readonly to: FileState;
  /** Something else is to stand in its place: it is gone once that does. */
  readonly makesWay: boolean;
}

/** In which order paths are replaced: what goes makes way for what comes. */
export function inOrder(targets: Iterable<readonly [RepoPath, FileState]>): Target[] {
  const all = [...targets];
  const made = new Set<string>(all.flatMap(([path, to]) => (to.kind === 'missing' ? [] : [path])));
  const above = new Set<string>([...made].flatMap(foldersOf));
  const makesWay = (path: string) => above.has(path) || foldersOf(path).some((folder) => made.has(folder));
  const removed = all.filter(([, to]) => to.kind === 'missing');
  return [...removed, ...all.filter(([, to]) => to.kind !== 'missing')].map(([path, to]) => ({
    path,
    to,
    makesWay: to.kind === 'missing' && makesWay(path),
  }));
}
