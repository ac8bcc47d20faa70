import type { Replaced } from '../../base/file/swaps.ts';
import { sha256Of } from '../../base/hash.ts';
import { parseSessionId, parseToolUseId } from '../../base/ids.ts';
import { asObject, asObjects, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected, SessionStart } from '../event.ts';
import { type PatchTold, readPatch } from '../shared/apply-patch.ts';
import { openPayload, parseRead, replacedTexts, text } from '../shared/payload.ts';

/**
 * Translates the payload of one hook verb. `undefined` when the verb or the payload stands for no event.
 *
 * @see https://docs.factory.ai/reference/hooks-reference
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'session-start':
      return sessionStart(base, body);
    case 'user-prompt-submit':
      // Other releases run this verb at the start of a session, too, where nobody has typed anything yet.
      if (body.hook_event_name === 'SessionStart') return undefined;
      return { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'stop':
      return { type: 'TurnEnd', ...base, lastAssistantMessage: undefined, runningAgents: undefined };
    case 'session-end':
      return { type: 'SessionEnd', ...base };
    case 'pre-compact':
      return { type: 'Compaction', ...base };
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
    case 'pre-tool-use':
    case 'post-tool-use':
      return parseTask(verb, base, body);
    default:
      return undefined;
  }
}

/**
 * A compaction that somebody asks for leaves the session as it is, and begins another with the summary: its first start has the
 * source `compact`, and names the one before. Forks name theirs as well.
 */
function sessionStart(base: EventBase, body: JsonObject): SessionStart {
  const source = text(body.source);
  const previous = source === 'compact' ? parseSessionId(body.previous_session_id) : undefined;
  return { type: 'SessionStart', ...base, source, ...(previous && { previousSessionId: previous }) };
}

/** Before and after the tool that runs a sub-agent. */
function parseTask(
  verb: 'pre-tool-use' | 'post-tool-use',
  base: EventBase,
  payload: JsonObject,
): AgentEvent | undefined {
  if (payload.tool_name !== 'Task') return undefined;
  const input = asObject(payload.tool_input);
  const task = {
    ...base,
    toolUseId: parseToolUseId(payload.tool_use_id) ?? inventToolUseId(base.sessionId, payload),
    subagentType: text(input.subagent_type) ?? '',
    description: text(input.description) ?? '',
  };
  if (verb === 'pre-tool-use') return { type: 'SubagentStart', ...task };
  return {
    type: 'SubagentEnd',
    ...task,
    agentId: undefined,
    subagentTranscriptPath: undefined,
    lastAssistantMessage: undefined,
  };
}

/** The client names no call; what it was asked to do is the same before and after it. */
function inventToolUseId(sessionId: string, { tool_name, tool_input }: JsonObject): string {
  const call = [sessionId, tool_name, renderInput(tool_input)].join('\n');
  return `factorytask_${sha256Of(call).slice(0, 16)}`;
}

function renderInput(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return ''; // nested without end: calls of one session are then not told apart
  }
}

/** Translates a `PostToolUse` payload. `undefined` when the tool changed no file that it names. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = openPayload(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

/** Translates a `PostToolUse` payload of the tool that reads one file; where that fails, the client runs no hook. */
function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  return parseRead(payload, 'Read', 'file_path');
}

function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const { paths, replaced, moved } = readEdit(body);
  if (paths.length === 0) return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: text(body.tool_name) ?? '',
    paths,
    isShell: false,
    agentId: undefined,
    before: undefined,
    replaced,
    moved,
  };
}

const EDIT_TOOLS: readonly unknown[] = ['Create', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'];

function readEdit({ tool_name, tool_input, tool_response }: JsonObject): PatchTold {
  const input = asObject(tool_input);
  if (tool_name === 'ApplyPatch') {
    const patch = readPatch(text(input.input) ?? '');
    const told = patchedFiles(tool_response);
    return told.length > 0 ? { ...patch, paths: told } : patch;
  }
  const path = EDIT_TOOLS.includes(tool_name)
    ? (text(input.file_path) ?? text(input.notebook_path))
    : undefined;
  return {
    paths: path === undefined ? [] : [path],
    replaced: replacedBy(tool_name, input),
    moved: new Map(),
  };
}

/** The texts that a tool replaced. */
function replacedBy(tool_name: unknown, input: JsonObject): ReadonlyMap<string, Replaced> {
  const edits = tool_name === 'MultiEdit' ? asObjects(input.edits) : tool_name === 'Edit' ? [input] : [];
  const swaps = edits.map(
    (edit) => [edit.old_str ?? edit.old_string, edit.new_str ?? edit.new_string] as const,
  );
  return replacedTexts(text(input.file_path) ?? '', swaps);
}

/** What the answer says, which is a JSON text: absolute paths, of a moved file both. */
function patchedFiles(response: unknown): string[] {
  const answer = asObject(parseJson(text(response) ?? ''));
  return asObjects(answer.files).flatMap((file) =>
    [file.file_path, file.moved_to].flatMap((path) => text(path) ?? []),
  );
}

/** Factory Droid's hooks. */
export const droidHooks = { parseFileEdit, parseFileRead, parseHookInput };
