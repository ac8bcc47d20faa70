import { parseSessionId } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import type { AgentEvent, FileEdit, Rejected } from '../event.ts';

/** How the payloads of our extension for Pi are read. */
export const piHooks = { parseFileEdit, parseHookInput };

/**
 * Translates what our extension sends; its verbs are Pi's own events. `undefined` when the verb stands for no event.
 *
 * @see `extension.ts`
 */
function parseHookInput(verb: string, payload: unknown): AgentEvent | Rejected | undefined {
  if (verb === 'post-file-edit') return parseFileEdit(payload);
  const base = parseBase(payload);
  if ('rejected' in base || !isObject(payload)) return base as Rejected;

  switch (verb) {
    case 'session_start':
      return { type: 'SessionStart', ...base, source: text(payload.source) };
    case 'before_agent_start':
      return { type: 'TurnStart', ...base, prompt: text(payload.prompt) ?? '' };
    case 'post-shell':
      return { type: 'ShellCommand', ...base };
    case 'agent_end':
      return {
        type: 'TurnEnd',
        ...base,
        lastAssistantMessage: text(payload.last_assistant_message),
        runningAgents: undefined,
      };
    case 'session_compact':
      return { type: 'Compaction', ...base };
    case 'session_shutdown':
      return { type: 'SessionEnd', ...base };
    default:
      return undefined;
  }
}

type Base = Pick<FileEdit, 'sessionId' | 'cwd' | 'transcriptPath'>;

/** There is no `session_file` with `--no-session`. */
function parseBase(payload: unknown): Base | Rejected {
  if (!isObject(payload)) return { rejected: 'the payload is not a JSON object' };
  const sessionId = parseSessionId(payload.session_id);
  if (sessionId === undefined) return { rejected: describeBadId(payload.session_id) };
  return { sessionId, cwd: text(payload.cwd), transcriptPath: text(payload.session_file) };
}

/** `undefined` when no file is named. */
function parseFileEdit(payload: unknown): FileEdit | Rejected | undefined {
  const base = parseBase(payload);
  if ('rejected' in base || !isObject(payload)) return base as Rejected;
  const path = text(payload.path);
  if (path === undefined) return undefined;
  const { before } = payload;
  return {
    type: 'FileEdit',
    ...base,
    tool: text(payload.tool_name) ?? '',
    paths: [path],
    isShell: false,
    agentId: undefined,
    before: typeof before === 'string' || before === null ? before : undefined,
  };
}

function describeBadId(value: unknown): string {
  if (value === undefined || value === '') return 'the payload has no session_id';
  return 'the session_id holds characters that must not become part of a path';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
