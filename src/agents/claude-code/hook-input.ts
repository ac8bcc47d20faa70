import type { Replaced, Swap } from '../../base/file/swaps.ts';
import { parseToolUseId } from '../../base/ids.ts';
import { asList, asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { namesAgent, openPayload, parseRead, runningAgents, text } from '../shared/payload.ts';

/**
 * Translates the payload of one hook verb. `undefined` when the verb or the payload stands for no event.
 * Other tools run Claude's hooks with payloads of their own; those lack a usable `session_id` and are rejected.
 *
 * @see https://docs.claude.com/en/docs/claude-code/hooks
 */
export function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  if (isOfAnotherClient(payload)) return undefined;
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;

  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'session-start':
      return namesAgent(body) ? undefined : { type: 'SessionStart', ...base, source: text(body.source) };
    case 'user-prompt-submit':
      return { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'stop':
      return {
        type: 'TurnEnd',
        ...base,
        lastAssistantMessage: text(body.last_assistant_message),
        runningAgents: runningAgents(body.background_tasks),
      };
    case 'session-end':
      return { type: 'SessionEnd', ...base };
    case 'pre-compact':
      return namesAgent(body) ? undefined : { type: 'Compaction', ...base }; // sub-agents compact what is theirs
    case 'pre-task':
    case 'post-task':
      return parseTask(verb, base, body);
    case 'subagent-stop':
      return {
        type: 'SubagentEnd',
        ...base,
        subagentType: text(body.agent_type) ?? '',
        description: '',
        toolUseId: undefined,
        agentId: parseToolUseId(body.agent_id),
        subagentTranscriptPath: text(body.agent_transcript_path),
        lastAssistantMessage: text(body.last_assistant_message),
      };
    case 'post-todo':
      return {
        type: 'TodoUpdate',
        ...base,
        agentId: parseToolUseId(body.agent_id),
        tool: text(body.tool_name) ?? 'TodoWrite',
        toolInput: body.tool_input,
        label: todoLabel(body.tool_input),
      };
    default:
      return undefined;
  }
}

/** Claude Code's hooks. */
export const claudeHooks = { parseFileEdit, parseFileRead, parseShellInEdit, parseHookInput };

const isOfAnotherClient = (payload: unknown): boolean =>
  isObject(payload) && (isOfCopilot(payload) || isOfCursor(payload));

/**
 * Copilot CLI runs the hooks in Claude's settings, too, and tells them of its own sessions in Claude's words: with the
 * time, which Claude does not tell, and with a transcript of another name, or none.
 */
function isOfCopilot({ timestamp, transcript_path }: JsonObject): boolean {
  const path = text(transcript_path);
  return typeof timestamp === 'string' && (path === undefined || /[/\\]events\.jsonl$/.test(path));
}

/** Cursor does so as well, and always says which conversation it is, or which version of it. */
const isOfCursor = (payload: JsonObject): boolean =>
  payload.conversation_id !== undefined || payload.cursor_version !== undefined;

/** Before and after the tool that runs a sub-agent. Its id becomes part of paths, so it must be a harmless one. */
function parseTask(
  verb: 'pre-task' | 'post-task',
  base: EventBase,
  payload: JsonObject,
): AgentEvent | Rejected {
  const toolUseId = parseToolUseId(payload.tool_use_id);
  if (toolUseId === undefined) return { rejected: 'tool_use_id is required' };
  const input = asObject(payload.tool_input);
  const task = {
    ...base,
    toolUseId,
    subagentType: text(input.subagent_type) ?? '',
    description: text(input.description) ?? '',
  };
  if (verb === 'pre-task') return { type: 'SubagentStart', ...task };
  const response = asObject(payload.tool_response);
  const agentId = parseToolUseId(response.agentId);
  if (response.status === 'async_launched') return { type: 'SubagentLaunch', ...task, agentId };
  const unsaid = { subagentTranscriptPath: undefined, lastAssistantMessage: undefined };
  return { type: 'SubagentEnd', ...task, agentId, ...unsaid };
}

/** What the todo list says of the work: the item completed last, else how many are planned. */
function todoLabel(input: unknown): string {
  const todos = asList(asObject(input).todos);
  const done = todos.findLast((todo) => isObject(todo) && todo.status === 'completed');
  if (isObject(done)) return text(done.content) ?? '';
  return todos.length > 0 ? `Planning: ${todos.length} todos` : '';
}

/**
 * Translates a `PostToolUse` payload. `undefined` when the tool changed no file that it names: a shell command
 * without `bashEditDiff`, a tool without a path.
 */
export function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  if (isOfAnotherClient(payload)) return undefined;
  const opened = openPayload(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

/** The shell's `PostToolUse` has the verb of edits: it may tell of some. */
function parseShellInEdit(payload: unknown): EventBase | undefined {
  if (isOfAnotherClient(payload)) return undefined;
  const opened = openPayload(payload);
  return 'rejected' in opened || opened.body.tool_name !== 'Bash' ? undefined : opened.base;
}

/** Translates a `PostToolUse` payload of a tool that reads one file; the client sends none where that failed. */
export function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  return isOfAnotherClient(payload) ? undefined : parseRead(payload, 'Read', 'file_path');
}

function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const paths = editedPaths(body);
  if (paths.length === 0) return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: text(body.tool_name) ?? '',
    paths,
    isShell: body.tool_name === 'Bash',
    agentId: parseToolUseId(body.agent_id),
    before: textBefore(body.tool_response),
    ...(body.tool_name === 'Bash' && { replaced: replacedByShell(body) }),
  };
}

/** The blocks of lines that a shell command put in the place of others, by the files in which the client saw them change. */
function replacedByShell(body: JsonObject): Map<string, Replaced> {
  const files = asObjects(asObject(asObject(body.tool_response).bashEditDiff).files);
  const replaced = new Map<string, Replaced>();
  for (const file of files) {
    if (file.created === true || file.deleted === true) continue; // all of it is the change
    const swaps = asObjects(file.hunks).map(({ lines }) => swapOf(asList(lines).map(asText)));
    if (swaps.length > 0) replaced.set(asText(file.filePath), { swaps, isByLine: true });
  }
  return replaced;
}

/** Lines of a unified difference, as the text before and behind it. */
function swapOf(lines: readonly string[]): Swap {
  const side = (sign: string) =>
    lines
      .flatMap((line) => (line.startsWith(sign) || line.startsWith(' ') ? `${line.slice(1)}\n` : []))
      .join('');
  return [side('-'), side('+')];
}

/** Write and Edit tell `originalFile`, which is null where there was no file; NotebookEdit tells `original_file`. */
function textBefore(response: unknown): string | null | undefined {
  if (!isObject(response)) return undefined;
  const told = response.originalFile ?? response.original_file;
  if (typeof told === 'string') return told;
  return response.originalFile === null && response.type === 'create' ? null : undefined;
}

/** Tools that name a file and leave it as it is; a hook without a matcher would send them, too. */
const READING_TOOLS: readonly unknown[] = ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'];

function editedPaths(payload: JsonObject): string[] {
  if (READING_TOOLS.includes(payload.tool_name)) return [];
  const input = asObject(payload.tool_input);
  if (payload.tool_name === 'Bash') {
    const response = asObject(payload.tool_response);
    const diff = asObject(response.bashEditDiff);
    return asList(diff.changedFiles).flatMap((path) => text(path) ?? []);
  }
  const path = text(input.file_path) ?? text(input.notebook_path);
  return path === undefined ? [] : [path];
}
