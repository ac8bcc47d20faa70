import { isNamedBy, type RepoPath } from '../../base/repo-path.ts';
import type { PathChange, SnapshotRecord } from './snapshot-record.ts';

/** A turn (or a rewind) that stands, with the paths of it that no undo has taken back. */
export interface Standing {
  readonly record: SnapshotRecord;
  readonly paths: ReadonlySet<RepoPath>;
  /** Paths that an undo left as they were. They are undone when they are named, and hold up nothing else. */
  readonly left: ReadonlySet<RepoPath>;
  /** It changed something beside files, which stands. */
  readonly hasEffects: boolean;
}

type Open = Pick<Standing, 'paths' | 'left' | 'hasEffects'>;

/** Paths that undo would take back of a step: without names what stands of it, with names also what was left of it. */
export const openPathsOf = ({ paths, left }: Open, names: readonly string[]): RepoPath[] =>
  names.length === 0 ? [...paths] : [...paths, ...left].filter((path) => isNamedBy(names, path));

/** Whether undo takes something of a step back. @param names paths that were asked for; all where there are none */
export const isConcerned = (step: Open, names: readonly string[]): boolean =>
  openPathsOf(step, names).length > 0 || (names.length === 0 && step.hasEffects);

/** Where a session is in what it did: what can be taken back, and what can be brought back. The newest is last. */
export interface UndoHistory {
  readonly standing: readonly Standing[];
  /**
   * Undos that `redo` can take back. As soon as the session does something else to files, there is of each only what it overwrote by force,
   * which nothing else has.
   */
  readonly undone: readonly SnapshotRecord[];
  /** The rest of undos that a redo could not take back whole: of each the paths that it left. */
  readonly unredone: readonly SnapshotRecord[];
  /** Ids of the rewinds, and of the undos of one. */
  readonly rewinds: ReadonlySet<string>;
}

/** Reads the records of a session as a history. @param records oldest first */
export function readHistory(records: readonly SnapshotRecord[]): UndoHistory {
  const byId = new Map(records.map((record) => [record.id, record]));
  const steps = new Map<string, Step>();
  const taken = new Map<string, Taken>();
  let undone: SnapshotRecord[] = [];
  let unredone: SnapshotRecord[] = [];
  for (const record of records) {
    if (record.kind === 'turn' || record.kind === 'rewind') {
      steps.set(record.id, {
        open: new Set(record.files.keys()),
        left: new Set(),
        forced: new Map(),
        hasEffects: record.effects.length > 0,
      });
      if (changesFiles(record)) {
        undone = undone.flatMap(overwrittenBy);
        unredone = unredone.flatMap(overwrittenBy);
      }
    } else if (record.kind === 'undo') {
      taken.set(record.id, new Map(record.of.map((id) => [id, close(steps.get(id), record)])));
      if (record.within === undefined) undone.push(record);
    } else if (record.kind === 'redo') {
      for (const id of record.of) {
        const undo = [...undone, ...unredone].find((other) => other.id === id) ?? byId.get(id);
        const isWhole = undo === byId.get(id);
        for (const turn of undo?.of ?? []) {
          const paths = taken.get(id)?.get(turn) ?? [];
          const own = isWhole ? paths : paths.filter((path) => undo?.files.has(path));
          reopen(steps.get(turn), byId.get(turn), own, undo, record);
        }
        undone = undone.filter((other) => other.id !== id);
        unredone = [...unredone.filter((other) => other.id !== id), ...restOf(undo, record)];
      }
      for (const path of record.forced) goBackTo(path, record.files.get(path), [...steps.values()]);
    }
  }
  const standing = records.flatMap((record) => {
    const step = steps.get(record.id);
    if (!step || (step.open.size + step.left.size === 0 && !step.hasEffects)) return [];
    const { open: paths, left, forced, hasEffects } = step;
    const files = forced.size === 0 ? record.files : new Map([...record.files, ...forced]);
    return [{ record: { ...record, files }, paths, left, hasEffects }];
  });
  const isRewind = (record: SnapshotRecord | undefined): boolean => record?.kind === 'rewind';
  const ofRewind = records.filter((record) => isRewind(record) || isRewind(byId.get(record.of[0] ?? '')));
  return { standing, undone, unredone, rewinds: new Set(ofRewind.map(({ id }) => id)) };
}

interface Step {
  readonly open: Set<RepoPath>;
  readonly left: Set<RepoPath>;
  /** What a redo by force made of paths: taking the step back leads to what it went over. */
  readonly forced: Map<RepoPath, PathChange>;
  hasEffects: boolean;
}

/** Whether a step is about files: a rewind may be about conversations alone, and no undo of files is in its way. */
const changesFiles = ({ kind, files, effects }: SnapshotRecord): boolean =>
  kind !== 'rewind' || files.size > 0 || effects.length === 0;

/** What an undo overwrote by force, as an undo of those paths. */
const overwrittenBy = (undo: SnapshotRecord): SnapshotRecord[] => partOf(undo, undo.forced);

/** An undo of some of its paths; none where it did nothing to them. */
function partOf(undo: SnapshotRecord, paths: Iterable<RepoPath>): SnapshotRecord[] {
  const only = new Set(paths);
  const files = new Map([...undo.files].filter(([path]) => only.has(path)));
  return files.size > 0 ? [{ ...undo, files, left: new Map(), already: [], effects: [] }] : [];
}

/** A redo went over something by force: the step that is taken back first leads there. @param steps oldest first */
function goBackTo(path: RepoPath, change: PathChange | undefined, steps: readonly Step[]): void {
  const step = steps.findLast(({ open }) => open.has(path));
  if (change) step?.forced.set(path, change);
}

/** Of each undo what it took back, or left, of each step. */
type Taken = ReadonlyMap<string, readonly RepoPath[]>;

function close(step: Step | undefined, { files, already, left, effects }: SnapshotRecord): RepoPath[] {
  if (!step) return [];
  if (effects.length > 0) step.hasEffects = false;
  const isKnown = (path: RepoPath): boolean => step.open.has(path) || step.left.has(path);
  const paths = [...files.keys(), ...already, ...left.keys()].filter(isKnown);
  for (const path of paths) {
    const wasOpen = step.open.delete(path);
    if (!left.has(path)) step.left.delete(path);
    else if (wasOpen) step.left.add(path);
  }
  return paths;
}

/** What a redo left of an undo, as an undo of those paths. */
const restOf = (undo: SnapshotRecord | undefined, redo: SnapshotRecord): SnapshotRecord[] =>
  undo ? partOf(undo, redo.left.keys()) : [];

/** @param paths what the undo took back of the step: another undo may have had the rest before */
function reopen(
  step: Step | undefined,
  turn: SnapshotRecord | undefined,
  paths: readonly RepoPath[],
  undo: SnapshotRecord | undefined,
  redo: SnapshotRecord,
): void {
  if (step && turn && undo && undo.effects.length > 0) step.hasEffects = turn.effects.length > 0;
  for (const path of paths) {
    if (redo.left.has(path)) continue;
    step?.open.add(path);
    step?.left.delete(path);
  }
}
