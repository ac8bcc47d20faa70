import type { SubagentLaunch, SubagentStart } from '../../agents/event.ts';
import { now } from '../../base/clock.ts';
import { disk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { readStatus, untrackedFiles } from '../../git/worktree/status.ts';
import { withSessionLock } from '../../session/lock.ts';
import { removeTaskMark, writeTaskMark } from '../../session/record/task-mark.ts';
import {
  type RunningTask,
  readTaskRecord,
  type TaskRecord,
  writeTaskRecord,
} from '../../session/record/task-record.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import { tell } from '../progress.ts';
import type { Work } from '../work.ts';

/** A sub-agent begins: remembers what the worktree looks like, so that its changes can be told from others. */
export async function startTask(work: Work, event: SubagentStart): Promise<void> {
  const { worktreeRoot, commonDir } = work.repo;
  const status = readStatus(work.git);
  const untracked = untrackedFiles(status);
  writeTaskMark(worktreeRoot, event.toolUseId, untracked);
  const task: RunningTask = {
    toolUseId: event.toolUseId,
    agentId: event.agentId,
    subagentType: event.subagentType,
    description: await redactText(event.description),
    startedAtMs: now().getTime(),
    transcriptBytes: sizeOf(event.transcriptPath),
    increments: 0,
    paths: fingerprints(worktreeRoot, [...status.changes.keys()]),
  };
  await withSessionLock(work.sessions, event.sessionId, () => {
    const record = readTaskRecord(commonDir, event.sessionId);
    const others = record.running.filter(({ toolUseId }) => toolUseId !== event.toolUseId);
    writeTaskRecord(commonDir, event.sessionId, { ...record, running: [...others, task] });
  });
  tell(`Captured state before task: ${untracked.length} untracked files`);
}

function sizeOf(path: string | undefined): number {
  try {
    return path ? (disk.statSync(path, { throwIfNoEntry: false })?.size ?? 0) : 0;
  } catch {
    return 0; // the transcript is then read from its start
  }
}

/** A sub-agent goes on in the background. What will say that it stopped names the agent, not the tool call. */
export async function launchTask(work: Work, event: SubagentLaunch): Promise<void> {
  const { agentId, sessionId, toolUseId } = event;
  await updateRecord(work, sessionId, (record) => ({
    ...record,
    running: record.running.map((task) => (task.toolUseId === toolUseId ? { ...task, agentId } : task)),
  }));
}

/**
 * Forgets sub-agents that nothing will report any more: interrupted, failed, or ended with their client. What they
 * changed is on record with their session. At a prompt or a stop the agent waits for none of its tool calls.
 *
 * @param running agents that go on in the background; `undefined` when nobody says
 */
export async function dropLostTasks(
  work: Work,
  sessionId: SessionId,
  running: readonly string[] | undefined,
): Promise<void> {
  const isLost = ({ agentId }: RunningTask) =>
    agentId === undefined || (running && !running.includes(agentId));
  if (!readTaskRecord(work.repo.commonDir, sessionId).running.some(isLost)) return;
  await updateRecord(work, sessionId, (record) => {
    for (const task of record.running.filter(isLost)) removeTaskMark(work.repo.worktreeRoot, task.toolUseId);
    return { ...record, running: record.running.filter((task) => !isLost(task)) };
  });
}

async function updateRecord(
  work: Work,
  sessionId: SessionId,
  change: (record: TaskRecord) => TaskRecord,
): Promise<void> {
  const { commonDir } = work.repo;
  await withSessionLock(work.sessions, sessionId, () =>
    writeTaskRecord(commonDir, sessionId, change(readTaskRecord(commonDir, sessionId))),
  );
}
