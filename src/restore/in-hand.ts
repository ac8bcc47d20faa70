import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { readObjects } from '../git/objects.ts';
import { readDirty } from '../git/status.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { trackAgain } from '../session/tracking-file.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { readRecordIfSound, type SnapshotRecord, writeRecord } from '../snapshot/record.ts';
import { type KeptWork, openKeptWork, openLines, toLines } from '../strategy/kept-work.ts';
import { saveState, type Work } from '../strategy/work.ts';
import { isNoteOf, parseMore } from './rewind-note.ts';
import { readRecords } from './rewind-records.ts';

/**
 * What sessions have in hand for a commit follows what a step back made of their files: a file is a session's work where it differs from
 * HEAD, in the worktree or in the index, and holds something that one of its turns made of it. Only under the locks of the session and of
 * {@link sharersOf} the steps.
 *
 * @param steps what was taken back, or done again, as it is on record
 * @param record what was done
 */
export function settleInHand(
  work: Work,
  id: SessionId,
  steps: readonly SnapshotRecord[],
  record: SnapshotRecord,
): void {
  // Rewinds that are taken back as a whole bring back what sessions had in hand on their own.
  const isWhole = (step: SnapshotRecord): boolean => record.effects.length > 0 && step.effects.length > 0;
  const whole = new Set(steps.filter(isWhole).flatMap(({ files }) => [...files.keys()]));
  const parts = steps.filter((step) => !isWhole(step));
  const isSettled = (path: RepoPath): boolean =>
    parts.some(({ files }) => files.has(path)) || !whole.has(path);
  const changed = [...record.files.keys()].filter(isSettled);
  if (changed.length === 0) return;
  const shares = parts.flatMap((step) => sharesIn(work, id, step));
  const theirs = new Set(shares.flatMap(({ files, own }) => files.filter((path) => !own.has(path))));
  const common = {
    open: new Set(findOpen(work, changed)),
    isRedo: record.kind === 'redo',
    ...openJudge(work, sessionStore(work.repo.commonDir, id, work.repo.worktreeId), record, changed),
  };
  const settle = (
    one: SessionId,
    paths: readonly RepoPath[],
    noted: () => SnapshotRecord | undefined,
  ): void =>
    settleOne(work, one, {
      ...common,
      paths,
      note: (held) => noteAgain(work, one, noted(), { paths }, held),
    });
  const own = changed.filter((path) => !theirs.has(path));
  settle(id, own, () => record);
  for (const { sessionId, files, noted } of shares)
    settle(
      sessionId,
      changed.filter((path) => files.includes(path)),
      noted,
    );
}

/** Sessions beside its own of which a rewind, some files of which are taken back or brought back, took something along. */
export const sharersOf = (work: Work, id: SessionId, steps: readonly SnapshotRecord[]): SessionId[] =>
  sortedUnique(steps.flatMap((step) => sharesIn(work, id, step).map(({ sessionId }) => sessionId)));

interface Share {
  readonly sessionId: SessionId;
  readonly files: readonly RepoPath[];
  /** What the session that went back had itself. */
  readonly own: ReadonlySet<RepoPath>;
  /** The record of the session that says what of it was taken back. */
  readonly noted: () => SnapshotRecord | undefined;
}

/** @param step a rewind, or an undo of one */
function sharesIn({ repo }: Work, id: SessionId, step: SnapshotRecord): Share[] {
  const storeOf = (one: SessionId): string => sessionStore(repo.commonDir, one, repo.worktreeId);
  const behind =
    step.kind === 'undo' ? step.of.flatMap((one) => readRecordIfSound(storeOf(id), one) ?? []) : [];
  return [step, ...behind]
    .flatMap(({ effects }) => effects.flatMap(({ note }) => parseMore(note) ?? []))
    .flatMap((more) =>
      more.others.map((other) => ({
        sessionId: other.sessionId,
        files: other.files,
        own: new Set(more.files),
        noted: () => readRecords(storeOf(other.sessionId)).findLast(isNoteOf(more.sessionId, other)),
      })),
    );
}

/** A session and files of it, and what is known of them after a step back. */
interface Settling {
  readonly paths: readonly RepoPath[];
  /** Those that differ from HEAD. */
  readonly open: ReadonlySet<RepoPath>;
  readonly isRedo: boolean;
  readonly isWork: (kept: KeptWork, path: RepoPath) => boolean | undefined;
  readonly waits: (kept: KeptWork, path: RepoPath) => boolean;
  /** Told which files are the work of a session that has no state here to say so. */
  readonly note: (held: readonly RepoPath[]) => void;
}

function settleOne(work: Work, id: SessionId, { paths, open, isRedo, isWork, waits, note }: Settling): void {
  if (paths.length === 0) return;
  const { repo, sessions } = work;
  const state = readStateIfReadable(sessions, id);
  const isHere = state?.worktreeId === repo.worktreeId;
  const touched = isHere ? state.filesTouched : [];
  const kept = openKeptWork(work, { sessionId: id, checkpointCount: isHere ? state.checkpointCount : 0 });
  const isHeld = (path: RepoPath): boolean => {
    if (!open.has(path)) return false;
    const isTouched = touched.includes(path);
    // Where that cannot be told, what a session had in hand stays there, and what is done again is its work.
    return (isWork(kept, path) ?? (isRedo || isTouched)) || (isTouched && waits(kept, path));
  };
  const held = paths.filter(isHeld);
  if (isHere) {
    const next = sortedUnique([...touched.filter((path) => !paths.includes(path)), ...held]);
    if (next.join('\n') !== sortedUnique(touched).join('\n'))
      saveState(work, { ...state, filesTouched: next });
    return;
  }
  note(held);
  trackAgain(sessions, id, held, state ? repo.worktreeId : undefined);
}

/** Holds what a step back made of files, and what the index has of them, against HEAD. One process. */
function openJudge(
  { git }: Work,
  store: string,
  { files }: SnapshotRecord,
  paths: readonly RepoPath[],
): Pick<Settling, 'isWork' | 'waits'> {
  const objects = readObjects(
    git,
    paths.flatMap((path) => [`HEAD:${path}`, `:0:${path}`]),
  );
  const read = openLines(git, store);
  const headOf = (path: RepoPath) => objects.get(`HEAD:${path}`);
  return {
    isWork(kept, path) {
      const [head, staged] = [headOf(path), objects.get(`:0:${path}`)];
      const there = kept.holds(path, read(files.get(path)?.after), toLines(head?.data));
      if (there || staged?.oid === head?.oid) return there;
      return kept.holds(path, toLines(staged?.data), toLines(head?.data)) || there;
    },
    waits: (kept, path) => kept.waits(path, toLines(headOf(path)?.data)),
  };
}

/** Names of files of a session without a state here are its work, or not, by what its last record says. */
function noteAgain(
  { repo }: Work,
  id: SessionId,
  record: SnapshotRecord | undefined,
  { paths }: { readonly paths: readonly RepoPath[] },
  held: readonly RepoPath[],
): void {
  if (record?.kind !== 'undo') return;
  const others = (record.again ?? []).filter((path) => !paths.includes(path));
  const again = sortedUnique([...others, ...held]);
  if (again.join('\n') === (record.again ?? []).join('\n')) return;
  writeRecord(sessionStore(repo.commonDir, id, repo.worktreeId), { ...record, again }, { fsync: true });
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
