import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import type { SessionState } from '../../session/state.ts';
import { carryUserLines } from '../attribution/carry.ts';
import type { Work } from '../work.ts';

/** What a session's state learns of a commit that was made of its work. */
export interface Advance {
  readonly id: CheckpointId;
  readonly commit: ObjectId;
  /** Paths that the commit took. */
  readonly paths: ReadonlySet<string>;
  /** Transcript items in the checkpoint; `undefined` for that of a task, which is not counted. */
  readonly items: number | undefined;
}

/** The state after a commit of its own: based on it, and without what it took. */
export function advance(
  work: Work,
  state: SessionState,
  { id, commit, paths, items }: Advance,
): SessionState {
  const next = {
    ...state,
    baseCommit: commit,
    attributionBaseCommit: commit,
    filesTouched: state.filesTouched.filter((path) => !paths.has(path)),
    promptAttributions: carryUserLines(work, state, [], { oid: commit, changes: paths }),
    pendingPromptAttribution: undefined,
    lastCheckpointId: id,
  };
  if (items === undefined) return next;
  return { ...next, checkpointCount: state.checkpointCount + 1, checkpointTranscriptStart: items };
}
