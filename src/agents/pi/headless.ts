import { asObject, asObjects, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Headless, HeadlessFailure, HeadlessReader, HeadlessSign } from '../shared/headless/headless.ts';
import { addUsage, failureOf, jsonLine, lastWords, plainFailure, usageOf } from '../shared/headless/words.ts';
import type { MessageUsage } from '../shared/session/message.ts';
import { wordsOf } from '../shared/transcript/message-blocks.ts';

/**
 * Pi in its RPC mode: commands go in on stdin, events come out. Seen in 0.73.1.
 *
 * @see https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/rpc.md
 */
export const piHeadless: Headless = {
  start(request) {
    const { resume, words, prompt, system: file } = request;
    // It takes a text that is the name of a file for that file: `README` would be read.
    const place = file === undefined ? [] : ['--append-system-prompt', request.file];
    const session = resume === undefined ? [] : ['--session', resume];
    return {
      program: 'pi',
      args: ['--mode', 'rpc', ...session, ...place, ...words],
      ...(file === undefined ? {} : { file }),
      input: STATE + jsonLine({ id: PROMPT, type: 'prompt', message: prompt }),
      staysOpen: true,
    };
  },
  reader: () => new PiReader(),
  // A `steer` that comes when Pi is already done would wait for the next prompt. This one is a prompt then.
  steer: (message) => jsonLine({ id: STEER, type: 'prompt', message, streamingBehavior: 'steer' }),
  interrupt: () => jsonLine({ type: 'abort_retry' }) + jsonLine({ type: 'abort' }),
};

const PROMPT = 'prompt';
const STEER = 'steer';
const REST = 'rest';
const STATE = jsonLine({ type: 'get_state' });
/** Asked for at what may be the end: what Pi begins of itself then, it says before it answers. */
const ASK_REST = jsonLine({ id: REST, type: 'get_state' });
const TAKEN = 'taken';
/** Asked for when a prompt is taken: a command of an extension is done by then, and nothing need follow. */
const ASK_TAKEN = jsonLine({ id: TAKEN, type: 'get_state' });

const LOGIN = /no api key|\/login|\b401\b|unauthorized|authentication/i;

class PiReader implements HeadlessReader {
  private hasPrompt = false;
  private hasBegun = false;
  private isRunning = false;
  private isRetrying = false;
  private isCompacting = false;
  private usage: MessageUsage | undefined;
  private failure: HeadlessFailure | undefined;

  read(line: string): readonly HeadlessSign[] {
    const { type, ...fields } = asObject(parseJson(line));
    switch (type) {
      case 'response':
        return this.readResponse(fields);
      case 'message_update':
        return readPiece(asObject(fields.assistantMessageEvent));
      case 'message_start':
        return this.readHeard(asObject(fields.message));
      case 'message_end':
        return this.readMessage(asObject(fields.message));
      case 'tool_execution_start':
        return [
          {
            type: 'tool_use',
            id: asText(fields.toolCallId),
            name: asText(fields.toolName),
            input: fields.args,
          },
        ];
      case 'tool_execution_end':
        return [readResult(fields)];
      case 'extension_ui_request':
        return readQuestion(fields);
      case 'agent_start':
        this.hasBegun = true;
        this.isRunning = true;
        this.isRetrying = false;
        this.failure = undefined;
        return [];
      case 'agent_end':
        this.isRunning = false;
        return [{ type: 'say', text: ASK_REST }];
      case 'auto_retry_start':
        this.isRetrying = true;
        return [{ type: 'notice', text: asText(fields.errorMessage) }];
      case 'auto_retry_end':
        this.isRetrying = this.isRetrying && fields.success === true;
        return [];
      case 'compaction_start':
        this.isCompacting = true;
        return [];
      case 'compaction_end':
        this.isCompacting = false;
        this.isRetrying = fields.willRetry === true;
        return [{ type: 'say', text: ASK_REST }];
      default:
        return [];
    }
  }

  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    const message = lastWords(stderr);
    if (code === undefined || code === 0 || message === '') return [];
    const hasNoSession = /no session found/i.test(message);
    return [{ type: 'end', failure: hasNoSession ? { message, hasNoSession } : failed(message) }];
  }

  private readResponse({ id, command, success, error, data }: JsonObject): readonly HeadlessSign[] {
    if (id === PROMPT)
      return success === false
        ? [{ type: 'end', failure: failed(asText(error)) }]
        : [{ type: 'say', text: ASK_TAKEN }];
    if (command !== 'get_state') return [];
    if (id === TAKEN) return this.hasBegun || isBusy(asObject(data)) ? [] : [{ type: 'end' }];
    if (id !== REST) return [{ type: 'session', sessionId: asText(asObject(data).sessionId) }];
    const isAtRest = !this.isRunning && !this.isRetrying && !this.isCompacting;
    return isAtRest ? [{ type: 'end', ...(this.failure ? { failure: this.failure } : {}) }] : [];
  }

  /** The first message of the user is the prompt. */
  private readHeard({ role, content }: JsonObject): readonly HeadlessSign[] {
    if (role !== 'user') return [];
    const isPrompt = !this.hasPrompt;
    this.hasPrompt = true;
    return isPrompt ? [] : [{ type: 'steered', text: wordsOf(content) }];
  }

  private readMessage({ role, usage, stopReason, errorMessage }: JsonObject): readonly HeadlessSign[] {
    if (role !== 'assistant') return [];
    if (stopReason === 'error') this.failure = failed(asText(errorMessage));
    const { input, output, cacheRead, cacheWrite, cost } = asObject(usage);
    const told = { input, output, cacheRead, cacheCreation: cacheWrite, cost: asObject(cost).total };
    this.usage = this.usage ? addUsage(this.usage, usageOf(told)) : usageOf(told);
    return [{ type: 'usage', usage: this.usage }];
  }
}

const isBusy = ({ isStreaming, isCompacting, pendingMessageCount }: JsonObject): boolean =>
  isStreaming === true || isCompacting === true || Number(pendingMessageCount) > 0;

const failed = (text: string): HeadlessFailure => failureOf(plainFailure(text), LOGIN);

const readPiece = ({ type, delta }: JsonObject): readonly HeadlessSign[] =>
  type === 'text_delta' && delta !== '' ? [{ type: 'text', text: asText(delta) }] : [];

function readResult({ toolCallId, result, isError }: JsonObject): HeadlessSign {
  const texts = asObjects(asObject(result).content).map(({ text }) => asText(text));
  return {
    type: 'tool_result',
    tool_use_id: asText(toolCallId),
    content: texts.join('\n'),
    ...(isError === true ? { is_error: true } : {}),
  };
}

/** Extensions may ask the person something, and wait: nobody is there. */
const ASKING = ['select', 'confirm', 'input', 'editor'];

const readQuestion = ({ id, method }: JsonObject): readonly HeadlessSign[] =>
  ASKING.includes(asText(method))
    ? [{ type: 'say', text: jsonLine({ type: 'extension_ui_response', id, cancelled: true }) }]
    : [];
