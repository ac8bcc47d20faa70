import { parseSessionId, parseToolUseId, type SessionId } from '../../base/ids.ts';
import type { AgentEvent, FileEdit } from '../event.ts';

/** A payload that names no session, or one whose id must not become part of a path. */
export type Rejected = { readonly rejected: string };

type Payload = Readonly<Record<string, unknown>>;

/**
 * Translates the payload of one hook verb; `post-todo` and unknown ones stand for no event. `undefined` when the verb or the payload stands for no event.
 * Other tools run Claude's hooks with payloads of their own; those lack a usable `session_id` and are rejected.
 *
 * @see https://docs.claude.com/en/docs/claude-code/hooks
 */
export function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  if (!isRecord(payload)) return { rejected: 'the payload is not a JSON object' };
  const sessionId = parseSessionId(payload.session_id);
  if (sessionId === undefined) return { rejected: describeBadId(payload.session_id) };
  const base = { sessionId, cwd: text(payload.cwd), transcriptPath: text(payload.transcript_path) };

  switch (verb) {
    case 'post-file-edit':
      return parseFileEdit(payload);
    case 'session-start':
      return { type: 'SessionStart', ...base, source: text(payload.source) };
    case 'user-prompt-submit':
      return { type: 'TurnStart', ...base, prompt: text(payload.prompt) ?? '' };
    case 'stop':
      return { type: 'TurnEnd', ...base, lastAssistantMessage: text(payload.last_assistant_message) };
    case 'session-end':
      return { type: 'SessionEnd', ...base, reason: text(payload.reason) };
    case 'pre-compact':
      return { type: 'Compaction', ...base };
    case 'pre-task': {
      const toolUseId = parseToolUseId(payload.tool_use_id);
      return toolUseId === undefined
        ? { rejected: 'tool_use_id is required' }
        : { type: 'SubagentStart', ...base, toolUseId };
    }
    case 'post-task':
    case 'subagent-stop': {
      const response = isRecord(payload.tool_response) ? payload.tool_response : {};
      return {
        type: 'SubagentEnd',
        ...base,
        toolUseId: parseToolUseId(payload.tool_use_id),
        agentId: parseToolUseId(verb === 'subagent-stop' ? payload.agent_id : response.agentId),
        final: verb === 'subagent-stop',
      };
    }
    default:
      return undefined;
  }
}

/**
 * Translates a `PostToolUse` payload. `undefined` when the tool changed no file that it names: a shell command
 * without `bashEditDiff`, a tool without a path.
 */
export function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  if (!isRecord(payload)) return { rejected: 'the payload is not a JSON object' };
  const sessionId = parseSessionId(payload.session_id);
  if (sessionId === undefined) return { rejected: describeBadId(payload.session_id) };
  const paths = editedPaths(payload);
  if (paths.length === 0) return undefined;
  return {
    type: 'FileEdit',
    sessionId: sessionId as SessionId,
    cwd: text(payload.cwd),
    transcriptPath: text(payload.transcript_path),
    tool: text(payload.tool_name) ?? '',
    paths,
  };
}

/** Tools that name a file and leave it as it is; a hook without a matcher would send them, too. */
const READING_TOOLS: readonly unknown[] = ['Read', 'NotebookRead', 'Grep', 'Glob', 'LS'];

function editedPaths(payload: Payload): string[] {
  if (READING_TOOLS.includes(payload.tool_name)) return [];
  const input = isRecord(payload.tool_input) ? payload.tool_input : {};
  if (payload.tool_name === 'Bash') {
    const response = isRecord(payload.tool_response) ? payload.tool_response : {};
    const diff = isRecord(response.bashEditDiff) ? response.bashEditDiff : {};
    const changed: readonly unknown[] = Array.isArray(diff.changedFiles) ? diff.changedFiles : [];
    return changed.flatMap((path) => text(path) ?? []);
  }
  const path = text(input.file_path) ?? text(input.notebook_path);
  return path === undefined ? [] : [path];
}

function describeBadId(value: unknown): string {
  if (value === undefined || value === '') return 'the payload has no session_id';
  return 'the session_id holds characters that must not become part of a path';
}

function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
