import { now } from '../base/clock.ts';
import { disk } from '../base/disk.ts';
import { EntireError } from '../base/errors.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { captureFile } from './blobs.ts';
import type { FileState } from './file-state.ts';

/** Where files are put back: a worktree, or any folder, and the store that has their contents. */
export interface Place {
  readonly store: string;
  /** Absolute and physical. */
  readonly root: string;
}

/** A command has no hook's limit: whatever is about to be replaced is kept first. */
export const captureAll = ({ store, root }: Place, path: RepoPath): FileState =>
  captureFile(root, path, { store, maxBytes: Number.MAX_SAFE_INTEGER, fsync: true });

/** What tells one moment of a file from another without reading it; empty where there is none. */
export function lookAt(file: string): string {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.mode}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}` : '';
}

/** Whether a file that looks like that has this size and time. */
export function isSizeAndTime(
  look: string,
  is: { readonly size: number; readonly mtimeMs: number },
): boolean {
  const [, , size, mtimeMs] = look.split(':');
  return size === String(is.size) && mtimeMs === String(is.mtimeMs);
}

/** What is done to many files, for those who wait. */
export type Progress = (what: string, done: number, of: number) => void;

export const nowUtc = (): string => now().toISOString();

export const unfinished = (): EntireError =>
  new EntireError('UNDO_UNFINISHED', 'a step back was interrupted before it was done.', {
    hint: 'Run `entire undo --continue` to finish it, or `entire undo --abort` to take it back.',
  });
