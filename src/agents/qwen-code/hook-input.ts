import { parseToolUseId } from '../../base/ids.ts';
import { asObject, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { namesAgent, openPayload, parseRead, replacedTexts, runningAgents, text } from '../shared/payload.ts';

/** How the payloads of Qwen Code's hooks are read. */
export const qwenHooks = { parseFileEdit, parseFileRead, parseHookInput };

/**
 * Translates the payload of one hook verb. `undefined` when the verb or the payload stands for no event: the client says
 * `UserPromptSubmit` before every request to the model, and between tool calls the prompt is empty.
 *
 * @see https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;

  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'session-start':
      return namesAgent(body) ? undefined : { type: 'SessionStart', ...base, source: text(body.source) };
    case 'user-prompt-submit':
      return parsePrompt(base, body);
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
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
        subagentTranscriptPath: ownTranscript(body),
        lastAssistantMessage: text(body.last_assistant_message),
      };
    default:
      return undefined;
  }
}

/** `submitted_prompt` is what was typed; `prompt` may have the files in it that were named with `@`. */
function parsePrompt(base: EventBase, payload: JsonObject): AgentEvent | undefined {
  const prompt = text(payload.submitted_prompt) ?? text(payload.prompt) ?? '';
  return prompt.trim() === '' ? undefined : { type: 'TurnStart', ...base, prompt };
}

/**
 * Before and after the tool that runs a sub-agent. The id of the model's call is the one that the transcript and the
 * sub-agent's note have; the client's own one is in hooks only.
 */
function parseTask(
  verb: 'pre-task' | 'post-task',
  base: EventBase,
  payload: JsonObject,
): AgentEvent | Rejected | undefined {
  if (payload.tool_name !== 'agent') return undefined;
  const toolUseId = parseToolUseId(payload.tool_call_id) ?? parseToolUseId(payload.tool_use_id);
  if (toolUseId === undefined) return { rejected: 'tool_call_id is required' };
  const input = asObject(payload.tool_input);
  const display = displayOf(payload);
  const subagentType = text(display.subagentName) ?? text(input.subagent_type) ?? '';
  const task = { ...base, toolUseId, subagentType, description: text(input.description) ?? '' };
  if (verb === 'pre-task') return { type: 'SubagentStart', ...task };
  const agentId = parseToolUseId(`${subagentType}-${toolUseId}`);
  if (display.status === 'background') return { type: 'SubagentLaunch', ...task, agentId };
  const unsaid = { subagentTranscriptPath: undefined, lastAssistantMessage: undefined };
  return { type: 'SubagentEnd', ...task, agentId, ...unsaid };
}

/** Of a sub-agent in the foreground the client names the transcript of the session. */
function ownTranscript(payload: JsonObject): string | undefined {
  const path = text(payload.agent_transcript_path);
  return path === text(payload.transcript_path) ? undefined : path;
}

const EDIT_TOOLS: readonly unknown[] = ['write_file', 'edit', 'notebook_edit'];

/** Translates a `PostToolUse` payload. `undefined` when the tool is none that writes the file it names. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = openPayload(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

/** Translates a `PostToolUse` payload of the tool that reads one file; where it fails, the client says `PostToolUseFailure`. */
function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  return parseRead(payload, 'read_file', 'file_path');
}

function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const input = asObject(body.tool_input);
  const path = text(input.file_path) ?? text(input.notebook_path);
  if (path === undefined || !EDIT_TOOLS.includes(body.tool_name)) return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: text(body.tool_name) ?? '',
    paths: [path],
    isShell: false,
    agentId: parseToolUseId(body.agent_id),
    before: textBefore(body),
    replaced: replacedTexts(path, [[input.old_string, input.new_string]]),
  };
}

/** A new file and an empty one have the same `originalContent`: the answer to the model tells them apart. */
function textBefore(payload: JsonObject): string | null | undefined {
  const { originalContent: told, originalContentTruncated: isCut } = displayOf(payload);
  if (told === null) return null;
  if (typeof told !== 'string' || isCut === true) return undefined;
  if (told !== '') return told;
  const response = asObject(payload.tool_response);
  const answer = text(response.llmContent) ?? '';
  if (/^(?:Successfully c|C)reated\b/.test(answer)) return null;
  return answer.startsWith('Successfully overwrote') ? '' : undefined;
}

/** What the client shows of a tool's work; empty where it shows a text. */
const displayOf = ({ tool_response }: JsonObject): JsonObject =>
  asObject(asObject(tool_response).returnDisplay);
