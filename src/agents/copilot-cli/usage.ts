import { asObject, asText, type JsonObject } from '../../base/text/json.ts';
import type { ModelCall } from '../transcript/transcript.ts';
import { countOf, parseEvent, type SessionEvent } from './events.ts';

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
