import { asObject, asObjects, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Headless, HeadlessReader, HeadlessSign } from '../shared/headless/headless.ts';
import {
  addUsage,
  failureOf,
  lastWords,
  placeSystem,
  readResults,
  usageOf,
} from '../shared/headless/words.ts';
import type { MessageUsage } from '../shared/session/message.ts';
import { tokens } from '../shared/transcript/message-blocks.ts';

/**
 * Qwen Code with its stream of JSON, and the prompt on stdin. Messages as JSON on stdin it takes as well, but only between turns,
 * and then it does not heed an interrupt, either. Seen in 0.24.4.
 *
 * @see https://qwenlm.github.io/qwen-code-docs/en/users/features/headless/
 */
export const qwenHeadless: Headless = {
  start(request) {
    const { resume, words } = request;
    const { args, prompt } = placeSystem(request, (text) => [`--append-system-prompt=${text}`]);
    const session = resume === undefined ? [] : [`--resume=${resume}`];
    const format = ['--output-format', 'stream-json', '--include-partial-messages'];
    return { program: 'qwen', args: [...format, ...session, ...args, ...words], input: prompt };
  },
  reader: () => new QwenReader(),
};

const LOGIN = /api key|\b401\b|unauthorized|no auth type|authentication/i;

class QwenReader implements HeadlessReader {
  /** Messages whose text came piece by piece. */
  private readonly streamed = new Set<string>();
  private streaming = '';
  /** Of each message; what the end tells is the sum of the session, and of what the client asked of the model for itself. */
  private readonly usages = new Map<string, MessageUsage>();

  read(line: string): readonly HeadlessSign[] {
    const { type, ...fields } = asObject(parseJson(line));
    const isOfSubagent = typeof fields.parent_tool_use_id === 'string'; // the tool's result says what came of it
    const message = asObject(fields.message);
    if (type === 'system' && fields.subtype === 'init') return [sessionOf(fields)];
    if (type === 'assistant') return this.readAnswer(message, isOfSubagent);
    if (type === 'result') return this.readEnd(fields);
    if (isOfSubagent) return [];
    if (type === 'stream_event') return this.readPiece(asObject(fields.event));
    return type === 'user' ? readResults(message) : [];
  }

  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    const message = lastWords(stderr, 1);
    if (code === undefined || code === 0 || message === '') return [];
    const hasNoSession = stderr.includes('No saved session found');
    const failure = hasNoSession ? { message, hasNoSession } : failureOf(message, LOGIN);
    return [{ type: 'end', failure }];
  }

  private readPiece(event: JsonObject): readonly HeadlessSign[] {
    if (event.type === 'message_start') this.streaming = asText(asObject(event.message).id);
    const { type, text } = asObject(event.delta);
    if (type !== 'text_delta' || text === '') return [];
    this.streamed.add(this.streaming);
    return [{ type: 'text', text: asText(text) }];
  }

  private readAnswer({ id, content, usage }: JsonObject, isOfSubagent: boolean): readonly HeadlessSign[] {
    const isTold = this.streamed.has(asText(id));
    const signs = asObjects(content).flatMap((block): readonly HeadlessSign[] => {
      const isFailure = asText(block.text).startsWith('[API Error: '); // which the end tells
      if (block.type === 'text' && !isTold && !isFailure) return [{ type: 'text', text: asText(block.text) }];
      if (block.type !== 'tool_use') return [];
      return [{ type: 'tool_use', id: asText(block.id), name: asText(block.name), input: block.input }];
    });
    this.usages.set(asText(id), readUsage(asObject(usage)));
    const sum = [...this.usages.values()].reduce(addUsage);
    return [...(isOfSubagent ? [] : signs), { type: 'usage', usage: sum }];
  }

  private readEnd({ is_error, error, result, subtype, ...fields }: JsonObject): readonly HeadlessSign[] {
    const message = asText(asObject(error).message) || asText(result) || asText(subtype);
    return [
      sessionOf(fields),
      { type: 'end', ...(is_error === true ? { failure: failureOf(message, LOGIN) } : {}) },
    ];
  }
}

const sessionOf = ({ session_id }: JsonObject): HeadlessSign => ({
  type: 'session',
  sessionId: asText(session_id),
});

/** Input is told with what was read from the cache. */
function readUsage({ input_tokens, output_tokens, cache_read_input_tokens }: JsonObject): MessageUsage {
  const cacheRead = Math.min(tokens(cache_read_input_tokens), tokens(input_tokens));
  return usageOf({ input: tokens(input_tokens) - cacheRead, output: output_tokens, cacheRead });
}
