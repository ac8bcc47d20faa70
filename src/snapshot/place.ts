import { EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { captureFile, sessionStore } from './store/blobs.ts';
import { readBlobInPieces } from './store/chunks.ts';
import type { FileState } from './store/file-state.ts';

/** Where files are put back: a worktree, or any folder, and the store that has their contents. */
export interface Place {
  readonly store: string;
  /** Absolute and physical. */
  readonly root: string;
}

/** Where a session's files are, and what is kept of them. */
export const placeOf = (repo: Repo, id: SessionId): Place => ({
  root: repo.worktreeRoot,
  store: storeOf(repo, id),
});

/** Where what is kept of a session's files lies. */
export const storeOf = (
  { commonDir, worktreeId }: Pick<Repo, 'commonDir' | 'worktreeId'>,
  id: SessionId,
): string => sessionStore(commonDir, id, worktreeId);

/**
 * Looks at a path whose content is about to be replaced, and keeps it. A command has no hook's limit; and since soon nobody else has
 * the bytes, what lies in the store already, from a hook that a power cut may have followed, is read before it is relied on.
 *
 * @param fsync whether it is waited for; else whoever replaces the file waits for all of them at once
 * @throws the system error
 */
export function captureAll({ store, root }: Place, path: RepoPath, fsync = true): FileState {
  const isSound = (sha256: string): boolean => isReadable(store, sha256);
  return captureFile(root, path, { store, maxBytes: Number.MAX_SAFE_INTEGER, fsync, isSound });
}

function isReadable(store: string, sha256: string): boolean {
  try {
    for (const _ of readBlobInPieces(store, sha256));
    return true;
  } catch {
    return false;
  }
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

export const unfinished = (): EntireError =>
  new EntireError('UNDO_UNFINISHED', 'an undo, redo or rewind was interrupted before it was done.', {
    hint: 'Run `entire undo --continue` to finish it, or `entire undo --abort` to roll it back.',
  });
