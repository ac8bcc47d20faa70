import { asObject, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Headless, HeadlessFailure, HeadlessReader, HeadlessSign } from '../shared/headless/headless.ts';
import { addUsage, lastWords, Paragraphs, promptWithSystem, usageOf } from '../shared/headless/words.ts';
import type { MessageUsage } from '../shared/session/message.ts';
import { tokens } from '../shared/transcript/message-blocks.ts';

/**
 * `opencode run` with its events in JSON, and the prompt on stdin. It hears nothing more in a turn (its server would, which is
 * no talk on stdin), and has no option for a system prompt. Seen in 1.18.33.
 *
 * @see https://opencode.ai/docs/cli/#run
 */
export const opencodeHeadless: Headless = {
  start: (request) => ({
    program: 'opencode',
    args: [
      ...['run', '--format', 'json'],
      ...(request.resume === undefined ? [] : [`--session=${request.resume}`]),
      ...request.words,
    ],
    input: promptWithSystem(request),
  }),
  reader: () => new OpencodeReader(),
};

class OpencodeReader implements HeadlessReader {
  private sessionId = '';
  private usage: MessageUsage | undefined;
  private failure: HeadlessFailure | undefined;
  private readonly paragraphs = new Paragraphs();

  read(line: string): readonly HeadlessSign[] {
    const { type, sessionID, part, error } = asObject(parseJson(line));
    const signs = this.readSession(asText(sessionID));
    if (type === 'text')
      return [...signs, { type: 'text', text: this.paragraphs.next(asText(asObject(part).text)) }];
    if (type === 'tool_use') return [...signs, ...this.readTool(asObject(part))];
    if (type === 'step_finish') return [...signs, this.readStep(asObject(part))];
    if (type === 'error') this.failure = readFailure(asObject(error));
    return signs;
  }

  /** No event says that the turn is over. */
  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    if (code === undefined) return [];
    if (code === 0) return this.failure ? [{ type: 'end', failure: this.failure }] : [{ type: 'end' }];
    const message = lastWords(stderr);
    const isGone = /session not found/i.test(message);
    const failure = this.failure ?? { message, ...(isGone ? { hasNoSession: true as const } : {}) };
    return failure.message === '' ? [] : [{ type: 'end', failure }];
  }

  private readSession(sessionId: string): readonly HeadlessSign[] {
    if (sessionId === '' || sessionId === this.sessionId) return [];
    this.sessionId = sessionId;
    return [{ type: 'session', sessionId }];
  }

  /** A tool is told of when it is done. */
  private readTool({ callID, tool, state }: JsonObject): readonly HeadlessSign[] {
    const { status, input, output, error } = asObject(state);
    const id = asText(callID);
    this.paragraphs.close();
    return [
      { type: 'tool_use', id, name: asText(tool), input },
      {
        type: 'tool_result',
        tool_use_id: id,
        content: status === 'error' ? asText(error) : asText(output),
        ...(status === 'error' ? { is_error: true } : {}),
      },
    ];
  }

  /** Each step is a call of the model. */
  private readStep({ tokens: told, cost }: JsonObject): HeadlessSign {
    const { total, input, output, reasoning, cache } = asObject(told);
    const { read, write } = asObject(cache);
    const thought = tokens(reasoning);
    const sum = [input, output, reasoning, read, write].map(tokens).reduce((a, b) => a + b);
    // Providers differ in whether they count what the model thought among its output. The total tells.
    const spoken = tokens(output) + (sum === total ? thought : 0);
    const step = usageOf({ input, output: spoken, cacheRead: read, cacheCreation: write, cost });
    this.usage = this.usage ? addUsage(this.usage, step) : step;
    return { type: 'usage', usage: this.usage };
  }
}

/** Errors have a name, and mostly a message in their data. */
function readFailure({ name, data }: JsonObject): HeadlessFailure {
  const { message, statusCode } = asObject(data);
  const needsLogin = name === 'ProviderAuthError' || statusCode === 401;
  return { message: asText(message) || asText(name) || 'failed', ...(needsLogin ? { needsLogin } : {}) };
}
