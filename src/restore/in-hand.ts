import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { readShadowBranch, readShadowTree } from '../checkpoint/shadow-branch.ts';
import { blobId, readTree, type TreeEntry } from '../git/objects.ts';
import { readDirty } from '../git/status.ts';
import type { SessionState } from '../session/state.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { trackAgain } from '../session/tracking-file.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { readBlob } from '../snapshot/chunks.ts';
import { type FileState, isSameState } from '../snapshot/file-state.ts';
import { readHistory } from '../snapshot/history.ts';
import { partsOf, type SnapshotRecord, writeRecord } from '../snapshot/record.ts';
import { hasRecordsOf } from '../snapshot/step-marks.ts';
import { saveState, type Work } from '../strategy/work.ts';
import { isNoteOf, parseMore } from './rewind-note.ts';
import { readRecords } from './rewind-records.ts';
import { findStagedWork } from './staged-work.ts';

/**
 * What a session has in hand for a commit follows what a step back made of its files: what came back is its work again, and a file that is
 * as HEAD has it holds none. Only under the session's lock.
 *
 * @param steps what was taken back, or done again, as it is on record
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
  const store = sessionStore(work.repo.commonDir, id, work.repo.worktreeId);
  // Rewinds that are taken back as a whole keep, and bring back, what sessions had in hand on their own.
  const isWhole = (step: SnapshotRecord): boolean => !isPart && step.effects.length > 0;
  const parts = steps.filter((step) => !isWhole(step));
  const theirs = isPart ? giveOthersTheirs(work, parts, files) : new Set<RepoPath>();
  const changed = [...files.keys()].filter((path) => !theirs.has(path));
  if (changed.length === 0) return;
  const { repo, sessions } = work;
  const state = readStateIfReadable(sessions, id);
  const isVisitor = state !== undefined && state.worktreeId !== repo.worktreeId;
  const inHand = new Set(isVisitor ? [] : state?.filesTouched);
  const isIn = (path: RepoPath, some: readonly SnapshotRecord[]) => some.some((step) => step.files.has(path));
  const records = kind === 'undo' ? readRecords(store) : [];
  const wasOwn = changed.filter(
    (path) => isIn(path, parts) && isLeftByTurn(records, path, files.get(path)?.after),
  );
  const isHeld = state !== undefined && !isVisitor && changed.some((path) => inHand.has(path));
  // A commit that was made meanwhile may have taken it from the session's hands.
  const turns = kind === 'redo' ? parts.filter((step) => step.effects.length === 0) : [];
  const redone = changed.filter((path) => isIn(path, turns) && !inHand.has(path));
  const open = new Set(wasOwn.length + redone.length > 0 || isHeld ? findOpen(work, changed) : []);
  // What HEAD has counts by its name; a new file by what the last step has of it, and that is not this.
  const known = readTree(work.git, 'HEAD', wasOwn) ?? new Map();
  const staged = kind === 'undo' ? findStagedWork(work.git, store, files) : [];
  const again = [
    ...wasOwn.filter((path) => open.has(path) && (!inHand.has(path) || !known.has(path))),
    ...staged.filter((path) => !inHand.has(path) && !theirs.has(path)),
  ];
  // What an older turn made, and a later one replaced, is as good as made again.
  if (again.length > 0) writeRecord(store, { ...record, again }, { fsync: true });
  const rewinds = isPart ? parts.filter((step) => step.kind === 'rewind') : [];
  const redoneOpen = redone.filter((path) => open.has(path)); // not what a commit has as it is again
  const saved = new Set(state && !isVisitor ? findSaved(work, store, state, redoneOpen, files) : []);
  const back = [
    ...changed.filter((path) => isIn(path, rewinds)),
    ...redoneOpen.filter((path) => !saved.has(path)),
  ];
  trackAgain(sessions, id, [...back, ...again], isVisitor ? repo.worktreeId : undefined);
  if (!state || (!isHeld && saved.size === 0)) return;
  const isStanding = kind === 'undo' ? standingWork(work, store, state, records, changed) : () => true;
  const isKept = (path: RepoPath): boolean => open.has(path) && (staged.includes(path) || isStanding(path));
  const isLeft = (path: RepoPath): boolean => isIn(path, parts) || !isIn(path, steps.filter(isWhole));
  const gone = new Set(changed.filter((path) => !isKept(path) && isLeft(path)));
  if (gone.size + saved.size === 0) return;
  const kept = state.filesTouched.filter((path) => !gone.has(path));
  saveState(work, { ...state, filesTouched: sortedUnique([...kept, ...saved]) });
}

/** Files that came back as the last step has them: that says what of them is the session's, and not their names. */
function findSaved(
  { git }: Work,
  store: string,
  { baseCommit, worktreeId, checkpointCount }: SessionState,
  paths: readonly RepoPath[],
  files: SnapshotRecord['files'],
): RepoPath[] {
  if (paths.length === 0 || checkpointCount === 0 || baseCommit === '') return [];
  const entries = readShadowTree(git, readShadowBranch(git, baseCommit, worktreeId), paths);
  return paths.filter((path) => isEntry(store, entries.get(path), files.get(path)?.after));
}

/**
 * Files of other sessions that went back along in a rewind of which some files are undone: they are their work again. Only under the locks
 * of those sessions.
 */
function giveOthersTheirs(
  { repo, sessions }: Work,
  steps: readonly SnapshotRecord[],
  files: SnapshotRecord['files'],
): Set<RepoPath> {
  const given = new Set<RepoPath>();
  for (const more of steps.flatMap(({ effects }) => effects.flatMap(({ note }) => parseMore(note) ?? []))) {
    const own = new Set(more.files);
    for (const other of more.others) {
      const theirs = other.files.filter((path) => files.has(path));
      for (const path of theirs) if (!own.has(path)) given.add(path);
      const store = sessionStore(repo.commonDir, other.sessionId, repo.worktreeId);
      const noted = theirs.length > 0 ? readRecords(store).find(isNoteOf(more.sessionId, other)) : undefined;
      if (!noted) continue;
      writeRecord(
        store,
        { ...noted, again: sortedUnique([...(noted.again ?? []), ...theirs]) },
        { fsync: true },
      );
      trackAgain(sessions, other.sessionId, theirs);
    }
  }
  return given;
}

/**
 * Tells of a file that differs from HEAD whether a turn that stands has written it, and no commit has it as that turn left it: else it is
 * what the user had there before. Where turns are without a record nobody can tell, and it is taken for the session's.
 */
function standingWork(
  { git }: Work,
  store: string,
  { checkpointCount }: SessionState,
  records: readonly SnapshotRecord[],
  paths: readonly RepoPath[],
): (path: RepoPath) => boolean {
  if (!hasRecordsOf(store, checkpointCount, new Set(records.map(({ id }) => id)))) return () => true;
  const { standing } = readHistory(records);
  const head = readTree(git, 'HEAD', paths) ?? new Map<string, TreeEntry>();
  return (path) =>
    standing.some(
      (step) =>
        step.left.has(path) ||
        (step.paths.has(path) && !isEntry(store, head.get(path), step.record.files.get(path)?.after)),
    );
}

/** Larger files are not read for it. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Whether git has a file with that content, as far as it can be told without git's filters. */
function isEntry(store: string, entry: TreeEntry | undefined, state: FileState | undefined): boolean {
  if (!entry || !state) return false;
  if (state.kind === 'git') return entry.oid === state.oid;
  if (state.kind !== 'file' || state.size > MAX_BYTES) return false;
  return blobId(readBlob(store, state.sha256), entry.oid) === entry.oid;
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
