import { asList, asObject, asObjects, asText, parseJson } from '../../base/json.ts';
import type { Headless, HeadlessReader, HeadlessRequest, HeadlessSign, HeadlessStart } from '../headless.ts';
import type { MessageUsage } from '../message.ts';
import { resultText, wordsOf } from '../message-blocks.ts';
import type { TurnEvent } from '../turn-event.ts';

/**
 * Claude Code in its stream of JSON: messages go in on stdin while a turn is running, and each is printed again when the model gets
 * to hear it.
 *
 * @see https://docs.anthropic.com/en/docs/claude-code/sdk/sdk-headless
 */
export const claudeHeadless: Headless = {
  start({ prompt, resume, system, words }: HeadlessRequest): HeadlessStart {
    const args = [
      ...['--print', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'],
      ...['--include-partial-messages', '--replay-user-messages'],
      ...(resume === undefined ? [] : ['--resume', resume]),
      ...(system === undefined ? [] : ['--append-system-prompt', system]),
      ...words,
    ];
    return { program: 'claude', args, input: userLine(prompt), staysOpen: true };
  },
  reader: ({ prompt }) => new ClaudeReader(prompt),
  steer: userLine,
  sumsCost: true, // seen in 2.1.330, also when a session is gone on with
  interrupt: () =>
    line({ type: 'control_request', request_id: 'interrupt', request: { subtype: 'interrupt' } }),
};

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

function userLine(content: string): string {
  return line({ type: 'user', message: { role: 'user', content } });
}

/** What it says of a session that is not there, or is another folder's. Seen in 2.1.330. */
const NO_SESSION = 'No conversation found with session ID';

/** What it says when it has no key, or one that is not taken. */
const LOGIN = /\/login|invalid api key|not logged in|authentication_error/i;

class ClaudeReader implements HeadlessReader {
  private readonly prompt: string;
  /** Messages whose text came piece by piece. */
  private readonly streamed = new Set<string>();
  private streaming = '';
  private hasPrompt = false;
  private usage = NO_USAGE;

  constructor(prompt: string) {
    this.prompt = prompt;
  }

  read(text: string): readonly HeadlessSign[] {
    const { type, parent_tool_use_id, ...fields } = asObject(parseJson(text));
    if (typeof parent_tool_use_id === 'string') return []; // of a sub-agent: the tool's result says what came of it
    if (type === 'system') return fields.subtype === 'init' ? readSession(fields) : [];
    if (type === 'stream_event') return this.readPiece(asObject(fields.event));
    if (type === 'assistant') return this.readAnswer(asObject(fields.message));
    if (type === 'user' && fields.isReplay === true) return this.readHeard(asObject(fields.message));
    if (type === 'user') return readResults(asObject(fields.message));
    return type === 'result' ? this.readEnd(fields) : [];
  }

  private readPiece(event: Readonly<Record<string, unknown>>): readonly TurnEvent[] {
    if (event.type === 'message_start') this.streaming = asText(asObject(event.message).id);
    const delta = asObject(event.delta);
    if (event.type !== 'content_block_delta' || delta.type !== 'text_delta') return [];
    this.streamed.add(this.streaming);
    return delta.text === '' ? [] : [{ type: 'text', text: asText(delta.text) }];
  }

  private readAnswer({ id, content, model }: Readonly<Record<string, unknown>>): readonly TurnEvent[] {
    const isTold = this.streamed.has(asText(id)) || model === '<synthetic>'; // its own words, which the end tells
    return asObjects(content).flatMap((block): readonly TurnEvent[] => {
      if (block.type === 'text' && !isTold) return [{ type: 'text', text: asText(block.text) }];
      if (block.type !== 'tool_use') return [];
      return [{ type: 'tool_use', id: asText(block.id), name: asText(block.name), input: block.input }];
    });
  }

  /** The first of them is the prompt, unless that was a command; what came right behind it may be joined to it. */
  private readHeard({ content }: Readonly<Record<string, unknown>>): readonly TurnEvent[] {
    const text = wordsOf(content);
    const isPrompt = !this.hasPrompt && `${text}\n`.startsWith(`${this.prompt}\n`);
    if (!isPrompt) return [{ type: 'steered', text }];
    this.hasPrompt = true;
    const more = text.slice(this.prompt.length + 1);
    return more === '' ? [] : [{ type: 'steered', text: more }];
  }

  /** What was said too late for an answer gets one of its own, with an end of its own. */
  private readEnd(fields: Readonly<Record<string, unknown>>): readonly HeadlessSign[] {
    const { is_error, subtype, result, errors } = fields;
    const message = asText(result) || asList(errors).map(String).join('; ') || asText(subtype);
    const failure = {
      message,
      ...(LOGIN.test(message) ? { needsLogin: true as const } : {}),
      ...(message.startsWith(NO_SESSION) ? { hasNoSession: true as const } : {}),
    };
    this.usage = addUsage(this.usage, readUsage(fields));
    return [
      ...readSession(fields),
      { type: 'usage', usage: this.usage },
      { type: 'end', ...(is_error === true ? { failure } : {}) },
    ];
  }
}

const readSession = ({ session_id }: Readonly<Record<string, unknown>>): readonly HeadlessSign[] =>
  typeof session_id === 'string' ? [{ type: 'session', sessionId: session_id }] : [];

const readResults = ({ content }: Readonly<Record<string, unknown>>): readonly TurnEvent[] =>
  asObjects(asList(content)).flatMap((block): readonly TurnEvent[] =>
    block.type === 'tool_result'
      ? [
          {
            type: 'tool_result',
            tool_use_id: asText(block.tool_use_id),
            content: resultText(block),
            ...(block.is_error === true ? { is_error: true } : {}),
          },
        ]
      : [],
  );

function readUsage({ usage, total_cost_usd }: Readonly<Record<string, unknown>>): MessageUsage {
  const counts = asObject(usage);
  const count = (name: string): number => (Number.isSafeInteger(counts[name]) ? (counts[name] as number) : 0);
  return {
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    cache_creation_tokens: count('cache_creation_input_tokens'),
    cache_read_tokens: count('cache_read_input_tokens'),
    ...(typeof total_cost_usd === 'number' ? { cost_usd: total_cost_usd } : {}),
  };
}

const NO_USAGE: MessageUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_tokens: 0,
  cache_read_tokens: 0,
};

/** Tokens are those of one answer; what it has cost is a sum already. */
const addUsage = (before: MessageUsage, usage: MessageUsage): MessageUsage => ({
  ...usage,
  input_tokens: before.input_tokens + usage.input_tokens,
  output_tokens: before.output_tokens + usage.output_tokens,
  cache_creation_tokens: before.cache_creation_tokens + usage.cache_creation_tokens,
  cache_read_tokens: before.cache_read_tokens + usage.cache_read_tokens,
});
