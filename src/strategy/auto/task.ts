import { now, renderUtc } from '../../base/clock.ts';
import { newCheckpointId } from '../../base/ids.ts';
import type { NewCheckpoint } from '../../checkpoint/committed.ts';
import { metadataDir } from '../../checkpoint/shadow-branch.ts';
import { parseTaskCheckpoint, renderCommittedTask, sequenceOf } from '../../checkpoint/task-files.ts';
import type { Change } from '../../git/object/objects.ts';
import type { SessionState } from '../../session/state.ts';
import { readStateOrSetAside } from '../../session/state-store.ts';
import { openAttribution } from '../attribution/open.ts';
import { openSession } from '../new-session.ts';
import { tell } from '../progress.ts';
import type { SaveTask } from '../task/save.ts';
import { readLive } from '../transcript/live.ts';
import { type RedactedTranscript, redactLive } from '../transcript/redacted.ts';
import { saveRedacted } from '../transcript/save.ts';
import { describeSlot } from '../transcript/slot-metadata.ts';
import { textsWith } from '../transcript/slot-texts.ts';
import { saveState } from '../work.ts';
import { advance } from './advance.ts';
import { asSoleWork } from './changes.ts';
import { type CommitPlan, describeChanges, makeCommit } from './commit.ts';
import { assertMayCommit } from './refusal.ts';

/** Makes a commit of what a task changed. Without a commit there is no metadata either. */
export const commitTask: SaveTask = async (work, turn, status, head, step) => {
  await assertMayCommit(work, status.branch);
  const known = readStateOrSetAside(work.sessions, turn.sessionId);
  const opened = known?.baseCommit ? known : openSession(work, turn, status, head);
  const state = { ...opened, transcriptPath: turn.transcriptPath ?? opened.transcriptPath };
  const transcript = step.transcript ?? (await redactLive(readLive(work.repo.commonDir, state)));
  const { subject, files } = step.describe({ name: '', ref: '', tip: undefined });
  const id = newCheckpointId();
  const task = { toolUseId: step.toolUseId, subject, files: toCommitted(state, files) };
  const attribute = await openAttribution(work, state);
  const made = await makeCommit(work, {
    id,
    paths: step.paths,
    subject,
    describe: (commit) =>
      describeCheckpoint(
        state,
        { id, transcript, task, attribution: attribute(asSoleWork(commit.changes)) },
        commit,
      ),
    own: { sessionId: state.sessionId, checkpointCount: state.checkpointCount, items: undefined },
  });
  if (!step.transcript) saveRedacted(transcript, head);
  if (!made) {
    tell('No code changes to commit for task checkpoint');
    return true;
  }
  tell(describeChanges(made, 'task'));
  const number = Math.max(0, ...files.map(({ path }) => sequenceOf(path)));
  const kind = number > 0 ? `incremental checkpoint #${number}` : 'task checkpoint';
  tell(`Committed ${kind} to active branch (${made.oid.slice(0, 7)})`);
  tell(
    `Committed ${number > 0 ? 'incremental checkpoint' : 'task'} metadata to entire/checkpoints/v1 (${id})`,
  );

  const paths = new Set<string>(step.paths.filter((path) => !made.leftOut.has(path)));
  const next = advance(work, state, { id, commit: made.oid, paths, items: undefined });
  saveState(work, { ...next, lastInteractionTime: renderUtc(now()) });
  made.conclude();
  return true;
};

/** A task's files by their path in the checkpoint, in the form that they have there. */
function toCommitted(state: SessionState, files: readonly Change[]): Change[] {
  const dir = `${metadataDir(state.sessionId)}/`;
  return files.map((file) => {
    const path = file.path.slice(dir.length);
    const isRecord = path.endsWith('/checkpoint.json') && 'data' in file;
    const task = isRecord ? parseTaskCheckpoint(Buffer.from(file.data).toString('utf8')) : undefined;
    return task ? { path, mode: '100644', data: renderCommittedTask(task) } : { ...file, path };
  });
}

function describeCheckpoint(
  state: SessionState,
  {
    id,
    transcript,
    task,
    attribution,
  }: {
    id: CommitPlan['id'];
    transcript: RedactedTranscript;
    task: { toolUseId: string; subject: string; files: readonly Change[] };
    attribution: NewCheckpoint['metadata']['initialAttribution'];
  },
  { head, branch, author }: Parameters<CommitPlan['describe']>[0],
): NewCheckpoint {
  const start = state.checkpointTranscriptStart;
  const [increment] = task.files.filter(({ path }) => sequenceOf(path) > 0);
  return {
    metadata: {
      ...describeSlot(state, transcript, { id, strategy: 'auto-commit', branch, start, attribution }),
      checkpointsCount: 0,
      filesTouched: [],
      isTask: true,
      toolUseId: task.toolUseId,
      transcriptIdentifierAtStart: '',
    },
    texts: textsWith('', transcript, head),
    ephemeralBranch: '',
    task: { subject: task.subject, path: increment?.path ?? `tasks/${task.toolUseId}` },
    author,
    files: task.files,
  };
}
