import { sha256Of } from '../../base/hash.ts';
import type { CheckpointId, ObjectId, SessionId } from '../../base/ids.ts';
import { readSlotMetadata } from '../../checkpoint/committed.ts';
import { metadataDir, readShadowBranch, readShadowTree } from '../../checkpoint/shadow-branch.ts';
import { readBranchName } from '../../git/commit/commits.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import { withSessionLock } from '../../session/lock.ts';
import { forgetUserLines } from '../../session/record/user-lines.ts';
import type { SessionState } from '../../session/state.ts';
import { readState } from '../../session/state-store.ts';
import { forgetRedacted, readTaskFiles } from '../task/condense.ts';
import { renew } from '../transcript/redacted.ts';
import { saveRedacted } from '../transcript/save.ts';
import { saveState, type Work } from '../work.ts';
import { condense, redactForCheckpoint } from './condense.ts';
import { dropShadowBranch } from './leftovers.ts';

/**
 * Makes a committed checkpoint of the steps that a session has on its shadow branch, under a fresh id that no commit
 * names: somebody decided that none will come. What was edited since the last step stays tracked.
 *
 * The order is that of every condensation: checkpoint, state, and then the branch goes.
 *
 * @returns `undefined` where the session has no steps any more; nothing changed then
 * @throws {EntireError} `LOCKED`, `REDACTION_FAILED`, `REF_MOVED`, `STATE_UNREADABLE`
 */
export async function condenseById(work: Work, id: SessionId): Promise<CheckpointId | undefined> {
  const before = readState(work.sessions, id);
  if (!before) return undefined;
  const early = await redactForCheckpoint(work, before, ...readSteps(work, before));
  return withSessionLock(work.sessions, id, async () => {
    const state = readState(work.sessions, id);
    if (!state) return undefined;
    const [shadow, shadowEntries] = readSteps(work, state);
    if (!shadow.tip || state.checkpointCount === 0) return undefined;
    const transcript = await renew(early);
    const checkpoint = idOf(id, shadow.tip);
    const isHere = state.worktreeId === work.repo.worktreeId;
    const isWritten = readSlotMetadata(work.git, checkpoint).some(({ sessionId }) => sessionId === id);
    const condensation = {
      id: checkpoint,
      commit: shadow.tip,
      files: state.filesTouched,
      transcript,
      shadow,
      shadowEntries,
      branch: isHere ? readBranchName(work.git, work.repo.gitDir) : undefined,
      author: readIdentity(work.git),
      tasks: await readTaskFiles(work, state, shadow, transcript.live),
      attribution: undefined, // there is no commit whose lines could be counted
    };
    if (!isWritten) await condense(work, state, condensation);
    forgetRedacted(work, state);
    saveRedacted(transcript, shadow.tip);
    saveState(work, afterwards(state, checkpoint, transcript.items));
    forgetUserLines(work.repo.commonDir, id);
    dropShadowBranch(work, id, shadow);
    return checkpoint;
  });
}

/** Of these steps alone: who is killed after the checkpoint and before the state finds it written the next time. */
const idOf = (id: SessionId, steps: ObjectId): CheckpointId =>
  sha256Of(`${id} ${steps}`).slice(0, 12) as CheckpointId;

function readSteps(work: Work, state: SessionState) {
  const shadow = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
  return [shadow, readShadowTree(work.git, shadow, [`${metadataDir(state.sessionId)}/`])] as const;
}

/** Nothing waits for a commit any more, and a session that is over stays so. */
const afterwards = (state: SessionState, checkpoint: CheckpointId, items: number): SessionState => ({
  ...state,
  phase: state.phase === 'ended' ? 'ended' : 'idle',
  attributionBaseCommit: state.baseCommit,
  checkpointCount: 0,
  checkpointTranscriptStart: items,
  filesTouched: [],
  promptAttributions: [],
  pendingPromptAttribution: undefined,
  lastCheckpointId: checkpoint,
});
