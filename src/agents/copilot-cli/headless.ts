import { asObject, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Headless, HeadlessFailure, HeadlessReader, HeadlessSign } from '../shared/headless/headless.ts';
import { lastWords, promptWithSystem } from '../shared/headless/words.ts';

/**
 * Copilot CLI with its events in JSON, and the prompt on stdin. Only its last event names the session, which would be too late
 * for a turn that is cancelled: we give it the id. It hears nothing more in a turn, has no option for a system prompt, and does
 * not tell tokens. Seen in 1.0.102.
 *
 * @see https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference
 */
export const copilotHeadless: Headless = {
  start(request) {
    const { resume, words } = request;
    const sessionId = resume ?? crypto.randomUUID();
    const session = resume === undefined ? `--session-id=${sessionId}` : `--resume=${sessionId}`;
    const args = ['--output-format', 'json', '--stream', 'on', session, ...words];
    return { program: 'copilot', args, input: promptWithSystem(request), sessionId };
  },
  reader: () => new CopilotReader(),
};

class CopilotReader implements HeadlessReader {
  /** Messages whose text came piece by piece. */
  private readonly streamed = new Set<string>();
  private failure: HeadlessFailure | undefined;

  read(line: string): readonly HeadlessSign[] {
    const { type, data, agentId, sessionId, exitCode } = asObject(parseJson(line));
    if (asText(agentId) !== '') return []; // of a sub-agent: the tool's result says what came of it
    const fields = asObject(data);
    if (type === 'assistant.message_delta') return this.readPiece(fields);
    if (type === 'assistant.message') return this.readMessage(fields);
    if (type === 'tool.execution_start') {
      const [id, name] = [asText(fields.toolCallId), asText(fields.toolName)];
      return [{ type: 'tool_use', id, name, input: fields.arguments }];
    }
    if (type === 'tool.execution_complete') return [readResult(fields)];
    if (type === 'session.error') this.failure = readFailure(fields);
    return type === 'result' ? this.readEnd(asText(sessionId), exitCode) : [];
  }

  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    const message = lastWords(stderr, 12);
    if (code === undefined || code === 0 || message === '') return [];
    const hasNoSession = /no session, task, or name matched/i.test(stderr);
    const needsLogin = /no authentication information found|\/login/i.test(stderr);
    const failure = {
      message,
      ...(hasNoSession ? { hasNoSession } : {}),
      ...(needsLogin ? { needsLogin } : {}),
    };
    return [{ type: 'end', failure }];
  }

  private readPiece({ messageId, deltaContent }: JsonObject): readonly HeadlessSign[] {
    this.streamed.add(asText(messageId));
    return [{ type: 'text', text: asText(deltaContent) }];
  }

  private readMessage({ messageId, content }: JsonObject): readonly HeadlessSign[] {
    const isTold = this.streamed.has(asText(messageId));
    return isTold || content === '' ? [] : [{ type: 'text', text: asText(content) }];
  }

  private readEnd(sessionId: string, exitCode: unknown): readonly HeadlessSign[] {
    const { failure = { message: `ended with ${Number(exitCode)}` } } = this;
    return [
      { type: 'session', sessionId },
      { type: 'end', ...(exitCode === 0 ? {} : { failure }) },
    ];
  }
}

function readFailure({ message, statusCode, errorType }: JsonObject): HeadlessFailure {
  const needsLogin = statusCode === 401 || errorType === 'authentication';
  return { message: asText(message) || 'failed', ...(needsLogin ? { needsLogin } : {}) };
}

function readResult({ toolCallId, success, result, error }: JsonObject): HeadlessSign {
  const isError = success === false;
  return {
    type: 'tool_result',
    tool_use_id: asText(toolCallId),
    content: asText(isError ? asObject(error).message : asObject(result).content),
    ...(isError ? { is_error: true } : {}),
  };
}
