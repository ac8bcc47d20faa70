import { isAbsolute } from 'node:path';
import { parseSessionId, parseToolUseId } from '../../base/ids.ts';
import { isObject, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, FileEdit, Rejected, SubagentStart } from '../event.ts';

/** What a hook of an agent that is not built in stands for. */
export interface ParsedHook {
  readonly event: AgentEvent | undefined;
  /** Files that it says were changed, beside the event or as the event itself. */
  readonly edit: FileEdit | undefined;
  /** How the agent names the transcript: a path, or a word of its own; empty where it does not. */
  readonly reference: string;
}

/** Events by their number in the protocol. 8, the model in use, has no meaning for us. */
const TYPES = [
  undefined,
  'SessionStart',
  'TurnStart',
  'TurnEnd',
  'Compaction',
  'SessionEnd',
  'SubagentStart',
  'SubagentEnd',
  undefined,
  'FileEdit',
] as const;

/**
 * The answer to `parse-hook`. Takes any JSON value; never throws. Later versions of an agent may tell of what we do not know:
 * that stands for nothing.
 */
export function parseEvent(value: unknown): ParsedHook | Rejected | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) return { rejected: 'parse-hook answered with something that is not an object' };
  const type = typeof value.type === 'number' ? TYPES[value.type] : undefined;
  if (type === undefined) return undefined;
  const sessionId = parseSessionId(value.session_id);
  if (sessionId === undefined) return { rejected: 'no usable session id' };
  const reference = text(value.session_ref);
  const base = { sessionId, cwd: absolute(value.cwd), transcriptPath: absolute(reference) };
  const edit = editOf(base, value);
  if (type === 'FileEdit') return { event: undefined, edit, reference };
  const event = eventOf(type, base, value);
  return 'rejected' in event ? event : { event, edit, reference };
}

type EventType = Exclude<(typeof TYPES)[number], undefined | 'FileEdit'>;

function eventOf(type: EventType, base: Base, value: JsonObject): AgentEvent | Rejected {
  switch (type) {
    case 'SessionStart':
      return { ...base, type, source: undefined };
    case 'TurnStart':
      return { ...base, type, prompt: text(value.prompt) };
    case 'TurnEnd':
      return { ...base, type, lastAssistantMessage: undefined, runningAgents: undefined };
    case 'Compaction':
    case 'SessionEnd':
      return { ...base, type };
    case 'SubagentStart':
    case 'SubagentEnd':
      return taskEventOf(type, base, value);
  }
}

function taskEventOf(
  type: 'SubagentStart' | 'SubagentEnd',
  base: Base,
  value: JsonObject,
): AgentEvent | Rejected {
  const toolUseId = parseToolUseId(value.tool_use_id);
  const agentId = parseToolUseId(value.subagent_id);
  const task = { ...base, ...taskOf(value) };
  if (toolUseId !== undefined && type === 'SubagentStart') return { ...task, type, toolUseId };
  if (type === 'SubagentStart' || (toolUseId === undefined && agentId === undefined))
    return { rejected: 'a sub-agent without a usable id' };
  const unsaid = { subagentTranscriptPath: undefined, lastAssistantMessage: undefined };
  return { ...task, ...unsaid, type, toolUseId, agentId };
}

type Base = Pick<FileEdit, 'sessionId' | 'cwd' | 'transcriptPath'>;

const PATHS = ['modified_files', 'new_files', 'deleted_files'] as const;

function editOf(base: Base, value: JsonObject): FileEdit | undefined {
  const given = PATHS.flatMap((key): readonly unknown[] => (Array.isArray(value[key]) ? value[key] : []));
  const paths = given.filter((path): path is string => typeof path === 'string' && path !== '');
  return paths.length === 0 ? undefined : toEdit(base, paths, parseToolUseId(value.subagent_id));
}

/** Files that an agent changed, as the edit that they are. What they held before nobody says. */
export const toEdit = (base: Base, paths: readonly string[], agentId: string | undefined): FileEdit => ({
  ...base,
  type: 'FileEdit',
  tool: '',
  paths: [...new Set(paths)],
  isShell: false,
  agentId,
  before: undefined,
});

/** What a sub-agent is for: in fields of their own, or in what its tool was given. */
function taskOf(value: JsonObject): Pick<SubagentStart, 'subagentType' | 'description'> {
  const input = isObject(value.tool_input) ? value.tool_input : {};
  return {
    subagentType: text(value.subagent_type) || text(input.subagent_type),
    description: text(value.task_description) || text(input.description),
  };
}

/** A relative path would be another one for each process. */
const absolute = (value: unknown): string | undefined => (isAbsolute(text(value)) ? text(value) : undefined);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
