import type { TodoUpdate } from '../../agents/event.ts';
import { now, renderUtc } from '../../base/clock.ts';
import { redactText, redactTranscript } from '../../checkpoint/redact/redact.ts';
import { readShadowTree, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import {
  incrementName,
  incrementSubject,
  renderIncrement,
  sequenceOf,
  shortTaskId,
  taskDir,
} from '../../checkpoint/task-files.ts';
import { isDefaultBranch } from '../../git/ref/default-branch.ts';
import { readStatus } from '../../git/worktree/status.ts';
import { withSessionLock } from '../../session/lock.ts';
import { listTaskMarks } from '../../session/record/task-mark.ts';
import {
  readTaskRecord,
  type TaskRecord,
  tasksOfOthers,
  writeTaskRecord,
} from '../../session/record/task-record.ts';
import { tell } from '../progress.ts';
import { readLive } from '../transcript/live.ts';
import { redactLive, secretsFor } from '../transcript/redacted.ts';
import { saveRedacted } from '../transcript/save.ts';
import type { ToldTurn, Work } from '../work.ts';
import { findChangesSoFar } from './changes.ts';
import type { SaveTask } from './save.ts';
import { readSubagentNote, subagentTranscripts } from './sub-agent-files.ts';

/**
 * A sub-agent brought its todo list up to date: what it has changed so far becomes an incremental checkpoint of its
 * task. Outside a task nothing happens, and on the default branch nothing is written.
 */
export async function saveIncrement(
  work: Work,
  turn: ToldTurn,
  event: TodoUpdate,
  save: SaveTask,
): Promise<void> {
  if (listTaskMarks(work.repo.worktreeRoot).length === 0) return;
  await withSessionLock(work.sessions, turn.sessionId, async () => {
    const record = readTaskRecord(work.repo.commonDir, turn.sessionId);
    const toolUseId = findActiveTask(work, turn, event, record);
    if (!toolUseId) return;
    const status = readStatus(work.git);
    if (!status.head) return;
    if (isDefaultBranch(work.git, status.branch))
      return tell(`Entire: skipping incremental checkpoint on branch '${status.branch}'`);
    const known = record.running.find((task) => task.toolUseId === toolUseId);
    const paths = findChangesSoFar(work, status, { sessionId: turn.sessionId, toolUseId, known });
    if (paths.length === 0) return tell('[entire] No file changes detected, skipping incremental checkpoint');

    const session = await redactLive(readLive(work.repo.commonDir, turn));
    const input = JSON.stringify(event.toolInput);
    const secrets = secretsFor(session, event.label + (input ?? ''));
    const label = await redactText(event.label, secrets);
    const data = input === undefined ? undefined : JSON.parse((await redactTranscript(input, secrets)).text);
    let sequence = 0;
    const describe = (branch: ShadowBranch) => {
      sequence = Math.max(known?.increments ?? 0, lastSequence(work, turn, branch, toolUseId)) + 1;
      const content = renderIncrement({ tool: event.tool, toolUseId, timestamp: renderUtc(now()), data });
      const path = `${taskDir(turn.sessionId, toolUseId)}/${incrementName(sequence, toolUseId)}`;
      const subject = incrementSubject(label, sequence, toolUseId);
      return { subject, files: [{ path, mode: '100644', data: content } as const] };
    };
    await save(work, turn, status, status.head, { toolUseId, paths, describe });
    saveRedacted(session, status.head);
    writeTaskRecord(work.repo.commonDir, turn.sessionId, {
      ...record,
      running: record.running.map((task) => (task === known ? { ...task, increments: sequence } : task)),
    });
    const tool = `${event.tool} (task: ${shortTaskId(toolUseId)})`;
    tell(`[entire] Created incremental checkpoint #${sequence} for ${tool}`);
  });
}

/**
 * The task in which a todo list was written. A sub-agent says who it is, and its client has noted for which tool call
 * it works; where neither is so, it is the task that began last. The main agent of a client that names its sub-agents is in none while
 * they work in the background.
 */
function findActiveTask(
  work: Work,
  turn: ToldTurn,
  event: TodoUpdate,
  record: TaskRecord,
): string | undefined {
  const { agentId } = event;
  const named = agentId && record.running.find((task) => task.agentId === agentId);
  if (named) return named.toolUseId;
  const noted = agentId && readSubagentNote(turn, subagentTranscripts(turn, agentId))?.toolUseId;
  if (noted && listTaskMarks(work.repo.worktreeRoot).includes(noted)) return noted;
  const inBackground = record.running.filter((task) => task.agentId !== undefined);
  const marks = listTaskMarks(work.repo.worktreeRoot).filter((id) =>
    inBackground.every(({ toolUseId }) => toolUseId !== id),
  );
  if (record.running.some(({ toolUseId }) => toolUseId === marks[0])) return marks[0];
  const foreign = tasksOfOthers(work.repo.commonDir, event.sessionId);
  return marks.find((id) => !foreign.has(id));
}

/** Counted where the checkpoints are; the record knows of those that a commit has taken over since. */
function lastSequence(work: Work, turn: ToldTurn, branch: ShadowBranch, toolUseId: string): number {
  const dir = `${taskDir(turn.sessionId, toolUseId)}/checkpoints/`;
  return Math.max(0, ...[...readShadowTree(work.git, branch, [dir]).keys()].map(sequenceOf));
}
