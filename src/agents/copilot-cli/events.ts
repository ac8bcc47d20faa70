import { asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { findLines } from '../transcript/json-lines.ts';
import type { Compacted } from '../transcript/transcript.ts';

/** One event of a session, as a line of `events.jsonl` tells it. */
export interface SessionEvent {
  /** Line of the text, from 0. */
  readonly item: number;
  readonly type: string;
  readonly id: string;
  /** In milliseconds since 1970; 0 where the line does not say. */
  readonly timeMs: number;
  /** The sub-agent that it happened in; empty for the main agent. */
  readonly agentId: string;
  readonly data: JsonObject;
}

let parsed: { readonly text: string; readonly events: readonly SessionEvent[] } = { text: '', events: [] };

/** Parses every line; the last text is remembered, since its readers come one after the other. */
export function parseEvents(text: string): readonly SessionEvent[] {
  if (parsed.text !== text)
    parsed = { text, events: text.split('\n').flatMap((line, item) => parseEvent(line, item) ?? []) };
  return parsed.events;
}

/** `undefined` for what is half-written or foreign: the line still counts as an item, it just says nothing. */
export function parseEvent(line: string, item = 0): SessionEvent | undefined {
  if (line === '') return undefined;
  const row = parseJson(line);
  if (!isObject(row) || typeof row.type !== 'string') return undefined;
  return {
    item,
    type: row.type,
    id: asText(row.id),
    timeMs: Date.parse(asText(row.timestamp)) || 0,
    agentId: asText(row.agentId),
    data: asObject(row.data),
  };
}

export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** What a person typed: no words of skills, of other agents, or of the client itself. */
export function promptOf({ type, agentId, data }: SessionEvent): string | undefined {
  if (type !== 'user.message' || agentId !== '' || data.isAutopilotContinuation === true) return undefined;
  const source = asText(data.source);
  if (source !== '' && source !== 'user') return undefined;
  return cleanPrompt(asText(data.content)) || undefined;
}

/** That a sub-agent in the background is done comes as a prompt. */
export function cleanPrompt(text: string): string {
  const clean = text.trim();
  return clean.startsWith('<system_notification>') ? '' : clean;
}

/** Finds a compaction that was done, and not one of a sub-agent's own context. The client counts the tokens before and after. */
export function findCompaction(fresh: Buffer): Compacted | undefined {
  for (const { line } of findLines(fresh, '"session.compaction_complete"')) {
    const event = parseEvent(line);
    if (event?.type !== 'session.compaction_complete' || event.agentId !== '') continue;
    const { success, preCompactionTokens: before, postCompactionTokens: after } = event.data;
    if (success === true)
      return { tokensBefore: countOf(before) || undefined, tokensAfter: countOf(after) || undefined };
  }
  return undefined;
}

/**
 * The beginning of a transcript as one of another session: every line as the client wrote it, up to and including the
 * event `last`, with the id of the session replaced.
 *
 * @returns `undefined` when the event is not in it, as after the client's own way back
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line.includes(last) && parseEvent(line)?.id === last);
  if (last === '' || end === -1) return undefined;
  return `${lines
    .slice(0, end + 1)
    .map((line) => renamed(line, id))
    .join('\n')}\n`;
}

/** In a string of JSON quotes are escaped: what is found is a key. Sub-agents keep their ids. */
function renamed(line: string, id: string): string {
  const event = parseEvent(line);
  if (event?.type !== 'session.start' && event?.type !== 'hook.start') return line;
  return event.agentId === ''
    ? line.replaceAll(/"sessionId":"(?:[^"\\]|\\.)*"/g, `"sessionId":"${id}"`)
    : line;
}
