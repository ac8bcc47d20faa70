import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { type PathChange, readStaged } from '../git/commit/commits.ts';
import { readTree } from '../git/object/objects.ts';
import { readDirty } from '../git/worktree/status.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { trackAgain } from '../session/tracking-file.ts';
import { storeOf } from '../snapshot/place.ts';
import { hasRecord, readRecordIfSound, writeRecord } from '../snapshot/record/record.ts';
import type { SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { captureFile } from '../snapshot/store/blobs.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { type KeptWork, MAX_FILES, openKeptWork } from '../strategy/kept-work.ts';
import { readStashed } from '../strategy/out-of-sight.ts';
import { MAX_BYTES, openVersions } from '../strategy/versions.ts';
import { saveState, type Work } from '../strategy/work.ts';
import { isNoteOf, othersOf, parseMore } from './rewind/note.ts';
import { readRecords } from './rewind/records.ts';

/**
 * What sessions have in hand for a commit follows what a step back made of their files: a file is a session's work where it differs from
 * HEAD, in the worktree or in the index, and holds something that one of its turns made of it. Only under the locks of the session and of
 * those {@link alsoConcerned}.
 *
 * @param steps what was taken back, or done again, as it is on record
 * @param record what was done, or what of it was aborted: then its files say what they are again
 */
export function settleInHand(
  work: Work,
  id: SessionId,
  steps: readonly SnapshotRecord[],
  record: SnapshotRecord,
  isAborted = false,
): void {
  // Rewinds that are taken back as a whole bring back what sessions had in hand on their own.
  const isWhole = (step: SnapshotRecord): boolean => record.effects.length > 0 && step.effects.length > 0;
  const whole = new Set(steps.filter(isWhole).flatMap(({ files }) => [...files.keys()]));
  const parts = steps.filter((step) => !isWhole(step));
  const isSettled = (path: RepoPath): boolean =>
    parts.some(({ files }) => files.has(path)) || !whole.has(path);
  const changed = [...record.files.keys(), ...record.already].filter(isSettled);
  if (changed.length === 0) return;
  const open = new Set(findOpen(work, changed));
  const shares = parts.flatMap((step) => sharesIn(work, id, step));
  const theirs = new Set(shares.flatMap(({ files, own }) => [...files].filter((path) => !own.has(path))));
  const own = new Set(changed.filter((path) => !theirs.has(path)));
  // Turns that are done again are the session's own work, all of them; a rewind that is done again is the contrary, and so is a redo that
  // is aborted: that leaves what an undo did.
  const isAllOwn = record.kind === 'redo' && !isAborted && isOfTurns(work, id, steps);
  // An undo that is aborted leaves turns, and may have taken them out of the session's hands.
  const isOwnUntold = record.kind === 'undo' && isAborted && isOfTurns(work, id, [record]);
  const judge = openJudge(work, id, record, isAllOwn ? [] : [...open]);
  const stashed = new Set(findStashed(work, record, open));
  settleOne(work, id, {
    paths: own,
    open,
    stashed,
    judge: isAllOwn ? undefined : judge,
    isOwnUntold,
    record,
  });
  for (const { sessionId, files, noted } of shares)
    settleOne(work, sessionId, {
      paths: new Set(changed.filter((path) => files.has(path))),
      open,
      stashed: new Set(),
      judge,
      isOwnUntold: false,
      record: noted(),
    });
}

/** Files that were already what they were to become, and of which a stash has something else. */
function findStashed(
  { git }: Work,
  { already }: SnapshotRecord,
  open: ReadonlySet<RepoPath>,
): Iterable<RepoPath> {
  const hidden = already.filter((path) => !open.has(path));
  try {
    return readStashed(git, hidden, 0).keys();
  } catch (error) {
    log('warn', 'stashes not looked into', { error: describeError(error) });
    return [];
  }
}

/** Whether undos took back turns alone. */
function isOfTurns({ repo }: Work, id: SessionId, undos: readonly SnapshotRecord[]): boolean {
  const store = storeOf(repo, id);
  const steps = undos.flatMap(({ of }) => of.map((one) => readRecordIfSound(store, one)?.kind));
  return steps.length > 0 && steps.every((kind) => kind === 'turn');
}

/** Sessions beside its own of which a rewind, some files of which are taken back or brought back, took something along. */
const sharersOf = (work: Work, id: SessionId, steps: readonly SnapshotRecord[]): SessionId[] =>
  sortedUnique(steps.flatMap((step) => sharesIn(work, id, step).map(({ sessionId }) => sessionId)));

/** Sessions that change along with these steps of another one: they went back in a rewind of it. */
export function alsoConcerned(work: Work, steps: readonly SnapshotRecord[], id: SessionId): SessionId[] {
  const ids = new Set([...steps.flatMap(({ effects }) => othersOf(effects)), ...sharersOf(work, id, steps)]);
  ids.delete(id);
  return [...ids].sort();
}

interface Share {
  readonly sessionId: SessionId;
  readonly files: ReadonlySet<RepoPath>;
  /** What the session that went back had itself. */
  readonly own: ReadonlySet<RepoPath>;
  /** The record of the session that says what of it was taken back. */
  readonly noted: () => SnapshotRecord | undefined;
}

/** @param step a rewind, or an undo of one */
function sharesIn({ repo }: Work, id: SessionId, step: SnapshotRecord): Share[] {
  const behind =
    step.kind === 'undo' ? step.of.flatMap((one) => readRecordIfSound(storeOf(repo, id), one) ?? []) : [];
  return [step, ...behind]
    .flatMap(({ effects }) => effects.flatMap(({ note }) => parseMore(note) ?? []))
    .flatMap((more) =>
      more.others.map((other) => ({
        sessionId: other.sessionId,
        files: new Set(other.files),
        own: new Set(more.files),
        noted: () => readRecords(storeOf(repo, other.sessionId)).findLast(isNoteOf(more.sessionId, other)),
      })),
    );
}

/** Files of a session, and what is known of them after a step back. */
interface Settling {
  readonly paths: ReadonlySet<RepoPath>;
  /** Those that differ from HEAD. */
  readonly open: ReadonlySet<RepoPath>;
  /** Those as HEAD has them of which a stash has something: what the session had in hand may come out of there, and a commit looks at its lines. */
  readonly stashed: ReadonlySet<RepoPath>;
  /** `undefined`: all of them are its work. */
  readonly judge: Judge | undefined;
  /** Those of which it cannot be told are; else what it had in hand. */
  readonly isOwnUntold: boolean;
  /** The last record of the session: it says of what names are its work, where it has no state here; of what was aborted there is none. */
  readonly record: SnapshotRecord | undefined;
}

function settleOne(
  work: Work,
  id: SessionId,
  { paths, open, stashed, judge, isOwnUntold, record }: Settling,
): void {
  if (paths.size === 0) return;
  const { repo, sessions } = work;
  const state = readStateIfReadable(sessions, id);
  const isHere = state?.worktreeId === repo.worktreeId;
  const touched = new Set(isHere ? state.filesTouched : []);
  const asked = [...paths].filter((path) => open.has(path));
  const session = { sessionId: id, checkpointCount: isHere ? state.checkpointCount : 0 };
  const kept = openKeptWork(work, session, judge ? asked : []);
  // Where that cannot be told, what a session had in hand stays there, or is there again.
  const isHeld = (path: RepoPath): boolean =>
    !judge ||
    (judge.isWork(kept, path) ?? (isOwnUntold || touched.has(path))) ||
    (touched.has(path) && judge.waits(kept, path));
  const isWaiting = (path: RepoPath): boolean => stashed.has(path) && touched.has(path);
  const held = [...asked.filter(isHeld), ...[...paths].filter(isWaiting)];
  if (isHere) {
    const next = sortedUnique([...[...touched].filter((path) => !paths.has(path)), ...held]);
    if (next.length !== touched.size || next.some((path) => !touched.has(path)))
      saveState(work, { ...state, filesTouched: next });
    return;
  }
  const store = storeOf(repo, id);
  if (record?.kind === 'undo' && hasRecord(store, record.id)) {
    const others = (record.again ?? []).filter((path) => !paths.has(path));
    const again = sortedUnique([...others, ...held]);
    if (again.length > 0 || record.again) writeRecord(store, { ...record, again }, { fsync: true });
  }
  trackAgain(sessions, id, held, state ? repo.worktreeId : undefined);
}

/** Holds what a step back made of files, and what the index has of them, against HEAD. */
interface Judge {
  isWork(kept: KeptWork, path: RepoPath): boolean | undefined;
  waits(kept: KeptWork, path: RepoPath): boolean;
}

/** @param id whose store has the contents that the step back made @param paths that may be asked for */
function openJudge(
  { git, repo }: Work,
  id: SessionId,
  { files }: SnapshotRecord,
  paths: readonly RepoPath[],
): Judge {
  const asked = paths.length > MAX_FILES ? [] : paths;
  const staged = asked.length > 0 ? readStaged(git) : new Map<RepoPath, PathChange>();
  const same = asked.filter((path) => !staged.has(path));
  const tree = same.length > 0 ? readTree(git, 'HEAD', same) : undefined;
  const inHead = (path: RepoPath) => (staged.has(path) ? staged.get(path)?.before : tree?.get(path));
  const store = storeOf(repo, id);
  const isThere = new Map(
    asked.map((path) => [path, files.get(path)?.after ?? lookAgain(store, repo, path)]),
  );
  const states = [...isThere.values()];
  const entries = asked.flatMap((path) => [inHead(path), staged.get(path)?.after]);
  const versions = openVersions(git, store, states, entries);
  const isAsked = new Set(asked);
  return {
    isWork({ holds, isUndone }, path) {
      if (!isAsked.has(path)) return undefined;
      const head = versions.ofEntry(inHead(path));
      const there = holds(path, versions.ofState(isThere.get(path)), head);
      // What cannot be compared holds nothing of turns that were taken back: undo leaves a file where it would.
      if (!staged.has(path)) return there ?? (isUndone(path) ? false : undefined);
      if (there) return there;
      return holds(path, versions.ofEntry(staged.get(path)?.after), head) || there;
    },
    waits: ({ waits }, path) => isAsked.has(path) && waits(path, versions.ofEntry(inHead(path))),
  };
}

/** A file that was already what it was to become. */
function lookAgain(store: string, { worktreeRoot }: Work['repo'], path: RepoPath): FileState | undefined {
  try {
    return captureFile(worktreeRoot, path, { store, maxBytes: MAX_BYTES });
  } catch {
    return undefined;
  }
}

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
