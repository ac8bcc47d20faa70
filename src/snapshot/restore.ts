import { join } from 'node:path';
import { describeError, EntireError } from '../base/errors.ts';
import { disk, lookAt, openToRead } from '../base/file/disk.ts';
import { spareMemory } from '../base/memory.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Git } from '../git/run.ts';
import { applyOperation, type Conclude } from './operation.ts';
import { captureAll, type Place, type Progress } from './place.ts';
import { listRecordIds, newRecord, newRecordId } from './record/record.ts';
import type { ChangePart, PathChange, SnapshotRecord } from './record/snapshot-record.ts';
import { canRun, type FileState, isSameState, withRunBit } from './store/file-state.ts';
import { resolveGitStates } from './undo/resolve.ts';

/** What a path is to become. */
export interface RestoreTarget {
  readonly path: RepoPath;
  readonly to: FileState;
  /** What it is in between: whoever goes back to that on their own gets from there to what it was before. */
  readonly via?: FileState;
}

/** Which paths are to become what, whatever they are now. */
export interface Restore extends Pick<SnapshotRecord, 'kind' | 'turnId' | 'subject' | 'effects'> {
  readonly targets: readonly RestoreTarget[];
  readonly conclude?: Conclude;
  readonly onProgress?: Progress;
}

/**
 * Brings paths to a state; what they are now is kept first, so that `entire undo` brings it back. Paths that have the state
 * already are not touched. Only under the session's lock.
 *
 * @param git where states of kind `git` come from
 * @returns the record of what was done, and what was left
 * @throws as {@link applyOperation}; `WRITE_FAILED` when what is there could not be kept: nothing was changed then
 */
export function restorePaths(place: Place, git: Git, restore: Restore): SnapshotRecord {
  const { targets, kind, turnId, subject, effects, conclude, onProgress } = restore;
  const resolve = resolveGitStates(
    place.store,
    git,
    targets.flatMap(({ path, to, via }) =>
      [to, ...(via ? [via] : [])].map((state) => [path, state] as const),
    ),
  );
  const files = new Map<RepoPath, PathChange>();
  const left = new Map<RepoPath, string>();
  const already: RepoPath[] = [];
  const looks = new Map<RepoPath, string>();
  for (const [at, { path, to, via }] of targets.entries()) {
    onProgress?.('Keeping', at, targets.length);
    spareMemory(at);
    looks.set(path, lookAt(join(place.root, path)));
    const before = keepCurrent(place, path);
    const after = resolve(path, to);
    if (typeof before === 'string') left.set(path, before);
    else if (typeof after === 'string') left.set(path, after);
    else {
      const why = whyNot(before, after);
      if (why !== undefined) left.set(path, why);
      else if (isSameState(before, after)) already.push(path);
      else {
        const between = via && resolve(path, via);
        const states = [before, typeof between === 'string' ? undefined : between, aim(before, to, after)];
        files.set(path, { before, after: aim(before, to, after), ...inParts(states), source: 'tool' });
      }
    }
  }
  const id = newRecordId(listRecordIds(place.store).at(-1));
  const record = newRecord({ id, kind, turnId, subject, effects, files, left, already });
  const options = { record, looks, ...(conclude && { conclude }), ...(onProgress && { onProgress }) };
  return applyOperation(place, options);
}

/** A change as several, where a path is something else in between. */
function inParts(states: readonly (FileState | undefined)[]): Pick<PathChange, 'parts'> {
  const known = states.filter((state) => state !== undefined);
  const parts = known.slice(1).flatMap((after, at): ChangePart[] => {
    const before = known[at] as FileState;
    return isSameState(before, after) ? [] : [{ before, after, isDoubtful: false }];
  });
  return parts.length > 1 ? { parts } : {};
}

/**
 * What is at a path, kept; an operation waits until it is on the disk. A file that cannot be read is none that could be replaced.
 *
 * @returns why it cannot be read, as text
 * @throws {EntireError} `WRITE_FAILED` when it could not be kept: nothing may be changed then
 */
export function keepCurrent(place: Place, path: RepoPath): FileState | string {
  try {
    return captureAll(place, path, false);
  } catch (cause) {
    const why = whyUnreadable(join(place.root, path));
    if (why !== undefined) return why;
    const message = `${path} could not be kept, so nothing was changed: ${(cause as Error).message}`;
    throw new EntireError('WRITE_FAILED', message, {
      cause,
      hint: 'Make room on the disk, and run the command again.',
    });
  }
}

function whyUnreadable(file: string): string | undefined {
  try {
    disk.closeSync(openToRead(file));
    return undefined;
  } catch (error) {
    return `it cannot be read: ${describeError(error)}`;
  }
}

/** Why nothing is put at a path whose state is `other`. */
export const NO_FILE = 'there is a folder now, or a link or a file stands in its way';

/** Why a path cannot be replaced; `undefined` when it can. */
export function whyNot(current: FileState, to: FileState): string | undefined {
  if (current.kind === 'other') return NO_FILE;
  if (to.kind === 'file' || to.kind === 'link' || to.kind === 'missing') return undefined;
  return 'its content was not kept';
}

const aim = (before: FileState, asked: FileState, to: FileState): FileState =>
  asked.kind === 'git' ? withModeOf(before, to) : to;

/** Of a mode known only by whether the file can be run, the other bits are those that the file has. */
export function withModeOf(current: FileState, to: FileState): FileState {
  if (current.kind !== 'file' || to.kind !== 'file') return to;
  if (canRun(current) === canRun(to)) return { ...to, mode: current.mode };
  return { ...to, mode: withRunBit(current.mode, canRun(to)) };
}
