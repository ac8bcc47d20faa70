import type { SubagentEnd } from '../../agents/event.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { byTodaysRules } from '../../checkpoint/redact/custom.ts';
import { redactText, redactTranscript } from '../../checkpoint/redact/redact.ts';
import {
  agentTranscriptName,
  renderTaskCheckpoint,
  taskDir,
  taskSubject,
} from '../../checkpoint/task-files.ts';
import { blobId, type Change } from '../../git/object/objects.ts';
import { readStatus } from '../../git/worktree/status.ts';
import { withSessionLock } from '../../session/lock.ts';
import { removeTaskMark } from '../../session/record/task-mark.ts';
import { type RunningTask, readTaskRecord, writeTaskRecord } from '../../session/record/task-record.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import { tell } from '../progress.ts';
import { waitForLastWords } from '../transcript/file.ts';
import { readLive } from '../transcript/live.ts';
import { readMask, trimMasked } from '../transcript/private.ts';
import { type RedactedTranscript, redactLive, secretsFor } from '../transcript/redacted.ts';
import { saveRedacted } from '../transcript/save.ts';
import type { ToldTurn, Work } from '../work.ts';
import { type FinishedTask, findTaskChanges } from './changes.ts';
import type { SaveTask } from './save.ts';
import { readSubagentNote, readText, subagentTranscripts } from './sub-agent-files.ts';

/**
 * A sub-agent is done: what it changed becomes a checkpoint of the task. Without changes nothing is written. The
 * mark of the task goes away, except when the checkpoint could not be saved.
 *
 * That a sub-agent stopped is said of every one, also of those whose tool call returns right after, and of the one
 * that compacts a conversation; those in the background are known by their agent. One that stopped before can be sent
 * on, and then stops again: its client has noted which tool call it belongs to.
 */
export async function endTask(work: Work, turn: ToldTurn, event: SubagentEnd, save: SaveTask): Promise<void> {
  const paths = subagentTranscripts(turn, event.agentId, event.subagentTranscriptPath);
  const format = transcriptFormatOf(turn.agentType);
  const awaited = paths[0] ?? (format.partOfSubagent && turn.transcriptPath);
  await waitForLastWords(format, awaited, event.lastAssistantMessage, event.transcriptMark);

  await withSessionLock(work.sessions, turn.sessionId, async () => {
    const record = readTaskRecord(work.repo.commonDir, turn.sessionId);
    const mask = readMask(work.repo.commonDir, turn.sessionId);
    const known = record.running.find((task) => isTask(task, event));
    // Only where somebody asks: of a task that is not known it is the whole transcript.
    const readSessionPart = () => readText(format, turn.transcriptPath ?? '', known?.transcriptBytes, mask);
    const ownTranscript =
      paths.map((path) => trimMasked(mask, readText(format, path, 0, mask))).find(Boolean) ??
      format.partOfSubagent?.(readSessionPart(), event.agentId ?? '') ??
      '';
    const again =
      known || event.toolUseId || ownTranscript === '' ? undefined : readSubagentNote(turn, paths);
    const toolUseId = event.toolUseId ?? known?.toolUseId ?? again?.toolUseId;
    if (!toolUseId || (again && record.running.some((task) => task.toolUseId === toolUseId)))
      return log('debug', 'a sub-agent stopped that no task is known for, or whose tool call is waited for');
    const status = readStatus(work.git);
    const task: FinishedTask = {
      sessionId: turn.sessionId,
      toolUseId,
      known,
      ownTranscript,
      sessionPart: readSessionPart(),
    };
    const changed = status.head ? findTaskChanges(work, format, status, record, task) : [];
    const named = { ...event, description: event.description || (again?.description ?? '') };
    let redacted: string[] = [];
    if (status.head && changed.length > 0) {
      const session = await redactLive(readLive(work.repo.commonDir, turn));
      const { files, subject, transcriptBlobs } = await describeTask(turn, named, task, session, status.head);
      const step = { toolUseId, paths: changed, transcript: session, describe: () => ({ subject, files }) };
      const isStored = await save(work, turn, status, status.head, step);
      saveRedacted(session, status.head);
      if (!isStored) redacted = transcriptBlobs;
    } else tell('[entire] No file changes detected, skipping task checkpoint');

    removeTaskMark(work.repo.worktreeRoot, toolUseId);
    writeTaskRecord(work.repo.commonDir, turn.sessionId, {
      running: record.running.filter((other) => other !== known).map(withSaved(work, changed)),
      redacted: [...record.redacted, ...redacted],
    });
  });
}

const isTask = (task: RunningTask, event: SubagentEnd): boolean =>
  event.toolUseId ? task.toolUseId === event.toolUseId : !!event.agentId && task.agentId === event.agentId;

/** What one task saved is not a change of those that run beside it. */
function withSaved(work: Work, paths: readonly string[]): (task: RunningTask) => RunningTask {
  const saved = fingerprints(work.repo.worktreeRoot, paths);
  return (task) => ({ ...task, paths: new Map([...task.paths, ...saved]) });
}

/** Subject and metadata files of a task's checkpoint, redacted; and the blob that a transcript among them becomes. */
async function describeTask(
  turn: ToldTurn,
  event: SubagentEnd,
  { toolUseId, known, ownTranscript, sessionPart }: FinishedTask,
  session: RedactedTranscript,
  like: ObjectId,
): Promise<{ files: Change[]; subject: string; transcriptBlobs: string[] }> {
  const dir = taskDir(turn.sessionId, toolUseId);
  const agentId = event.agentId ?? known?.agentId ?? '';
  const called = event.description || (known?.description ?? '');
  // A sub-agent is told what its session knows, secrets included.
  const secrets = secretsFor(session, called + ownTranscript);
  const type = await redactText(event.subagentType || (known?.subagentType ?? ''));
  const description = await redactText(called, secrets);
  const own =
    ownTranscript === '' || agentId === '' ? '' : (await redactTranscript(ownTranscript, secrets)).text;
  const checkpoint = renderTaskCheckpoint({
    sessionId: turn.sessionId,
    toolUseId,
    checkpointUuid: transcriptFormatOf(turn.agentType).findToolResult(sessionPart, toolUseId),
    agentId,
  });
  const files: Array<{ path: string; data: string | Uint8Array }> = [
    { path: `${dir}/checkpoint.json`, data: checkpoint },
  ];
  if (own !== '') files.push({ path: `${dir}/${agentTranscriptName(agentId)}`, data: own });
  return {
    files: files.map((file) => ({ ...file, mode: '100644' })),
    subject: taskSubject(type, description, toolUseId),
    transcriptBlobs: own === '' ? [] : [byTodaysRules(blobId(own, like))],
  };
}
