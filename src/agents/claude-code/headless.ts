import { asList, asObject, asObjects, asText, parseJson } from '../../base/text/json.ts';
import type {
  Headless,
  HeadlessReader,
  HeadlessRequest,
  HeadlessSign,
  HeadlessStart,
  TurnEvent,
} from '../shared/headless/headless.ts';
import {
  addUsage,
  failureOf,
  jsonLine,
  placeSystem,
  readResults,
  usageOf,
} from '../shared/headless/words.ts';
import type { MessageUsage } from '../shared/session/message.ts';
import { wordsOf } from '../shared/transcript/message-blocks.ts';

/**
 * Claude Code in its stream of JSON: messages go in on stdin while a turn is running, and each is printed again when the model gets
 * to hear it.
 *
 * @see https://docs.anthropic.com/en/docs/claude-code/sdk/sdk-headless
 */
export const claudeHeadless: Headless = {
  start(request: HeadlessRequest): HeadlessStart {
    const { resume, words } = request;
    // The second option is in the list of the documentation, not in that of `--help`; seen in 2.1.330.
    const { prompt, args, ...place } = placeSystem(
      request,
      (text) => ['--append-system-prompt', text],
      (file) => ['--append-system-prompt-file', file],
    );
    const command = [
      ...['--print', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json'],
      ...['--include-partial-messages', '--replay-user-messages'],
      ...(resume === undefined ? [] : ['--resume', resume]),
      ...args,
      ...words,
    ];
    return { program: 'claude', args: command, ...place, input: userLine(prompt), staysOpen: true };
  },
  reader: ({ prompt }) => new ClaudeReader(prompt),
  steer: userLine,
  sumsCost: true, // seen in 2.1.330, also when a session is gone on with
  interrupt: () =>
    jsonLine({ type: 'control_request', request_id: 'interrupt', request: { subtype: 'interrupt' } }),
};

function userLine(content: string): string {
  return jsonLine({ type: 'user', message: { role: 'user', content } });
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
  private usage: MessageUsage | undefined;

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
      ...failureOf(message, LOGIN),
      ...(message.startsWith(NO_SESSION) ? { hasNoSession: true as const } : {}),
    };
    const { cost_usd, ...tokens } = readUsage(fields);
    this.usage = this.usage ? addUsage(this.usage, tokens) : tokens; // those of this answer
    const cost = cost_usd === undefined ? {} : { cost_usd }; // a sum already
    return [
      ...readSession(fields),
      { type: 'usage', usage: { ...this.usage, ...cost } },
      { type: 'end', ...(is_error === true ? { failure } : {}) },
    ];
  }
}

const readSession = ({ session_id }: Readonly<Record<string, unknown>>): readonly HeadlessSign[] =>
  typeof session_id === 'string' ? [{ type: 'session', sessionId: session_id }] : [];

function readUsage({ usage, total_cost_usd }: Readonly<Record<string, unknown>>): MessageUsage {
  const counts = asObject(usage);
  return usageOf({
    input: counts.input_tokens,
    output: counts.output_tokens,
    cacheCreation: counts.cache_creation_input_tokens,
    cacheRead: counts.cache_read_input_tokens,
    cost: total_cost_usd,
  });
}
