import { dirname, join } from 'node:path';
import { parseToolUseId } from '../../base/ids.ts';
import {
  asList,
  asObject,
  asObjects,
  asText,
  isObject,
  type JsonObject,
  parseJson,
} from '../../base/text/json.ts';
import type { SubagentMention, SubagentNote } from '../shared/transcript/transcript.ts';
import { rolloutNames } from './session-home.ts';

/** One line of a rollout that says something. */
export interface Row {
  /** Line of the text, from 0. */
  readonly item: number;
  /** `session_meta`, `turn_context`, `response_item`, `event_msg`, `token_usage_record`, `compacted`, … */
  readonly type: string;
  /** Of the payload; an item that the client completed has that of the item. */
  readonly kind: string;
  /** The payload, or the item in it. */
  readonly payload: JsonObject;
  /** In milliseconds since 1970; 0 where the line does not say. */
  readonly timeMs: number;
  /** Lines are numbered by clients that also keep a record of each call's tokens. */
  readonly isNumbered: boolean;
}

let parsed: { readonly text: string; readonly rows: readonly Row[] } = { text: '', rows: [] };

/**
 * Reads a rollout or a part of one. Lines that are half-written or foreign still count as items; they just say nothing.
 * The last text is remembered, since its readers come one after the other.
 *
 * @see https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs `RolloutItem`
 */
export function parseRows(text: string): readonly Row[] {
  if (parsed.text !== text)
    parsed = { text, rows: text.split('\n').flatMap((raw, item) => parseRow(raw, item) ?? []) };
  return parsed.rows;
}

/** One line; `undefined` for what is none of a rollout. */
export function parseRow(raw: string, item = 0): Row | undefined {
  const line = raw === '' ? undefined : parseJson(raw);
  if (!isObject(line) || !isObject(line.payload) || typeof line.type !== 'string') return undefined;
  const isItem = line.payload.type === 'item_completed' && isObject(line.payload.item);
  const payload = isItem ? (line.payload.item as JsonObject) : line.payload;
  return {
    item,
    type: isItem ? 'item_completed' : line.type,
    kind: asText(payload.type),
    payload,
    timeMs: (typeof line.timestamp === 'string' && Date.parse(line.timestamp)) || 0,
    isNumbered: typeof line.ordinal === 'number',
  };
}

/** The texts of a message, in order; pictures and the like are none. */
export const contentTexts = (payload: JsonObject): string[] =>
  asObjects(payload.content).flatMap((part) => asText(part.text) || []);

/** A call of a tool, as the model asked for it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Free text, or the JSON text of its members. */
  readonly input: string;
  readonly isForeign: boolean;
}

const CALLS: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
const OUTPUTS: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output']);

/** The call that a row asks for; `undefined` where it asks for none. */
export function toolCall({ type, kind, payload }: Row): ToolCall | undefined {
  if (type !== 'response_item' || !CALLS.has(kind)) return undefined;
  const shell = asObject(payload.action);
  return {
    id: asText(payload.call_id) || asText(payload.id),
    name: kind === 'local_shell_call' ? 'shell' : asText(payload.name),
    input:
      kind === 'local_shell_call'
        ? JSON.stringify({ command: shell.command ?? '' })
        : asText(payload.input) || asText(payload.arguments),
    isForeign: /^mcp/.test(asText(payload.namespace)) || /^mcp__/.test(asText(payload.name)),
  };
}

/** What a call returned: the call's id, and the text that the model got. */
export function toolOutput({ type, kind, payload }: Row): { id: string; output: string } | undefined {
  if (type !== 'response_item' || !OUTPUTS.has(kind)) return undefined;
  const { output } = payload;
  const said = isObject(output) ? output.content : output;
  return { id: asText(payload.call_id), output: asText(said) || contentTexts({ content: said }).join('\n') };
}

/** Tools that run a command, by the names of all releases. `write_stdin` goes on with one; `exec` runs a program. */
const SHELLS: ReadonlySet<string> = new Set([
  'exec_command',
  'shell_command',
  'shell',
  'container.exec',
  'local_shell',
  'unified_exec',
  'write_stdin',
  'exec',
]);

/** Whether a row is a command, asked for or run. */
export const isShell = (row: Row): boolean =>
  SHELLS.has(toolCall(row)?.name ?? '') || row.kind === 'CommandExecution' || row.kind === 'exec_command_end';

/** What a person typed: items of today's clients, events of older ones. Messages of the user's role say more than that. */
export function promptOf({ type, kind, payload }: Row): string | undefined {
  const isItem = type === 'item_completed' && kind === 'UserMessage';
  const isEvent = type === 'event_msg' && kind === 'user_message';
  const said = isItem ? contentTexts(payload).join('\n\n') : isEvent ? asText(payload.message) : '';
  return cleanPrompt(said) || undefined;
}

/** IDEs put what is open in them before the prompt, under headings. */
const REQUEST = /^#{2,3} My request for Codex:[ \t]*$/m;

/** One prompt without what IDEs put before it. */
export function cleanPrompt(prompt: string): string {
  const request = REQUEST.exec(prompt);
  return (request ? prompt.slice(request.index + request[0].length) : prompt).trim();
}

/**
 * The beginning of a rollout as one of another session: every line as the client wrote it, up to and including the message
 * `last` and what the client noted of it (tokens, the end of the turn), with the id of the session replaced.
 *
 * @returns `undefined` when the message is not in it
 */
export function forkTranscript(transcript: string, last: string, id: string): string | undefined {
  const lines = transcript.split('\n');
  const at = lines.findIndex((line) => line.includes(last) && idOf(line) === last);
  if (last === '' || at === -1) return undefined;
  const old = sessionOf(lines);
  const next = lines.findIndex((line, index) => index > at && beginsSomething(line));
  return `${lines
    .slice(0, next === -1 ? lines.length : next)
    .filter((line) => line !== '')
    .map((line) => (old === '' ? line : renamed(line, old, id)))
    .join('\n')}\n`;
}

function idOf(line: string): string {
  const row = parseRow(line);
  return row?.type === 'response_item' ? asText(row.payload.id) : '';
}

/** A further message, or a further turn. */
function beginsSomething(line: string): boolean {
  const row = parseRow(line);
  return row !== undefined && (row.type !== 'event_msg' || row.kind === 'task_started') && !isNote(row.type);
}

const isNote = (type: string): boolean => ['token_usage_record', 'item_completed'].includes(type);

function sessionOf(lines: readonly string[]): string {
  for (const line of lines) {
    const row = line.includes('"session_meta"') ? parseRow(line) : undefined;
    if (row?.type === 'session_meta') return asText(row.payload.id);
  }
  return '';
}

/** In a string of JSON quotes are escaped: what is found is a key. */
const renamed = (line: string, old: string, id: string): string =>
  ['id', 'session_id', 'thread_id'].reduce(
    (renamedSoFar, key) => renamedSoFar.replaceAll(`"${key}":"${old}"`, `"${key}":"${id}"`),
    line,
  );

/** Sub-agents by the rows that name them: the note of a call that worked with some, or what starting one returned. */
export const readSubagents = (transcript: string): SubagentMention[] =>
  parseRows(transcript).flatMap((row) =>
    mentionedAgents(row).map((agentId) => ({ item: row.item, agentId })),
  );

/** The sub-agents that a row names. */
export function mentionedAgents(row: Row): string[] {
  if (row.kind === 'CollabAgentToolCall') {
    const { receiver_thread_ids: ids, receiver_agents: agents } = row.payload;
    const named = [...asList(ids), ...asObjects(agents).map((agent) => agent.thread_id)];
    return [...new Set(named.flatMap((id) => parseToolUseId(id) ?? []))];
  }
  const { output = '' } = toolOutput(row) ?? {};
  const answer = output.includes('"agent_id"') ? parseJson(output) : undefined;
  const id = isObject(answer) ? parseToolUseId(answer.agent_id) : undefined;
  return id === undefined ? [] : [id];
}

/**
 * Where the rollout of a sub-agent may be: beside that of its session, unless it was started on another day. Its name holds
 * the time at which it began, which its id tells.
 */
export function subagentTranscripts(sessionTranscript: string, _: string, agentId: string): string[] {
  const sessions = join(dirname(sessionTranscript), '../../..');
  const names = rolloutNames(agentId);
  return [...new Set(names.flatMap(({ name }) => join(dirname(sessionTranscript), name)))].concat(
    [...new Set(names.map(({ day, name }) => join(sessions, day, name)))].filter(
      (path) => dirname(path) !== dirname(sessionTranscript),
    ),
  );
}

/** The rollout of a sub-agent begins with what it is; the id of the sub-agent stands for the task. */
export function parseSubagentNote(transcript: string): SubagentNote | undefined {
  const end = transcript.indexOf('\n');
  const first = parseRow(end === -1 ? transcript : transcript.slice(0, end));
  if (first?.type !== 'session_meta' || asText(first.payload.parent_thread_id) === '') return undefined;
  const toolUseId = asText(first.payload.id);
  return toolUseId === '' ? undefined : { toolUseId, description: '' };
}
