import { asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { findLines } from '../shared/transcript/json-lines.ts';
import type { Compacted, ModelCall } from '../shared/transcript/transcript.ts';

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

/** Only lines with these words can tell of tokens. */
const TELLING = /"(?:session\.usage_record|assistant\.message|session\.shutdown)"/;

/**
 * Calls of the model, those of sub-agents included: they stand in the transcript of their session. Current clients leave
 * a record of each call. Older ones tell the output of each message, and with the end of the session what it was given.
 */
export function readCalls(text: string): ModelCall[] {
  const calls = new Map<string, ModelCall>();
  text.split('\n').forEach((line, item) => {
    const event = TELLING.test(line) ? parseEvent(line) : undefined;
    for (const { id, usage } of event ? callsOf(event) : []) {
      const known = calls.get(id);
      if (!known || usage.outputTokens > known.usage.outputTokens)
        calls.set(id, { id, item, usage, timeMs: event?.timeMs ?? 0 });
    }
  });
  return [...calls.values()];
}

type Call = Pick<ModelCall, 'id' | 'usage'>;

function callsOf({ type, data, id }: SessionEvent): Call[] {
  switch (type) {
    case 'session.usage_record': {
      const usage = asObject(data.usage);
      const callId = asText(usage.apiCallId) || asText(asObject(usage.accounting).usageId) || id;
      return callId === '' ? [] : [{ id: callId, usage: readUsage(usage) }];
    }
    case 'assistant.message': {
      const callId = asText(data.apiCallId) || asText(data.messageId);
      const outputTokens = countOf(data.outputTokens);
      return callId === '' || outputTokens === 0 ? [] : [{ id: callId, usage: { ...NOTHING, outputTokens } }];
    }
    case 'session.shutdown':
      // Clients that count what they have recorded have recorded it.
      return data.usageAccountingWatermarks === undefined ? totalsOf(data, id) : [];
    default:
      return [];
  }
}

const NOTHING = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

/** What the models of a session were given; what they answered has been counted message by message. */
const totalsOf = (data: JsonObject, id: string): Call[] =>
  Object.entries(asObject(data.modelMetrics)).flatMap(([model, metrics]) => {
    const usage = readUsage(asObject(asObject(metrics).usage));
    return id === '' ? [] : [{ id: `${id}/${model}`, usage: { ...usage, outputTokens: 0 } }];
  });

/** Whatever the provider, input is told with what was read from the cache and written to it. */
function readUsage(usage: JsonObject): ModelCall['usage'] {
  const cacheReadTokens = countOf(usage.cacheReadTokens);
  const cacheCreationTokens = countOf(usage.cacheWriteTokens);
  return {
    inputTokens: Math.max(0, countOf(usage.inputTokens) - cacheReadTokens - cacheCreationTokens),
    cacheCreationTokens,
    cacheReadTokens,
    outputTokens: countOf(usage.outputTokens),
  };
}
