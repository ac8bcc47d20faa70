import { dirname, join } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';
import { asObject, isObject, type JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { openPayload, parseRead, replacedTexts, text } from '../shared/payload.ts';

/** Tools that write the file they name; `edit_file` and `save_file` are names of older versions. */
const EDIT_TOOLS: readonly unknown[] = ['write_file', 'replace', 'edit_file', 'save_file'];

/**
 * Translates the payload of one hook verb of Gemini CLI. `undefined` when the verb or the payload stands for no event:
 * `before-model`, `after-tool` and others of the verbs that earlier releases installed.
 *
 * @see https://geminicli.com/docs/hooks/reference
 */
export function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'session-start':
      return startOf(base, text(body.source));
    case 'before-agent':
      return { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'after-agent':
      // `prompt_response` is everything that was said in the turn. The transcript is complete before this hook runs.
      return { type: 'TurnEnd', ...base, lastAssistantMessage: undefined, runningAgents: undefined };
    case 'session-end':
      return { type: 'SessionEnd', ...base };
    case 'pre-compress':
      // `auto` comes before every call of the model, whether anything is compressed or not.
      return body.trigger === 'manual' ? { type: 'Compaction', ...base } : undefined;
    case 'post-shell':
      return { type: 'ShellCommand', ...base, isSubagent: isOfSubagent(base) };
    default:
      return undefined;
  }
}

/** A client that resumes names a new file here, which it leaves for the old one before the first prompt. */
function startOf(base: EventBase, source: string | undefined): AgentEvent {
  const isKnown = source !== 'resume';
  return {
    type: 'SessionStart',
    ...base,
    transcriptPath: isKnown ? base.transcriptPath : undefined,
    source,
  };
}

/**
 * Whether a sub-agent ran what is over. Sub-agents go by the id of their session; each has a transcript of its own, in a folder beside
 * that of the session, and who ran something was the last to write.
 */
function isOfSubagent({ sessionId, transcriptPath }: EventBase): boolean {
  if (transcriptPath === undefined) return false;
  try {
    const folder = join(dirname(transcriptPath), sessionId);
    const writtenMs = disk.statSync(transcriptPath).mtimeMs;
    return listNames(folder).some((name) => disk.statSync(join(folder, name)).mtimeMs > writtenMs);
  } catch {
    return false; // no transcript yet, or none that can be looked at: then nobody was told to run a sub-agent
  }
}

/**
 * Translates an `AfterTool` payload. `undefined` for tools that name no file they wrote, and for calls that failed: the
 * hook runs after those, too.
 */
export function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = openPayload(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const { tool_name: tool, tool_input, tool_response } = body;
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
    replaced: replacedTexts(path as string, [[input.old_string, input.new_string]]),
  };
}

function textBefore({ isNewFile, originalContent }: JsonObject): string | null | undefined {
  if (isNewFile === true) return null;
  return typeof originalContent === 'string' ? originalContent : undefined;
}

/**
 * Translates an `AfterTool` payload of the tool that reads one file. `undefined` for calls that failed. Files that a prompt names
 * with `@` are read without a hook, and `read_many_files`, which does that, is none of the model's tools any more.
 */
export function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  const read = parseRead(payload, 'read_file', 'file_path');
  if (read === undefined || 'rejected' in read) return read;
  return isObject(asObject(asObject(payload).tool_response).error) ? undefined : read;
}

/** Gemini CLI's hooks. */
export const geminiHooks = { parseFileEdit, parseFileRead, parseHookInput };
