import { isAbsolute } from 'node:path';
import { parseSessionId, parseToolUseId } from '../../base/ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { AgentEvent, FileEdit, Rejected } from '../event.ts';

/** What a hook of an agent that is not built in stands for. */
export interface ParsedHook {
  readonly event: AgentEvent | undefined;
  /** Files that it says were changed, beside the event or as the event itself. */
  readonly edit: FileEdit | undefined;
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
  if (!isObject(value)) return { rejected: 'parse-hook answered with something that is no object' };
  const type = typeof value.type === 'number' ? TYPES[value.type] : undefined;
  if (type === undefined) return undefined;
  const sessionId = parseSessionId(value.session_id);
  if (sessionId === undefined) return { rejected: 'no usable session id' };
  const ref = text(value.session_ref);
  const base = {
    sessionId,
    cwd: isAbsolute(text(value.cwd)) ? text(value.cwd) : undefined,
    transcriptPath: ref === '' ? undefined : ref,
  };
  const edit = editOf(base, value);
  const toolUseId = parseToolUseId(value.tool_use_id);
  const task = taskOf(value);
  switch (type) {
    case 'SessionStart':
      return { event: { ...base, type, source: undefined }, edit };
    case 'TurnStart':
      return { event: { ...base, type, prompt: text(value.prompt) }, edit };
    case 'TurnEnd':
      return { event: { ...base, type, lastAssistantMessage: undefined, runningAgents: undefined }, edit };
    case 'Compaction':
    case 'SessionEnd':
      return { event: { ...base, type }, edit };
    case 'SubagentStart':
      if (toolUseId === undefined) return { rejected: 'a sub-agent without a usable tool use id' };
      return { event: { ...base, ...task, type, toolUseId }, edit };
    case 'SubagentEnd': {
      const agentId = parseToolUseId(value.subagent_id);
      if (toolUseId === undefined && agentId === undefined)
        return { rejected: 'a sub-agent without a usable id' };
      const unknown = { subagentTranscriptPath: undefined, lastAssistantMessage: undefined };
      return { event: { ...base, ...task, ...unknown, type, toolUseId, agentId }, edit };
    }
    case 'FileEdit':
      return { event: undefined, edit };
  }
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
function taskOf(value: JsonObject): { readonly subagentType: string; readonly description: string } {
  const input = isObject(value.tool_input) ? value.tool_input : {};
  return {
    subagentType: text(value.subagent_type) || text(input.subagent_type),
    description: text(value.task_description) || text(input.description),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
