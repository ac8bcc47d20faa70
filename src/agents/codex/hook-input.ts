import { parseToolUseId } from '../../base/ids.ts';
import { asObject, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, Rejected } from '../event.ts';
import { readPatch } from '../shared/apply-patch.ts';
import { namesAgent, type OpenPayload, openPayload, text } from '../shared/payload.ts';

/**
 * Translates the payload of one hook verb. `undefined` when the verb or the payload stands for no event.
 *
 * Sub-agents run the hooks of their session: the payload has the session's id, the id of the sub-agent, and the path of the
 * sub-agent's own transcript. What they are told, and when they stop, is not the turn of the session.
 *
 * @see https://developers.openai.com/codex/hooks
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = open(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  const isOfSubagent = namesAgent(body);

  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'post-shell':
      return shellCommand(base, body);
    case 'post-tool-use': // what other releases of this hook are called: one verb for every tool
      return fileEdit(base, body) ?? shellCommand(base, body);
    case 'session-start':
      return isOfSubagent ? undefined : { type: 'SessionStart', ...base, source: text(body.source) };
    case 'user-prompt-submit':
      return isOfSubagent ? undefined : { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'stop':
    case 'interrupt': // a turn that the user stops has no other end
      if (isOfSubagent) return undefined;
      return {
        type: 'TurnEnd',
        ...base,
        lastAssistantMessage: text(body.last_assistant_message),
        runningAgents: undefined,
      };
    case 'session-end':
      return isOfSubagent ? undefined : { type: 'SessionEnd', ...base };
    case 'pre-compact':
      return isOfSubagent ? undefined : { type: 'Compaction', ...base };
    case 'subagent-start':
    case 'subagent-stop':
      return subagent(verb, base, body);
    default:
      return undefined;
  }
}

/** Translates a `PostToolUse` payload. `undefined` when the tool was not `apply_patch`, or its patch names no file. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = open(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

/** Codex's hooks. */
export const codexHooks = { parseFileEdit, parseHookInput };

function open(payload: unknown): OpenPayload | Rejected {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  return { base: { ...base, transcriptPath: sessionTranscript(body) }, body };
}

/** Where a sub-agent is concerned the payload has the path of its transcript; only when it stops, that of its session. */
function sessionTranscript(payload: JsonObject): string | undefined {
  if (namesAgent(payload) && payload.agent_transcript_path === undefined) return undefined;
  return text(payload.transcript_path);
}

/** `apply_patch` has its envelope in `tool_input.command`. A patch that does not fit runs no hook. */
function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const input = asObject(body.tool_input);
  if (body.tool_name !== 'apply_patch' || typeof input.command !== 'string') return undefined;
  const { paths, replaced, moved } = readPatch(input.command);
  if (paths.length === 0) return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: 'apply_patch',
    paths,
    isShell: false,
    agentId: parseToolUseId(body.agent_id),
    before: undefined,
    replaced,
    moved,
  };
}

const shellCommand = (base: EventBase, body: JsonObject): AgentEvent | undefined =>
  body.tool_name === 'Bash' ? { type: 'ShellCommand', ...base } : undefined;

/** No tool call is named: the id of the sub-agent stands for the task, and becomes part of paths. */
function subagent(
  verb: 'subagent-start' | 'subagent-stop',
  base: EventBase,
  body: JsonObject,
): AgentEvent | Rejected {
  const agentId = parseToolUseId(body.agent_id);
  if (agentId === undefined) return { rejected: 'agent_id is required' };
  const task = {
    ...base,
    toolUseId: agentId,
    agentId,
    subagentType: text(body.agent_type) ?? '',
    description: '',
  };
  if (verb === 'subagent-start') return { type: 'SubagentStart', ...task };
  return {
    type: 'SubagentEnd',
    ...task,
    subagentTranscriptPath: text(body.agent_transcript_path),
    lastAssistantMessage: text(body.last_assistant_message),
  };
}
