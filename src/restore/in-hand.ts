import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readTree } from '../git/objects.ts';
import { readDirty } from '../git/status.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { trackAgain } from '../session/tracking-file.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { type FileState, isSameState } from '../snapshot/file-state.ts';
import { readHistory } from '../snapshot/history.ts';
import {
  listRecordIds,
  partsOf,
  readRecordIfSound,
  type SnapshotRecord,
  writeRecord,
} from '../snapshot/record.ts';
import { saveState, type Work } from '../strategy/work.ts';
import { findStagedWork } from './staged-work.ts';

/**
 * What a session has in hand for a commit follows what a step back made of its files: what came back is its work again, and a file that is
 * as HEAD has it holds none. Only under the session's lock.
 *
 * @param steps what was taken back, or done again
 * @param record what was done
 * @param isPart only some files of the steps were asked for
 */
export function settleInHand(
  work: Work,
  id: SessionId,
  steps: readonly SnapshotRecord[],
  record: SnapshotRecord,
  isPart: boolean,
): void {
  const { kind, files } = record;
  const changed = [...files.keys()];
  if (changed.length === 0) return;
  const { repo, sessions } = work;
  const state = readStateIfReadable(sessions, id);
  const isVisitor = state !== undefined && state.worktreeId !== repo.worktreeId;
  const inHand = new Set(isVisitor ? [] : state?.filesTouched);
  const isIn = (path: RepoPath, some: readonly SnapshotRecord[]) => some.some((step) => step.files.has(path));
  // Whole rewinds keep and bring back on their own what their session had in hand.
  const rewinds = isPart ? steps.filter((step) => step.kind === 'rewind') : [];
  // A commit that was made meanwhile may have taken it from the session's hands.
  const turns = kind === 'redo' ? steps.filter(({ effects }) => effects.length === 0) : [];
  const whole = isPart ? [] : steps.filter(({ effects }) => effects.length > 0);
  const parts = steps.filter((step) => !whole.includes(step));
  const store = sessionStore(repo.commonDir, id, repo.worktreeId);
  const records =
    kind === 'undo' ? listRecordIds(store).flatMap((one) => readRecordIfSound(store, one) ?? []) : [];
  const isOwn = (path: RepoPath): boolean => isLeftByTurn(records, path, files.get(path)?.after);
  const wasOwn = changed.filter((path) => isIn(path, parts) && isOwn(path));
  const isHeld = state !== undefined && !isVisitor && changed.some((path) => inHand.has(path));
  const redone = changed.filter((path) => isIn(path, turns) && !inHand.has(path));
  const open = new Set(wasOwn.length + redone.length > 0 || isHeld ? findOpen(work, changed) : []);
  // What HEAD has counts by its name; a new file by what the last step has of it, and that is not this.
  const known = readTree(work.git, 'HEAD', wasOwn) ?? new Map();
  const staged = kind === 'undo' ? findStagedWork(work.git, store, files) : [];
  const again = [
    ...wasOwn.filter((path) => open.has(path) && (!inHand.has(path) || !known.has(path))),
    ...staged.filter((path) => !inHand.has(path)),
  ];
  if (again.length > 0) writeRecord(store, { ...record, again });
  const back = [
    ...changed.filter((path) => isIn(path, rewinds)),
    ...redone.filter((path) => open.has(path)), // not what a commit has as it is again
  ];
  // What an older turn made, and a later one replaced, is as good as made again.
  trackAgain(sessions, id, [...back, ...again], isVisitor ? repo.worktreeId : undefined);
  if (!isHeld) return;
  const isLeft = (path: RepoPath): boolean => isIn(path, parts) || !isIn(path, whole);
  // What differs from HEAD still, and no turn that stands has written, is what the user had there before.
  const { standing } = readHistory(records);
  const isStanding = (path: RepoPath): boolean =>
    kind !== 'undo' ||
    staged.includes(path) ||
    standing.some(({ paths, left }) => paths.has(path) || left.has(path));
  const gone = new Set(changed.filter((path) => !(open.has(path) && isStanding(path)) && isLeft(path)));
  if (gone.size === 0) return;
  saveState(work, { ...state, filesTouched: state.filesTouched.filter((path) => !gone.has(path)) });
}

/** Whether a turn of the session left a file like that: what a way back leads to is its work then, too. */
const isLeftByTurn = (
  records: readonly SnapshotRecord[],
  path: RepoPath,
  state: FileState | undefined,
): boolean =>
  records.some(({ kind, files }) => {
    const change = kind === 'turn' ? files.get(path) : undefined;
    return change && state && partsOf(change).some(({ after }) => isSameState(after, state));
  });

/** The next step of a session holds these files; not those that a commit, made meanwhile, has as they are. */
export const trackOpen = (work: Work, id: SessionId, files: readonly RepoPath[]): void =>
  trackAgain(work.sessions, id, findOpen(work, files));

/** Files that differ from HEAD. */
function findOpen(work: Work, files: readonly RepoPath[]): readonly RepoPath[] {
  if (files.length === 0) return files;
  try {
    const dirty = readDirty(work.git, files);
    return files.filter((path) => dirty.has(path));
  } catch (error) {
    log('warn', 'files are taken for changed', { error: describeError(error) });
    return files; // rather one too many
  }
}
