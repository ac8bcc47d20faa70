import { parseToolUseId } from '../../base/ids.ts';
import { asObject, asObjects, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { type PatchTold, readPatch } from '../shared/apply-patch.ts';
import { openPayload, parseRead, text } from '../shared/payload.ts';

/**
 * Translates what our plugin in OpenCode says. `undefined` when the verb or the payload stands for no event. Sessions of
 * sub-agents are told under the id of the session that began them.
 *
 * @see https://opencode.ai/docs/plugins
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;

  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
    case 'session-start':
      return { type: 'SessionStart', ...base, source: text(body.source) };
    case 'turn-start':
      return { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'turn-end':
      return { type: 'TurnEnd', ...base, lastAssistantMessage: undefined, runningAgents: undefined };
    case 'transcript':
      return { type: 'TranscriptPart', ...base };
    case 'compaction':
      return { type: 'Compaction', ...base };
    case 'compacted':
      return { type: 'SessionStart', ...base, source: 'compact', mayBeRepeated: true };
    case 'session-end':
      return { type: 'SessionEnd', ...base };
    case 'subagent-start':
    case 'subagent-stop':
      return parseTask(verb, base, body);
    default:
      return undefined;
  }
}

/** Before and after the tool that runs a sub-agent, which is a session of its own. */
function parseTask(verb: string, base: EventBase, payload: JsonObject): AgentEvent | Rejected {
  const toolUseId = parseToolUseId(payload.tool_use_id);
  if (toolUseId === undefined) return { rejected: 'tool_use_id is required' };
  const input = asObject(payload.tool_input);
  const task = {
    ...base,
    toolUseId,
    subagentType: text(input.subagent_type) ?? '',
    description: text(input.description) ?? '',
  };
  if (verb === 'subagent-start') return { type: 'SubagentStart', ...task };
  const agentId = parseToolUseId(payload.agent_id);
  const unsaid = { subagentTranscriptPath: undefined, lastAssistantMessage: undefined };
  return { type: 'SubagentEnd', ...task, agentId, ...unsaid };
}

/** Translates what the plugin says after an edit tool. `undefined` when no file is named. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = openPayload(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

/** Translates what the plugin says after the tool that reads a file; it says nothing where that failed, or listed a folder. */
function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  return parseRead(payload, 'read', 'filePath');
}

function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const envelope = text(asObject(body.tool_input).patchText);
  const patch = envelope === undefined ? undefined : readPatch(envelope);
  const paths = editedPaths(body, patch);
  if (paths.length === 0) return undefined;
  return {
    type: 'FileEdit',
    ...base,
    tool: text(body.tool_name) ?? '',
    paths,
    isShell: false,
    agentId: parseToolUseId(body.agent_id),
    before: paths.length === 1 ? textBefore(body.before) : undefined,
    isBeforeExact: true,
    ...(patch && { replaced: patch.replaced, moved: patch.moved }),
  };
}

/** The file that the tool names, those of an `apply_patch` envelope, and those that the tool says it wrote. */
function editedPaths(payload: JsonObject, patch: PatchTold | undefined): string[] {
  const input = asObject(payload.tool_input);
  const written = asObjects(payload.files).flatMap((file) => [text(file.filePath), text(file.movePath)]);
  // Paths of an envelope are relative to the folder; the tool tells of the same ones in full.
  const named = written.length > 0 ? [] : (patch?.paths ?? []);
  const paths = [text(input.filePath), ...named, ...written];
  return [...new Set(paths.filter((path) => path !== undefined))];
}

const textBefore = (value: unknown): string | null | undefined =>
  value === null || typeof value === 'string' ? value : undefined;

/** How OpenCode's payloads are read. */
export const opencodeHooks = { parseFileEdit, parseFileRead, parseHookInput };
