import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { asObject, isObject, type JsonObject } from '../../base/json.ts';
import type { AgentEvent, FileEdit, Rejected } from '../event.ts';

/** Tools that write the file they name; `edit_file` and `save_file` are names of older versions. */
const EDIT_TOOLS: readonly unknown[] = ['write_file', 'replace', 'edit_file', 'save_file'];

interface Base {
  readonly sessionId: SessionId;
  readonly cwd: string | undefined;
  readonly transcriptPath: string | undefined;
}

/**
 * Translates the payload of one hook verb of Gemini CLI. `undefined` when the verb or the payload stands for no event:
 * `before-model`, `after-tool` and others of the verbs that earlier releases installed.
 *
 * @see https://geminicli.com/docs/hooks/reference
 */
export function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  if (verb === 'post-file-edit') return parseFileEdit(payload);
  const base = parseBase(payload);
  if ('rejected' in base) return base;
  const input = payload as JsonObject;
  switch (verb) {
    case 'session-start':
      return startOf(base, text(input.source));
    case 'before-agent':
      return { type: 'TurnStart', ...base, prompt: text(input.prompt) ?? '' };
    case 'after-agent':
      // `prompt_response` is everything that was said in the turn. The transcript is complete before this hook runs.
      return { type: 'TurnEnd', ...base, lastAssistantMessage: undefined, runningAgents: undefined };
    case 'session-end':
      return { type: 'SessionEnd', ...base };
    case 'pre-compress':
      // `auto` comes before every call of the model, whether anything is compressed or not.
      return input.trigger === 'manual' ? { type: 'Compaction', ...base } : undefined;
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
    default:
      return undefined;
  }
}

/** A client that resumes names a new file here, which it leaves for the old one before the first prompt. */
function startOf(base: Base, source: string | undefined): AgentEvent {
  const isKnown = source !== 'resume';
  return {
    type: 'SessionStart',
    ...base,
    transcriptPath: isKnown ? base.transcriptPath : undefined,
    source,
  };
}

/**
 * Translates an `AfterTool` payload. `undefined` for tools that name no file they wrote, and for calls that failed: the
 * hook runs after those, too.
 */
export function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const base = parseBase(payload);
  if ('rejected' in base) return base;
  const { tool_name: tool, tool_input, tool_response } = payload as JsonObject;
  const response = asObject(tool_response);
  if (!EDIT_TOOLS.includes(tool) || isObject(response.error)) return undefined;
  const display = asObject(response.returnDisplay);
  const input = asObject(tool_input);
  // The model may have named the file in part; what the client found is in its answer.
  const path = [display.filePath, input.file_path, input.path, input.filename].find((value) => text(value));
  if (path === undefined) return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: tool as string,
    paths: [path as string],
    isShell: false,
    agentId: undefined,
    before: textBefore(display),
  };
}

function textBefore({ isNewFile, originalContent }: JsonObject): string | null | undefined {
  if (isNewFile === true) return null;
  return typeof originalContent === 'string' ? originalContent : undefined;
}

/** Gemini CLI's hooks. */
export const geminiHooks = { parseFileEdit, parseHookInput };

/** What every payload has; sub-agents have the ids and the transcript of their session. */
function parseBase(payload: unknown): Base | Rejected {
  if (!isObject(payload)) return { rejected: 'the payload is not a JSON object' };
  const sessionId = parseSessionId(payload.session_id);
  if (sessionId === undefined) return { rejected: describeBadId(payload.session_id) };
  return { sessionId, cwd: text(payload.cwd), transcriptPath: text(payload.transcript_path) };
}

function describeBadId(value: unknown): string {
  if (value === undefined || value === '') return 'the payload has no session_id';
  return 'the session_id holds characters that must not become part of a path';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
