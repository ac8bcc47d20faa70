import { newId } from '../../base/ids.ts';
import { asObject, asObjects, asText, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Headless, HeadlessReader, HeadlessSign, TurnEvent } from '../shared/headless/headless.ts';
import {
  failureOf,
  lastWords,
  Paragraphs,
  placeSystem,
  plainFailure,
  usageOf,
} from '../shared/headless/words.ts';

/**
 * `codex exec` with its stream of JSON, and the prompt on stdin. It hears nothing more in a turn; its app server would, but knows
 * nothing of the arguments of `codex exec`, which are what people give it. Seen in 0.169.0.
 *
 * @see https://developers.openai.com/codex/noninteractive
 */
export const codexHeadless: Headless = {
  start(request) {
    const { resume, words } = request;
    // A text in JSON is one in TOML, too, but for a character that nobody types: then it is taken as it stands.
    const { args, prompt } = placeSystem(request, (text) => [
      '--config',
      `developer_instructions=${JSON.stringify(text)}`,
    ]);
    // `resume` knows fewer options than `exec`, which comes first and takes them all.
    const command = [
      'exec',
      '--json',
      ...args,
      ...words,
      ...(resume === undefined ? [] : ['resume', resume]),
    ];
    return { program: 'codex', args: [...command, '-'], input: prompt };
  },
  reader: () => new CodexReader(newId()),
  sumsTokens: true, // seen in 0.169.0: those of a session that is gone on with are counted on
};

const LOGIN = /\b401\b|unauthorized|missing environment variable|not logged in/i;

class CodexReader implements HeadlessReader {
  private readonly turn: string;
  private readonly begun = new Set<string>();
  private readonly paragraphs = new Paragraphs();

  constructor(turn: string) {
    this.turn = turn;
  }

  read(line: string): readonly HeadlessSign[] {
    const { type, thread_id, item, usage, message, error } = asObject(parseJson(line));
    if (type === 'thread.started') return [{ type: 'session', sessionId: asText(thread_id) }];
    if (type === 'item.started' || type === 'item.completed')
      return this.readItem(asObject(item), type === 'item.completed');
    if (type === 'error') return [{ type: 'notice', text: plainFailure(asText(message)) }];
    if (type === 'turn.completed')
      return [{ type: 'usage', usage: readUsage(asObject(usage)) }, { type: 'end' }];
    return type === 'turn.failed' ? [failed(asText(asObject(error).message))] : [];
  }

  end(code: number | undefined, stderr: string): readonly HeadlessSign[] {
    const message = lastWords(stderr);
    if (code === undefined || code === 0 || message === '') return [];
    const hasNoSession = /no rollout found|no thread found|thread not found/i.test(stderr);
    if (hasNoSession) return [{ type: 'end', failure: { message, hasNoSession } }];
    return [failed(message)];
  }

  private readItem(item: JsonObject, isDone: boolean): readonly TurnEvent[] {
    if (item.type === 'agent_message')
      return isDone ? [{ type: 'text', text: this.paragraphs.next(asText(item.text)) }] : [];
    if (item.type === 'error') return [{ type: 'notice', text: asText(item.message) }];
    if (item.type === 'reasoning' || item.type === 'todo_list' || item.type === undefined) return [];
    this.paragraphs.close();
    // Items are counted anew in each turn.
    const id = `${this.turn}-${asText(item.id)}`;
    const call: TurnEvent = { type: 'tool_use', id, name: nameOf(item), input: inputOf(item) };
    const calls = this.begun.has(id) ? [] : [call];
    this.begun.add(id);
    if (!isDone) return calls;
    const isError = item.status === 'failed' || item.status === 'declined';
    const result: TurnEvent = {
      type: 'tool_result',
      tool_use_id: id,
      content: resultOf(item),
      ...(isError ? { is_error: true } : {}),
    };
    return [...calls, result];
  }
}

/** Tools of MCP servers are named as other agents name them. */
const nameOf = ({ type, server, tool }: JsonObject): string =>
  type === 'mcp_tool_call' ? `mcp__${asText(server)}__${asText(tool)}` : asText(type);

/** What is known of an item when it begins; the rest is what came of it. */
const OUTCOME = ['id', 'type', 'status', 'aggregated_output', 'exit_code', 'result', 'error'];

const inputOf = (item: JsonObject): unknown =>
  item.type === 'mcp_tool_call'
    ? item.arguments
    : Object.fromEntries(Object.entries(item).filter(([name]) => !OUTCOME.includes(name)));

function resultOf({ aggregated_output, result, error }: JsonObject): string {
  const texts = asObjects(asObject(result).content).map(({ text }) => asText(text));
  return asText(aggregated_output) || asText(asObject(error).message) || texts.join('\n');
}

const failed = (text: string): HeadlessSign => ({
  type: 'end',
  failure: failureOf(plainFailure(text), LOGIN),
});

/** Input is told with what was read from the cache and written to it. */
function readUsage(usage: JsonObject) {
  const { input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens } = usage;
  const [input = 0, cacheRead = 0, cacheCreation = 0] = [
    input_tokens,
    cached_input_tokens,
    cache_write_input_tokens,
  ].map((count) => (typeof count === 'number' ? count : 0));
  return usageOf({
    input: input - cacheRead - cacheCreation,
    output: output_tokens,
    cacheRead,
    cacheCreation,
  });
}
