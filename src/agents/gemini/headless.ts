import { asObject, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Headless, HeadlessReader, HeadlessSign } from '../shared/headless/headless.ts';
import { lastWords, plainFailure, promptWithSystem, usageOf } from '../shared/headless/words.ts';

/**
 * Gemini CLI with its stream of JSON, and the prompt on stdin. It hears nothing more in a turn, and has no option for a system
 * prompt: the file that `GEMINI_SYSTEM_MD` names takes the place of its own. Seen in 0.61.0.
 *
 * @see https://geminicli.com/docs/cli/headless
 */
export const geminiHeadless: Headless = {
  start: (request) => ({
    program: 'gemini',
    args: [
      ...['--output-format', 'stream-json'],
      ...(request.resume === undefined ? [] : [`--resume=${request.resume}`]),
      ...request.words,
    ],
    input: promptWithSystem(request),
  }),
  reader: () => new GeminiReader(),
};

/** How the process ends; `ExitCodes` in its sources. */
const NO_LOGIN = 41;
const BAD_INPUT = 42;

class GeminiReader implements HeadlessReader {
  private trouble = '';

  read(line: string): readonly HeadlessSign[] {
    const { type, ...fields } = asObject(parseJson(line));
    if (type === 'init') return [{ type: 'session', sessionId: asText(fields.session_id) }];
    if (type === 'message')
      return fields.role === 'assistant' ? [{ type: 'text', text: asText(fields.content) }] : [];
    if (type === 'tool_use') {
      const [id, name] = [asText(fields.tool_id), asText(fields.tool_name)];
      return [{ type: 'tool_use', id, name, input: fields.parameters }];
    }
    if (type === 'tool_result') return [readResult(fields)];
    if (type === 'error') {
      this.trouble = asText(fields.message);
      return [{ type: 'notice', text: this.trouble }];
    }
    return type === 'result' ? this.readEnd(fields) : [];
  }

  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    if (code === undefined || code === 0) return [];
    const message = lastWords(stderr, code === NO_LOGIN ? 2 : 3);
    const failure = {
      message,
      ...(code === NO_LOGIN ? { needsLogin: true as const } : {}),
      ...(code === BAD_INPUT && stderr.includes('Error resuming session')
        ? { hasNoSession: true as const }
        : {}),
    };
    return message === '' ? [] : [{ type: 'end', failure }];
  }

  private readEnd({ status, error, stats }: JsonObject): readonly HeadlessSign[] {
    const counts = asObject(stats);
    const usage = usageOf({
      input: counts.input,
      output: counts.output_tokens,
      cacheRead: counts.cached,
    });
    const message = plainFailure(asText(asObject(error).message) || this.trouble || asText(status));
    return [
      { type: 'usage', usage },
      { type: 'end', ...(status === 'success' ? {} : { failure: { message } }) },
    ];
  }
}

/** What a tool returned is told as far as people get to see it. */
function readResult({ tool_id, status, output, error }: JsonObject): HeadlessSign {
  const message = asText(asObject(error).message);
  return {
    type: 'tool_result',
    tool_use_id: asText(tool_id),
    content: status === 'error' ? message || asText(output) : asText(output),
    ...(status === 'error' ? { is_error: true } : {}),
  };
}
