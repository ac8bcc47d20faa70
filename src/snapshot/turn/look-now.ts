import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import type { Place } from '../place.ts';
import { captureFile } from '../store/blobs.ts';
import type { FileState } from '../store/file-state.ts';
import type { BeginState } from './turn-begin.ts';

/** Files larger than this are not kept by a hook; undo takes them from git where it has them. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** What is at a path, kept; `undefined` for what cannot be read. */
export function readNow(
  { store, root }: Place,
  path: RepoPath,
  maxBytes: number = MAX_BYTES,
): FileState | undefined {
  try {
    return captureFile(root, path, { store, maxBytes });
  } catch (error) {
    log('warn', 'file not kept for undo', { path, error: describeError(error) });
    return undefined;
  }
}

/**
 * What a turn that comes next begins with, where nobody writes the path until then.
 *
 * @param look the fingerprint from before the path was read: one that changed meanwhile is read again
 */
export const asSeen = (state: FileState, look = ''): BeginState => ({
  fingerprint: state.kind === 'unkept' ? '' : look, // the next prompt tries again
  state,
});

/** {@link readNow}, as {@link asSeen}. */
export function lookNow(place: Place, path: RepoPath): BeginState {
  const look = fingerprints(place.root, [path]).get(path);
  const state = readNow(place, path);
  return state ? asSeen(state, look) : { fingerprint: '', state: undefined };
}
