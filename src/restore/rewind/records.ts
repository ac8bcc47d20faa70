import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { lstatInWorktree } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { blobId, type TreeEntry } from '../../git/object/objects.ts';
import { readSoundRecords, withoutFiles } from '../../snapshot/record/record.ts';
import { partsOf, type SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { type SplitRecords, splitRecords } from '../../snapshot/record/step-marks.ts';
import { digestOfFile } from '../../snapshot/store/blobs.ts';
import { readBlob } from '../../snapshot/store/chunks.ts';
import { canRun, type FileState, isSameState } from '../../snapshot/store/file-state.ts';
import { parseMore } from './note.ts';
import { type ChangedStep, type CutBranch, pathsOf } from './steps.ts';

/** What was at a path, and git's name for it; `undefined` for nothing. */
export interface Target {
  readonly state: FileState;
  readonly entry: TreeEntry | undefined;
}

/**
 * What a session's own records say of paths for which the tree of a step does not count: it holds what some step wrote last, also
 * another session's, and knows neither what was taken back since nor what the user did to a file before the session came to it.
 */
export interface Corrections {
  readonly targets: ReadonlyMap<RepoPath, Target>;
  /** Changed before the step without a step that is known to have it, and not touched by the session since: as they are. */
  readonly untouched: ReadonlySet<RepoPath>;
  /** The session had not written them yet. */
  readonly notYet: ReadonlySet<RepoPath>;
}

/** The records of a session, oldest first, on both sides of a step. */
export interface RecordsAround extends Pick<SplitRecords, 'isAfter' | 'isForgotten' | 'isMarked'> {
  readonly upTo: readonly SnapshotRecord[];
  readonly since: readonly SnapshotRecord[];
  /** Each record since could be read. */
  readonly isWhole: boolean;
}

/** The records of a session, oldest first; one that cannot be read is passed over. */
export function readRecords(store: string): SnapshotRecord[] {
  const records = readSoundRecords(store);
  const byId = new Map(records.map((record) => [record.id, record]));
  return records.map((record) => withoutOthers(record, byId));
}

/**
 * Of a rewind, and of what took it back, as a whole or in part, without the files of sessions that went back along: those have records of
 * their own.
 */
function withoutOthers(record: SnapshotRecord, byId: ReadonlyMap<string, SnapshotRecord>): SnapshotRecord {
  const behind = (one: SnapshotRecord): SnapshotRecord[] => [
    one,
    ...one.of.flatMap((id) => byId.get(id) ?? []).flatMap(behind),
  ];
  const effects = behind(record).flatMap((one) => one.effects);
  const notes = effects.flatMap(({ note }) => parseMore(note) ?? []);
  const own = new Set(notes.flatMap(({ files }) => files));
  const theirs = new Set(notes.flatMap(({ others }) => others.flatMap(({ files }) => files)));
  if (theirs.size === 0) return record;
  return withoutFiles(record, (path) => theirs.has(path) && !own.has(path));
}

/**
 * Splits the records of a session at the step that its branch is cut at.
 *
 * @param open the turn that goes on, where it is no record yet
 * @returns `undefined` when it is not known which records are older than the step
 */
export function splitAround(
  store: string,
  records: readonly SnapshotRecord[],
  cut: CutBranch,
  open: SnapshotRecord | undefined,
): RecordsAround | undefined {
  const kept = new Set<string>(cut.kept.map(({ step }) => step.commit.oid));
  const split = splitRecords(store, (step) => kept.has(step));
  if (!split) return undefined;
  const { isAfter, isForgotten, isMarked } = split;
  const pick = (ids: readonly string[]) => records.filter(({ id }) => ids.includes(id));
  return {
    upTo: pick(split.upTo),
    since: [...pick(split.since), ...(open ? [open] : [])],
    isWhole: pick(split.since).length === split.since.length,
    isAfter,
    isForgotten,
    isMarked,
  };
}

/**
 * Files that the session may have written since a step though no record names them. Where its records are known, that is what a turn
 * could not tell apart from another session's, and what turns did of which none was made, as while contents were not kept: else a later
 * step also holds what a rewind left to it, with what somebody made of that.
 *
 * @param tracked files that wait for a step; what was too large for the step that one goes back to waits since then
 * @param isKept whether a record is made of what goes on
 * @param tree the step's
 */
export function laterFiles(
  cut: CutBranch,
  around: RecordsAround | undefined,
  tracked: readonly RepoPath[],
  isKept: boolean,
  tree: ReadonlyMap<string, TreeEntry>,
): Set<RepoPath> {
  const { sessionId } = cut.target;
  const inLater = pathsOf(cut.later, sessionId);
  if (!around) return new Set([...inLater, ...tracked]);
  const unsure = new Set(around.since.flatMap(({ kind, left }) => (kind === 'turn' ? [...left.keys()] : [])));
  const unrecorded = pathsOf(withoutRecord(cut, around, isKept), sessionId);
  const lastUpTo = (path: RepoPath) => around.upTo.findLast(({ files }) => files.has(path))?.files.get(path);
  const isOfStep = (path: RepoPath): boolean =>
    !tree.has(path) && (lastUpTo(path)?.after.kind ?? 'missing') !== 'missing';
  const waiting = isKept ? [] : tracked.filter((path) => !isOfStep(path));
  return new Set([...inLater.filter((path) => unsure.has(path)), ...unrecorded, ...waiting]);
}

/**
 * Paths that a turn since wrote of which there is no record, before one of which there is: what that one found there, that turn had made,
 * and the step alone tells what was there before.
 */
export function hiddenBehind(
  cut: CutBranch,
  around: RecordsAround | undefined,
  isKept: boolean,
): ReadonlySet<RepoPath> {
  const hidden = new Set<RepoPath>();
  if (!around) return hidden;
  const { sessionId } = cut.target;
  const unrecorded = new Set(withoutRecord(cut, around, isKept));
  const known = new Set<RepoPath>();
  for (const one of cut.later.toReversed())
    for (const path of pathsOf([one], sessionId))
      if (!unrecorded.has(one)) known.add(path);
      else if (!known.has(path)) hidden.add(path);
  return hidden;
}

/** Steps since of whose turns there is no record; those of tasks belong to the turn that ended next. */
function withoutRecord({ later, target }: CutBranch, around: RecordsAround, isKept: boolean): ChangedStep[] {
  let isRecorded = isKept;
  return later.filter(({ step }) => {
    if (step.sessionId !== target.sessionId || isCarried(step)) return false;
    if (!step.isTask) isRecorded = around.isMarked(step.commit.oid);
    return !isRecorded;
  });
}

/**
 * Corrects the tree of the step that a branch is cut at.
 *
 * @param cut whose steps the records are of
 * @param files paths that may be gone back to
 * @param inFirst those that the session wrote in its first step
 * @param undoneBy tells what an undo of another session, which wrote a path last on the branch, had made of it by then
 * @param hidden as {@link hiddenBehind} found them
 */
export function correctTree(
  { upTo, since, isAfter, isForgotten }: RecordsAround,
  cut: CutBranch,
  { store, like }: { readonly store: string; readonly like: ObjectId },
  files: readonly RepoPath[],
  inFirst: ReadonlySet<RepoPath>,
  undoneBy: (other: string, path: RepoPath) => FileState | undefined,
  hidden: ReadonlySet<RepoPath>,
): Corrections {
  const { sessionId } = cut.target;
  const named = new Set(upTo.flatMap(({ files: changed }) => [...changed.keys()]));
  // Which paths of the first step are its own is also read from later turns: those were the user's then.
  const ofFirst = new Set([...inFirst].filter((path) => named.has(path)));
  const own = new Set([...pathsOf(cut.kept, sessionId), ...ofFirst]);
  const inLater = new Set(pathsOf(cut.later, sessionId));
  const isFirst = (step: ChangedStep): boolean => step.isFirst && step.step.sessionId === sessionId;
  // The first commit of a branch says nothing of what it changed: it also holds what a commit left.
  const root = cut.kept.findLast(({ step }) => step.commit.parents.length === 0);
  const targets = new Map<RepoPath, Target>();
  const untouched = new Set<RepoPath>();
  const notYet = new Set<RepoPath>();
  for (const path of files) {
    const last = upTo.findLast((record) => record.files.has(path));
    const isOfFirst = ofFirst.has(path);
    const step = cut.kept.find(
      (kept) => kept.changes.has(path) || (isOfFirst && isFirst(kept)) || kept === root,
    )?.step;
    // Taken back, or changed by a turn that was no step, since all that came of it is what HEAD has.
    const isNewer =
      last !== undefined &&
      step?.sessionId === sessionId &&
      (isAfter(last.id, step.commit.oid) || (isCarried(step) && last.kind !== 'turn'));
    const isOthers = step !== undefined && step.sessionId !== sessionId;
    const undone = isOthers && own.has(path) ? undoneBy(step.sessionId, path) : undefined;
    const given = undone && toTarget(store, undone, like);
    if (given) targets.set(path, given);
    // It may have been taken back by an undo of which there is no record any more.
    const isDoubtful = !last && step?.sessionId === sessionId && isForgotten(step.commit.oid);
    if ((own.has(path) && !isNewer && !isDoubtful) || hidden.has(path)) continue;
    const next = since.find((record) => record.files.has(path));
    if (!next && (isNewer || (isDoubtful && !inLater.has(path)))) untouched.add(path);
    const before =
      next?.files.get(path)?.before ?? (next && isNewer ? last.files.get(path)?.after : undefined);
    const target = before && toTarget(store, before, like);
    if (!target) continue;
    targets.set(path, target);
    if (!own.has(path) && !last) notYet.add(path);
  }
  return { targets, untouched, notYet };
}

/** What a commit left, copied from older steps: also what was undone since those. */
const isCarried = ({ metadataDir, isTask }: ChangedStep['step']): boolean =>
  metadataDir === undefined && !isTask;

export const NO_CORRECTIONS: Corrections = { targets: new Map(), untouched: new Set(), notYet: new Set() };

/**
 * Paths into which somebody else wrote since the step, as the records say: what one of them left is not what the next one, or the
 * worktree, goes on from.
 *
 * @param paths those that are to be something else
 */
export const findOthersWork = (
  since: readonly SnapshotRecord[],
  root: string,
  paths: readonly RepoPath[],
): RepoPath[] =>
  paths.filter((path) => {
    const parts = since.flatMap((record) => {
      const change = record.files.get(path);
      return change ? partsOf(change) : [];
    });
    const last = parts.at(-1);
    if (!last || !isThere(root, path, last.after)) return true;
    return parts.some(({ after }, at) => at > 0 && isOther(parts[at - 1]?.after, parts[at]?.before ?? after));
  });

/** What git has may stand there with other line ends, and is not held against a file. */
const isOther = (one: FileState | undefined, other: FileState): boolean =>
  one !== undefined && isPlain(one) && isPlain(other) && !isSameState(one, other);
const isPlain = ({ kind }: FileState): boolean => kind === 'file' || kind === 'link' || kind === 'missing';

function isThere(root: string, path: RepoPath, state: FileState): boolean {
  const stat = lstatInWorktree(root, path);
  if (state.kind === 'missing') return !stat;
  if (state.kind !== 'file') return true; // no bytes to hold it against
  return (
    stat?.isFile() === true && stat.size === state.size && digestOfFile(join(root, path)) === state.sha256
  );
}

/** `undefined` for what cannot be had again. */
export function toTarget(store: string, state: FileState, like: ObjectId): Target | undefined {
  try {
    if (state.kind === 'missing') return { state, entry: undefined };
    if (state.kind === 'git') return { state, entry: { mode: state.mode, oid: state.oid as ObjectId } };
    if (state.kind !== 'file' && state.kind !== 'link') return undefined;
    const oid = blobId(readBlob(store, state.sha256), like);
    const mode = state.kind === 'link' ? '120000' : canRun(state) ? '100755' : '100644';
    return { state, entry: { mode, oid } };
  } catch (error) {
    log('warn', 'content of a record passed over', { store, error: describeError(error) });
    return undefined;
  }
}
