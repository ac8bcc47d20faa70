import { now, renderUtc } from '../../base/clock.ts';
import type { ObjectId } from '../../base/ids.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { readShadowBranch, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { taskDir } from '../../checkpoint/task-files.ts';
import { writeTemporary } from '../../checkpoint/temporary.ts';
import { type Change, retryWhenMoved } from '../../git/object/objects.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import type { Status } from '../../git/worktree/status.ts';
import { readStateOrSetAside } from '../../session/state-store.ts';
import { trackAgain } from '../../session/tracking-file.ts';
import { followHead } from '../follow-head.ts';
import { openSession } from '../new-session.ts';
import { tell } from '../progress.ts';
import { type RedactedTranscript, toStored } from '../transcript/redacted.ts';
import { saveState, type ToldTurn, type Work } from '../work.ts';

/**
 * How a strategy saves a task's checkpoint. Under the session lock.
 *
 * @returns whether the metadata is where it stays, so that no commit has to bring it there
 */
export type SaveTask = (
  work: Work,
  turn: ToldTurn,
  status: Status,
  head: ObjectId,
  step: TaskStep,
) => Promise<boolean> | boolean;

/** A task's checkpoint to be. */
export interface TaskStep {
  readonly toolUseId: string;
  readonly paths: readonly RepoPath[];
  /** The session's transcript, where it goes with the checkpoint. */
  readonly transcript?: RedactedTranscript;
  /** Subject and metadata files, given the branch they go to. */
  readonly describe: (branch: ShadowBranch) => { subject: string; files: readonly Change[] };
}

/**
 * Saves a task's checkpoint on the shadow branch of its session. The session has its files from then on; steps and
 * tokens are not counted. Under the session lock.
 */
export const saveTaskStep: SaveTask = (work, turn, status, head, step) => {
  const known = readStateOrSetAside(work.sessions, turn.sessionId);
  const opened = known?.baseCommit ? known : openSession(work, turn, status, head);
  const state = retryWhenMoved(() => followHead(work, opened, head));
  const author = readIdentity(work.git);
  const leftOut = new Set<string>();
  const branch = retryWhenMoved(() => {
    const found = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
    const { subject, files } = step.describe(found);
    writeTemporary(work.git, {
      sessionId: state.sessionId,
      branch: found,
      head,
      paths: step.paths,
      texts: step.transcript && { transcript: toStored(step.transcript, head), prompts: '', summary: '' },
      extra: files,
      task: taskDir(state.sessionId, step.toolUseId),
      subject,
      author,
      onLeftOut: (path) => leftOut.add(path),
    });
    return found;
  });
  const unread = step.paths.filter((path) => leftOut.has(path));
  trackAgain(work.sessions, state.sessionId, unread);
  tell(
    branch.tip
      ? `Committed task checkpoint to step branch '${branch.name}'`
      : `Created step branch '${branch.name}' and committed task checkpoint`,
  );
  saveState(work, {
    ...state,
    transcriptPath: turn.transcriptPath ?? state.transcriptPath,
    filesTouched: sortedUnique([...state.filesTouched, ...step.paths]),
    lastInteractionTime: renderUtc(now()), // a commit hook that looked before sees that there is something new
  });
  return false;
};
