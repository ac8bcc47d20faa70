import type { JsonObject } from '../../base/text/json.ts';
import type { AgentEvent, EventBase, FileEdit, FileRead, Rejected } from '../event.ts';
import { type OpenPayload, openPayload, text } from '../shared/payload.ts';

/** How the payloads of our extension for Pi are read. */
export const piHooks = { parseFileEdit, parseFileRead, parseHookInput };

/**
 * Translates what our extension sends; its verbs are Pi's own events. `undefined` when the verb stands for no event.
 *
 * @see `extension.ts`
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  const opened = open(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;

  switch (verb) {
    case 'post-file-edit':
      return fileEdit(base, body);
    case 'session_start':
      return { type: 'SessionStart', ...base, source: text(body.source) };
    case 'before_agent_start':
      return { type: 'TurnStart', ...base, prompt: text(body.prompt) ?? '' };
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
    case 'agent_end':
      return {
        type: 'TurnEnd',
        ...base,
        lastAssistantMessage: text(body.last_assistant_message),
        runningAgents: undefined,
      };
    case 'session_before_compact':
      return { type: 'Compaction', ...base };
    case 'session_compact':
      return { type: 'SessionStart', ...base, source: 'compact', mayBeRepeated: true };
    case 'session_shutdown':
      return { type: 'SessionEnd', ...base };
    default:
      return undefined;
  }
}

/** There is no `session_file` with `--no-session`. */
function open(payload: unknown): OpenPayload | Rejected {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  return { base: { ...base, transcriptPath: text(body.session_file) }, body };
}

/** `undefined` when no file is named. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const opened = open(payload);
  return 'rejected' in opened ? opened : fileEdit(opened.base, opened.body);
}

/** Of the tool that reads; the extension says nothing where that failed. */
function parseFileRead(payload: unknown): FileRead | Rejected | undefined {
  const opened = open(payload);
  if ('rejected' in opened) return opened;
  const { tool_name: tool, path } = opened.body;
  const file = tool === 'read' ? text(path) : undefined;
  return file === undefined ? undefined : { type: 'FileRead', ...opened.base, paths: [file] };
}

function fileEdit(base: EventBase, body: JsonObject): FileEdit | undefined {
  const path = text(body.path);
  if (path === undefined) return undefined;
  const { before } = body;
  return {
    type: 'FileEdit',
    ...base,
    tool: text(body.tool_name) ?? '',
    paths: [path],
    isShell: false,
    agentId: undefined,
    before: typeof before === 'string' || before === null ? before : undefined,
    isBeforeExact: true,
  };
}
