import { asObject, asObjects, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type {
  Headless,
  HeadlessFailure,
  HeadlessReader,
  HeadlessRequest,
  HeadlessSign,
} from '../shared/headless/headless.ts';
import {
  addUsage,
  failureOf,
  jsonLine,
  lastWords,
  placeSystem,
  plainFailure,
  usageOf,
} from '../shared/headless/words.ts';
import type { MessageUsage } from '../shared/session/message.ts';
import { wordsOf } from '../shared/transcript/message-blocks.ts';

/**
 * `droid exec` over JSON-RPC, which hears what is said into a turn and can be interrupted. Seen in 0.225.2.
 *
 * @see https://docs.factory.ai/cli/droid-exec/overview
 */
export const droidHeadless: Headless = {
  start(request) {
    const { resume, cwd, words } = request;
    const {
      prompt: _,
      args,
      ...place
    } = placeSystem(
      request,
      (text) => [`--append-system-prompt=${text}`],
      (file) => [`--append-system-prompt-file=${file}`],
    );
    const { unsafe, settings } = readSettings(words);
    const begin =
      resume === undefined
        ? call(BEGIN, 'initialize_session', { machineId: 'entire', cwd, ...unsafe, ...settings })
        : call(BEGIN, 'load_session', { sessionId: resume, ...unsafe });
    const format = ['--input-format', 'stream-jsonrpc', '--output-format', 'stream-jsonrpc'];
    return {
      program: 'droid',
      args: ['exec', ...format, ...args, ...words],
      ...place,
      input: begin,
      staysOpen: true,
    };
  },
  reader: (request) => new DroidReader(request),
  steer: (text) => call(STEER, 'add_user_message', { text }),
  interrupt: () => call('interrupt', 'interrupt_session', {}),
};

const BEGIN = 'begin';
const SETTINGS = 'settings';
const PROMPT = 'prompt';
const STEER = 'steer';

const ENVELOPE = { jsonrpc: '2.0', factoryApiVersion: '1.0.0', factoryProtocolVersion: '1.0.0' };

const call = (id: string, method: string, params: JsonObject): string =>
  jsonLine({ ...ENVELOPE, type: 'request', id, method: `droid.${method}`, params });

/** Their code for a session that is not there. */
const NO_SESSION = -32004;
const LOGIN = /\/login|authenticat|access token|\b401\b|unauthorized|factory_api_key/i;

class DroidReader implements HeadlessReader {
  private readonly request: HeadlessRequest;
  private readonly results = new Set<string>();
  private usage: MessageUsage | undefined;
  private failure: HeadlessFailure | undefined;

  constructor(request: HeadlessRequest) {
    this.request = request;
  }

  read(line: string): readonly HeadlessSign[] {
    const { type, ...fields } = asObject(parseJson(line));
    if (type === 'response') return this.readResponse(fields);
    if (type === 'request') return [{ type: 'say', text: refuse(fields) }];
    return type === 'notification' ? this.readNews(asObject(asObject(fields.params).notification)) : [];
  }

  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    const failure = this.failure ?? failed(lastWords(stderr));
    return code === undefined || failure.message === '' ? [] : [{ type: 'end', failure }];
  }

  /** A session is begun or gone on with, then set, then told the prompt: each only when the one before is done. */
  private readResponse({ id, error, result }: JsonObject): readonly HeadlessSign[] {
    if (error !== undefined && id !== STEER) return id === 'interrupt' ? [] : [refused(asObject(error), id)];
    const { resume, words } = this.request;
    const { settings } = readSettings(words);
    const prompt: HeadlessSign = {
      type: 'say',
      text: call(PROMPT, 'add_user_message', { text: this.request.prompt }),
    };
    if (id === SETTINGS) return [prompt];
    if (id !== BEGIN) return [];
    const sessionId = resume ?? asText(asObject(result).sessionId);
    const isSet = resume === undefined || Object.keys(settings).length === 0;
    return [
      { type: 'session', sessionId },
      isSet ? prompt : { type: 'say', text: call(SETTINGS, 'update_session_settings', settings) },
    ];
  }

  private readNews({ type, ...fields }: JsonObject): readonly HeadlessSign[] {
    if (type === 'assistant_text_delta')
      return fields.textDelta === '' ? [] : [{ type: 'text', text: asText(fields.textDelta) }];
    if (type === 'create_message') return readMessage(asObject(fields.message), fields.requestId);
    if (type === 'tool_result') return this.readResult(fields);
    if (type === 'error') this.failure = failed(asText(fields.message));
    return type === 'agent_turn_completed' ? this.readEnd(fields) : [];
  }

  /** What a cancelled tool returned is told twice. */
  private readResult({ toolUseId, content, isError }: JsonObject): readonly HeadlessSign[] {
    const id = asText(toolUseId);
    if (this.results.has(id)) return [];
    this.results.add(id);
    const told = { tool_use_id: id, content: typeof content === 'string' ? content : wordsOf(content) };
    return [{ type: 'tool_result', ...told, ...(isError === true ? { is_error: true } : {}) }];
  }

  /** What was said too late for an answer gets a turn of its own, with an end of its own. */
  private readEnd({ reason, tokenUsage }: JsonObject): readonly HeadlessSign[] {
    const told = asObject(tokenUsage);
    const usage = usageOf({
      input: told.inputTokens,
      output: told.outputTokens,
      cacheRead: told.cacheReadTokens,
      cacheCreation: told.cacheCreationTokens,
    });
    this.usage = this.usage ? addUsage(this.usage, usage) : usage;
    const { failure = { message: asText(reason) } } = this;
    const isWell = reason === 'completed' || reason === 'cancelled';
    return [
      { type: 'usage', usage: this.usage },
      { type: 'end', ...(isWell ? {} : { failure }) },
    ];
  }
}

function readMessage({ role, content, visibility }: JsonObject, requestId: unknown): readonly HeadlessSign[] {
  if (role === 'user' && visibility === undefined && requestId === STEER)
    return [{ type: 'steered', text: wordsOf(content) }];
  if (role !== 'assistant') return [];
  return asObjects(content).flatMap((block): readonly HeadlessSign[] =>
    block.type === 'tool_use'
      ? [{ type: 'tool_use', id: asText(block.id), name: asText(block.name), input: block.input }]
      : [],
  );
}

function refused({ code, message }: JsonObject, id: unknown): HeadlessSign {
  const failure = failed(asText(message));
  const hasNoSession = id === BEGIN && code === NO_SESSION;
  return { type: 'end', failure: hasNoSession ? { ...failure, hasNoSession } : failure };
}

const failed = (text: string): HeadlessFailure => failureOf(plainFailure(text), LOGIN);

/** It may ask the person for leave, or a question, and wait: nobody is there. */
function refuse({ id, method }: JsonObject): string {
  const result =
    method === 'droid.ask_user' ? { cancelled: true, answers: [] } : { selectedOption: 'cancel' };
  return jsonLine({ ...ENVELOPE, type: 'response', id, result });
}

/** How a session is set over JSON-RPC. */
export interface DroidSettings {
  /** Told when a session begins, and whenever it is gone on with. */
  readonly unsafe: JsonObject;
  /** Kept with a session, and changed by a request of their own. */
  readonly settings: JsonObject;
}

/**
 * What arguments of `droid exec` mean over JSON-RPC, where droid checks those and sets nothing by them.
 *
 * @see `droid exec --help`, Stream JSON-RPC Mode
 */
function readSettings(words: readonly string[]): DroidSettings {
  const model = optionIn(words, '--model', '-m');
  const effort = optionIn(words, '--reasoning-effort', '-r');
  const autonomy = optionIn(words, '--auto');
  return {
    unsafe: words.includes('--skip-permissions-unsafe') ? { skipPermissionsUnsafe: true } : {},
    settings: {
      ...(model === undefined ? {} : { modelId: model }),
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
      ...(autonomy === undefined ? {} : { autonomyLevel: autonomy, autonomyMode: `auto-${autonomy}` }),
    },
  };
}

/** `--name value`, `--name=value`, `-n value` or `-nvalue`; the last one counts. */
function optionIn(words: readonly string[], long: string, short = long): string | undefined {
  const found = words.flatMap((word, at) => {
    if (word === long || word === short) return words.slice(at + 1, at + 2);
    if (word.startsWith(`${long}=`)) return [word.slice(long.length + 1)];
    const isShort = short !== long && word.startsWith(short);
    return isShort ? [word.slice(short.length).replace(/^=/, '')] : [];
  });
  return found.at(-1);
}
