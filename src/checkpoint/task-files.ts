import * as z from 'zod/mini';
import { omitEmpty, parseJson, renderPrettyJson } from '../base/text/json.ts';
import { shortenLine } from '../base/text/text.ts';
import { metadataDir } from './shadow-branch.ts';

/** Folder of a task's metadata in shadow trees. */
export const taskDir = (sessionId: string, toolUseId: string): string =>
  `${metadataDir(sessionId)}/tasks/${toolUseId}`;

export const agentTranscriptName = (agentId: string): string => `agent-${agentId}.jsonl`;

export const incrementName = (sequence: number, toolUseId: string): string =>
  `checkpoints/${String(sequence).padStart(3, '0')}-${toolUseId}.json`;

/** Number of an incremental checkpoint, from its path. */
export const sequenceOf = (path: string): number =>
  Number(/\/checkpoints\/(\d+)-[^/]+\.json$/.exec(path)?.[1] ?? 0);

/** What `checkpoint.json` of a task says. */
export interface TaskCheckpoint {
  readonly sessionId: string;
  readonly toolUseId: string;
  /** Where the session's transcript holds what the task returned; empty when it does not. */
  readonly checkpointUuid: string;
  /** Empty when unknown. */
  readonly agentId: string;
}

/** `checkpoint.json` of a task on a shadow branch: all keys always, and no newline at the end. */
export function renderTaskCheckpoint(task: TaskCheckpoint): string {
  return renderPrettyJson(toStored(task, task.agentId)).trimEnd();
}

/** The same file in a committed checkpoint: without an empty agent id, and with a newline at the end. */
export function renderCommittedTask(task: TaskCheckpoint): string {
  return renderPrettyJson(toStored(task, omitEmpty(task.agentId)));
}

const toStored = (task: TaskCheckpoint, agentId: string | undefined) => ({
  session_id: task.sessionId,
  tool_use_id: task.toolUseId,
  checkpoint_uuid: task.checkpointUuid,
  agent_id: agentId,
});

/** Reads either form; `undefined` when it is none. */
export function parseTaskCheckpoint(json: string): TaskCheckpoint | undefined {
  const { data } = stored.safeParse(parseJson(json));
  if (!data) return undefined;
  return {
    sessionId: data.session_id,
    toolUseId: data.tool_use_id,
    checkpointUuid: data.checkpoint_uuid ?? '',
    agentId: data.agent_id ?? '',
  };
}

const stored = z.object({
  session_id: z.string(),
  tool_use_id: z.string(),
  checkpoint_uuid: z.nullish(z.string()),
  agent_id: z.nullish(z.string()),
});

/** What an incremental checkpoint says. */
export interface Increment {
  /** Tool that caused it. */
  readonly tool: string;
  readonly toolUseId: string;
  readonly timestamp: string;
  /** Input of the tool, redacted. */
  readonly data: unknown;
}

export function renderIncrement({ tool, toolUseId, timestamp, data }: Increment): string {
  return renderPrettyJson({ type: tool, tool_use_id: toolUseId, timestamp, data: data ?? null });
}

const TEXT_BYTES = 60;
const ID_BYTES = 12;

/** A subject must not end early, nor begin a trailer. */
const shorten = (text: string): string => shortenLine(text, TEXT_BYTES);

/** So much of a tool-use id as people are shown. */
export const shortTaskId = (toolUseId: string): string => toolUseId.slice(0, ID_BYTES);

/** Subject of a finished task's checkpoint. Texts are redacted before: half of a secret looks like none. */
export function taskSubject(subagentType: string, description: string, toolUseId: string): string {
  const [type, text, id] = [shorten(subagentType), shorten(description), shortTaskId(toolUseId)];
  if (type && text) return `Completed '${type}' agent: ${text} (${id})`;
  if (type) return `Completed '${type}' agent (${id})`;
  if (text) return `Completed agent: ${text} (${id})`;
  return `Task: ${id}`;
}

/** Subject of an incremental checkpoint. */
export function incrementSubject(label: string, sequence: number, toolUseId: string): string {
  const [text, id] = [shorten(label), shortTaskId(toolUseId)];
  return text ? `${text} (${id})` : `Checkpoint #${sequence}: ${id}`;
}
