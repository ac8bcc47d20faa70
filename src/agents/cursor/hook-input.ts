import { parseSessionId, parseToolUseId } from '../../base/ids.ts';
import { asList, asObjects, isObject, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, Rejected } from '../event.ts';
import { NOT_AN_OBJECT, type OpenPayload, replacedTexts, text } from '../shared/payload.ts';

/**
 * Translates the payload of one hook verb. `undefined` when the verb or the payload stands for no event. A conversation is
 * what we call a session.
 *
 * @see https://cursor.com/docs/agent/hooks
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = open(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'session-start':
      return { type: 'SessionStart', ...base, source: text(body.source) };
    case 'before-submit-prompt':
      return { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'stop':
      return { type: 'TurnEnd', ...base, lastAssistantMessage: undefined, runningAgents: undefined };
    case 'session-end':
      return { type: 'SessionEnd', ...base };
    case 'pre-compact':
      return { type: 'Compaction', ...base };
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
    case 'subagent-start':
    case 'subagent-stop':
      return parseSubagent(verb, base, body);
    default:
      return undefined;
  }
}

function open(payload: unknown): OpenPayload | Rejected {
  if (!isObject(payload)) return NOT_AN_OBJECT;
  const sessionId = parseSessionId(payload.conversation_id) ?? parseSessionId(payload.session_id);
  if (sessionId === undefined)
    return { rejected: 'the payload has no conversation_id that a path may be made of' };
  return {
    base: { sessionId, cwd: folderOf(payload), transcriptPath: text(payload.transcript_path) },
    body: payload,
  };
}

/** Of several folders that are open no one is that of the session; the client runs hooks in that of their project. */
function folderOf({ cwd, workspace_roots }: JsonObject): string | undefined {
  const roots = asList(workspace_roots);
  return text(cwd) ?? (roots.length === 1 ? text(roots[0]) : undefined);
}

/** A sub-agent is known by its own id. One without a task is the client's own housekeeping. */
function parseSubagent(
  verb: 'subagent-start' | 'subagent-stop',
  base: EventBase,
  payload: JsonObject,
): AgentEvent | undefined {
  const toolUseId = parseToolUseId(payload.subagent_id);
  const description = text(payload.task);
  if (toolUseId === undefined || description === undefined) return undefined;
  const task = { ...base, toolUseId, subagentType: text(payload.subagent_type) ?? '', description };
  if (verb === 'subagent-start') return { type: 'SubagentStart', ...task };
  return {
    type: 'SubagentEnd',
    ...task,
    agentId: toolUseId,
    subagentTranscriptPath: text(payload.agent_transcript_path),
    lastAssistantMessage: undefined,
  };
}

/** Translates the payload of `afterFileEdit`. `undefined` when it names no file. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = open(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

function fileEdit(base: EventBase, { file_path, hook_event_name, edits }: JsonObject): FileEdit | undefined {
  const path = text(file_path);
  // It reads files with hooks, too, whose payloads look alike.
  if (path === undefined || (hook_event_name !== undefined && hook_event_name !== 'afterFileEdit'))
    return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: 'afterFileEdit',
    paths: [path],
    isShell: false,
    agentId: undefined,
    before: undefined,
    replaced: replacedTexts(
      path,
      asObjects(edits).map(({ old_string, new_string }) => [old_string, new_string]),
    ),
  };
}

/** Cursor's hooks. */
export const cursorHooks = { parseFileEdit, parseHookInput };
