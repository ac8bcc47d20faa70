import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { storeOf } from '../snapshot/place.ts';
import { readHistory } from '../snapshot/record/history.ts';
import { listRecordIds, readRecord, recordMs } from '../snapshot/record/record.ts';
import type { SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { readOpenEdits } from '../snapshot/turn/ledger.ts';
import { peekOpenTurn } from '../strategy/turn/keep.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { isAtWork } from './at-work.ts';
import { notesOfOthers } from './rewind/note.ts';

/** Something that a session did in a worktree, or had taken back. */
export interface WorktreeStep {
  readonly session: SessionId;
  /** As metadata call it; empty where it is not known. */
  readonly agentType: string;
  readonly record: SnapshotRecord;
  /** It is a rewind, or the undo of one. */
  readonly isRewind: boolean;
  /** Paths of it that were not taken back, or brought back. */
  readonly paths: ReadonlySet<RepoPath>;
  /** Paths that are taken back only where they are named: they were left before. */
  readonly left: ReadonlySet<RepoPath>;
  /** Whether the rest of a rewind is to be taken back, too. */
  readonly hasEffects: boolean;
  /** `open`: the turn goes on. `broken-off`: it had no end, and does not go on. */
  readonly state: 'over' | 'open' | 'broken-off';
  /** When it was done, or its last edit was; in milliseconds since 1970. */
  readonly atMs: number;
}

/** What the sessions of a worktree did, in one order: the newest first. */
export interface WorktreeSteps {
  readonly undo: readonly WorktreeStep[];
  readonly redo: readonly WorktreeStep[];
  /** What a redo left of undos: it is brought back by force alone. */
  readonly redoByForce: readonly WorktreeStep[];
  /** Sessions whose records cannot be read, and what was thrown. */
  readonly damaged: ReadonlyMap<SessionId, unknown>;
  /** What each session did, the oldest first. */
  readonly bySession: ReadonlyMap<SessionId, SessionSteps>;
}

interface SessionSteps extends Pick<WorktreeSteps, 'undo' | 'redo' | 'redoByForce'> {
  /** All that is on record of it, and what its turn that goes on did so far; oldest first. */
  readonly records: readonly SnapshotRecord[];
}

/**
 * Reads what some sessions can take back in a worktree, turns that go on included, as one step after the other would: what went back
 * along with a session stands below that rewind, as that session's own turns do.
 *
 * @param known what is not read again
 * @param isPart only some files are to be taken back: of a rewind the rest stands then, and the sessions that went along stay back
 */
export async function readWorktreeSteps(
  repo: Repo,
  sessions: readonly SessionId[],
  known: WorktreeSteps['bySession'] = new Map(),
  isPart = false,
): Promise<WorktreeSteps> {
  const work = workIn(repo);
  const damaged = new Map<SessionId, unknown>();
  const bySession = new Map<SessionId, SessionSteps>();
  const read = new Map<SessionId, Looked>();
  for (const session of sessions)
    try {
      const looked = known.has(session) ? undefined : await look(work, session);
      if (looked) read.set(session, looked);
      bySession.set(session, known.get(session) ?? toSteps(session, looked as Looked));
    } catch (error) {
      log('warn', 'steps of a session passed over', { session_id: session, error: describeError(error) });
      damaged.set(session, error);
    }
  const gone = new Map<SessionId, IsGone[]>();
  for (const { undo } of isPart ? [] : bySession.values())
    for (const { record, hasEffects } of undo)
      for (const [other, isNoted] of hasEffects ? notesOfOthers(record.effects) : [])
        gone.set(other, [...(gone.get(other) ?? []), isNoted]);
  for (const [session, looked] of read) {
    const notes = gone.get(session);
    const isGone: IsGone = (record) => notes?.some((isNoted) => isNoted(record)) ?? false;
    if (notes) bySession.set(session, toSteps(session, looked, isGone));
  }
  const merge = (key: 'undo' | 'redo' | 'redoByForce') =>
    inOneOrder([...bySession.values()].map((own) => own[key]));
  return { undo: merge('undo'), redo: merge('redo'), redoByForce: merge('redoByForce'), damaged, bySession };
}

/** What is on record of a session, read once. */
interface Looked {
  readonly records: readonly SnapshotRecord[];
  /** What its turn that goes on did so far; the last of the records. */
  readonly open: SnapshotRecord | undefined;
  /** When that was edited last; in milliseconds since 1970, or no number. */
  readonly editedMs: number;
  readonly isBusy: boolean;
  /** As metadata call its agent; `undefined` where the session has no state, as before the first commit. */
  readonly agentType: string | undefined;
}

async function look(work: Work, session: SessionId): Promise<Looked> {
  const store = storeOf(work.repo, session);
  const isBusy = isAtWork(work, session);
  const open = await peekOpenTurn(work, session, { isOver: !isBusy }).catch((error) => {
    log('warn', 'running turn not looked at', { session_id: session, error: describeError(error) });
    return undefined; // a list is no reason to need a disk that can be written
  });
  const kept = listRecordIds(store).map((id) => readRecord(store, id));
  return {
    records: [...kept, ...(open ? [open] : [])],
    open,
    editedMs: open ? Date.parse(readOpenEdits(store).at(-1)?.at ?? '') : Number.NaN,
    isBusy,
    agentType: readStateIfReadable(work.sessions, session)?.agentType,
  };
}

/** Whether a record does not count. */
type IsGone = (record: SnapshotRecord) => boolean;

function toSteps(
  session: SessionId,
  { records, open, editedMs, isBusy, agentType }: Looked,
  isGone: IsGone = () => false,
): SessionSteps {
  const { standing, undone, unredone, rewinds } = readHistory(records.filter((record) => !isGone(record)));
  const common = { session, agentType: agentType ?? '' };
  const undo = standing.map(({ record, paths, left, hasEffects }): WorktreeStep => {
    const isRewind = record.kind === 'rewind';
    if (record.id !== open?.id)
      return { ...common, record, isRewind, paths, left, hasEffects, state: 'over', atMs: timeOf(record) };
    const atMs = Number.isNaN(editedMs) ? timeOf(record) : editedMs;
    const at = new Date(atMs).toISOString();
    const state = isBusy ? 'open' : agentType !== undefined ? 'broken-off' : 'over'; // before the first commit nobody knows of turns
    return { ...common, record: { ...record, at }, isRewind, paths, left, hasEffects, state, atMs };
  });
  const toUndone = (record: SnapshotRecord): WorktreeStep => ({
    ...{ ...common, record, isRewind: rewinds.has(record.id) },
    ...{ paths: new Set(record.files.keys()), left: new Set() },
    ...{ hasEffects: record.effects.length > 0, state: 'over', atMs: timeOf(record) },
  });
  return { undo, redo: undone.map(toUndone), redoByForce: unredone.map(toUndone), records };
}

/** The id says it: the time of a record is that of its turn's end. */
const timeOf = ({ id }: SnapshotRecord): number => recordMs(id);

/** Steps of one session stay in their order, whatever its clock did. @param lists each the oldest first */
function inOneOrder(lists: ReadonlyArray<readonly WorktreeStep[]>): WorktreeStep[] {
  const keyed = lists.flatMap((steps) => {
    let key = Number.POSITIVE_INFINITY;
    return steps.toReversed().map((step) => {
      key = Math.min(key, step.atMs);
      return { step, key };
    });
  });
  return keyed.sort((a, b) => b.key - a.key).map(({ step }) => step);
}
