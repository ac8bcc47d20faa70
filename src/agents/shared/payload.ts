import type { Replaced, Swap } from '../../base/file/swaps.ts';
import { parseSessionId, parseToolUseId } from '../../base/ids.ts';
import { asObject, isObject, type JsonObject } from '../../base/text/json.ts';
import type { EventBase, FileRead, Rejected } from '../event.ts';

/** A payload that names its session: what every event made of it says, and all that it holds. */
export interface OpenPayload {
  readonly base: EventBase;
  readonly body: JsonObject;
}

/** Opens a payload that tells the session in `session_id`, `cwd` and `transcript_path`, as most agents do. */
export function openPayload(payload: unknown): OpenPayload | Rejected {
  if (!isObject(payload)) return NOT_AN_OBJECT;
  const sessionId = parseSessionId(payload.session_id);
  if (sessionId === undefined) return { rejected: describeBadId(payload.session_id) };
  return {
    base: { sessionId, cwd: text(payload.cwd), transcriptPath: text(payload.transcript_path) },
    body: payload,
  };
}

/**
 * Translates what comes after a tool that reads one file. `undefined` for other tools, and where it names none.
 *
 * @param key under which the tool's input names the file
 */
export function parseRead(payload: unknown, tool: string, key: string): FileRead | Rejected | undefined {
  const opened = openPayload(payload);
  if ('rejected' in opened) return opened;
  const { base, body } = opened;
  const path = body.tool_name === tool ? text(asObject(body.tool_input)[key]) : undefined;
  return path === undefined ? undefined : { type: 'FileRead', ...base, paths: [path] };
}

export const NOT_AN_OBJECT: Rejected = { rejected: 'the payload is not a JSON object' };

/** Why an id is none, by the name that the agent has for it. */
export const describeBadId = (value: unknown, name = 'session_id'): string =>
  value === undefined || value === ''
    ? `the payload has no ${name}`
    : `the ${name} holds characters that must not become part of a path`;

/** A text that says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * What a tool replaced in one file, where all of it is told. One that replaces nothing by something writes a file as a whole, which
 * says nothing of what was there.
 */
export function replacedTexts(
  path: string,
  told: readonly (readonly [old: unknown, put: unknown])[],
): Map<string, Replaced> {
  const isTold = (swap: readonly [unknown, unknown]): swap is Swap =>
    typeof swap[0] === 'string' && typeof swap[1] === 'string' && swap[0] !== '';
  const swaps = told.filter(isTold);
  return new Map(
    swaps.length > 0 && swaps.length === told.length ? [[path, { swaps, isByLine: false }]] : [],
  );
}

/** Whether it comes from within a sub-agent, of clients whose sub-agents go by the id of their session. */
export const namesAgent = ({ agent_id }: JsonObject): boolean => agent_id !== undefined && agent_id !== null;

/** Sub-agents among the background tasks of a stop, from clients that list them as Claude Code does. */
export function runningAgents(tasks: unknown): string[] | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return tasks.flatMap((task) => {
    const agent = isObject(task) && task.status === 'running' ? parseToolUseId(task.id) : undefined;
    return agent ?? [];
  });
}
