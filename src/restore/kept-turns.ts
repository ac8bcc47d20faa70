import type { SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { storeOf } from '../snapshot/place.ts';
import type { SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { numberTurns } from '../snapshot/record/turn-records.ts';
import type { WorktreeStep, WorktreeSteps } from './worktree-steps.ts';

/** A turn of which something is kept, whether it stands or was taken back. */
export interface KeptTurn {
  readonly session: SessionId;
  /** Its place among the session's turns that changed files: 1 for the oldest that is kept. One that was forgotten has its place. */
  readonly number: number;
  /** As metadata call it; empty where it is not known. */
  readonly agentType: string;
  readonly record: SnapshotRecord;
  /** Paths of it that stand; all of them where it was taken back whole. */
  readonly paths: ReadonlySet<RepoPath>;
  readonly state: WorktreeStep['state'] | 'undone';
}

/** Every turn of a session that is kept, the oldest first. Those that were taken back keep their number. */
export function listKeptTurns(repo: Repo, { bySession }: WorktreeSteps, session: SessionId): KeptTurn[] {
  const known = bySession.get(session);
  const standing = (known?.undo ?? []).filter(isTurn);
  const byId = new Map(standing.map((step) => [step.record.id, step]));
  const agentType = [...(known?.undo ?? []), ...(known?.redo ?? [])].at(-1)?.agentType ?? '';
  const open = standing.map(({ record }) => record);
  return numberTurns(storeOf(repo, session), open, known?.records).turns.map(
    ({ number, record }): KeptTurn => {
      const step = byId.get(record.id);
      const own = { session, number, agentType };
      if (!step) return { ...own, record, paths: new Set(record.files.keys()), state: 'undone' };
      return { ...own, record: step.record, paths: pathsOf(step), state: step.state };
    },
  );
}

/** What a session noted of going back along with rewinds of other sessions: each is `within` one of theirs. */
export const notesWithin = ({ bySession }: WorktreeSteps, session: SessionId): SnapshotRecord[] =>
  (bySession.get(session)?.records ?? []).filter(({ within }) => within !== undefined);

/** Turns of all sessions that stand, the newest first; each with the paths that do. */
export const listStanding = ({ undo }: WorktreeSteps): WorktreeStep[] =>
  undo.filter(isTurn).map((step) => ({ ...step, paths: pathsOf(step) }));

/** A step as the turn of its session that it is. */
export const findTurn = (repo: Repo, steps: WorktreeSteps, step: WorktreeStep): KeptTurn | undefined =>
  listKeptTurns(repo, steps, step.session).find(({ record }) => record.id === step.record.id);

/** What an undo left is there, too. */
const pathsOf = ({ paths, left }: WorktreeStep): Set<RepoPath> => new Set([...paths, ...left]);

const isTurn = ({ record, paths, left }: WorktreeStep): boolean =>
  record.kind === 'turn' && paths.size + left.size > 0;
