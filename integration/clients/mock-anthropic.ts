import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of the scripted model: text that ends the turn, one tool call, or an error, which ends it, too. */
export type Step = SayStep | CallStep | FailStep;

/** Holds the answer back until it returns true. */
interface Held {
  readonly until?: () => boolean;
}

interface SayStep extends Held {
  readonly say: string;
}

interface CallStep extends Held {
  readonly call: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface FailStep extends Held {
  readonly fail: string;
}

/**
 * What the model does when the last user text that fits any scene contains `keyword`. The step is the number of
 * tool results seen since that text, so nothing is remembered between requests: sub-agents (whose first user text
 * is their own prompt), resumed sessions, several clients at once and repeated requests all find their place.
 */
export interface Scene {
  readonly keyword: string;
  readonly steps: readonly Step[];
}

export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Keyword and step that were played; absent for everything but a scripted turn. */
  readonly scene?: string;
}

export interface MockAnthropic {
  readonly url: string;
  /** Every request so far, in order of arrival of the answer. */
  readonly requests: readonly MockRequest[];
  close(): Promise<void>;
}

interface Block {
  readonly type: string;
  readonly text?: string;
}

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

const HOLD_MS = 30_000;

/**
 * Answers the Anthropic Messages API on 127.0.0.1: streaming and not, and token counts. Other routes get a 404 in
 * the API's own shape; they are recorded like the rest.
 *
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
export async function startMockAnthropic(scenes: readonly Scene[]): Promise<MockAnthropic> {
  const requests: MockRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, scenes).then(
      (seen) => requests.push(seen),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scenes: readonly Scene[],
): Promise<MockRequest> {
  const method = request.method ?? 'GET';
  const path = new URL(request.url ?? '/', 'http://mock').pathname;
  const raw = await readBody(request);
  const body = parseBody(raw);
  if (method === 'POST' && path === '/v1/messages/count_tokens') {
    sendJson(response, 200, { input_tokens: countTokens(raw) });
    return { method, path, status: 200 };
  }
  if (method !== 'POST' || path !== '/v1/messages' || body === undefined) {
    sendJson(response, 404, renderError('not_found_error', `${method} ${path}`));
    return { method, path, status: 404 };
  }
  const turn = resolveStep(body, scenes);
  const step = turn?.step;
  await held(step, response);
  if (step && 'fail' in step) {
    sendJson(response, 400, renderError('invalid_request_error', step.fail));
  } else {
    const message = renderMessage(body, raw, step);
    if (body.stream === true) sendStream(response, message);
    else sendJson(response, 200, message);
  }
  const scene = turn && { scene: `${turn.scene.keyword}#${turn.index}` };
  return { method, path, status: response.statusCode, ...scene };
}

/** Finds the scene and the step. Requests without tools (titles, topics) are no turns of the script. */
function resolveStep(body: Body, scenes: readonly Scene[]) {
  if (!body.tools?.length) return undefined;
  let scene: Scene | undefined;
  let index = 0;
  for (const { role, content } of body.messages ?? []) {
    if (role !== 'user') continue;
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      if (block.type === 'tool_result') index += 1;
      const found = block.type === 'text' && scenes.find(({ keyword }) => block.text?.includes(keyword));
      if (found) [scene, index] = [found, 0];
    }
  }
  const step = scene?.steps[index];
  return scene && step && { scene, index, step };
}

async function held(step: Step | undefined, response: ServerResponse): Promise<void> {
  const end = Date.now() + HOLD_MS;
  while (step?.until && !step.until() && !response.destroyed && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function renderMessage(body: Body, raw: string, step: SayStep | CallStep | undefined) {
  const content: Content =
    step && 'call' in step
      ? { type: 'tool_use', id: newId('toolu_01'), name: step.call, input: step.input }
      : { type: 'text', text: step?.say ?? 'Nothing to do.' };
  const read = Math.max(0, (body.messages?.length ?? 0) - 1) * 512;
  return {
    id: newId('msg_01'),
    type: 'message' as const,
    role: 'assistant' as const,
    model: body.model ?? 'claude-mock',
    content: [content],
    stop_reason: content.type === 'tool_use' ? ('tool_use' as const) : ('end_turn' as const),
    stop_sequence: null,
    usage: {
      input_tokens: 3 + (countTokens(raw) % 97),
      cache_creation_input_tokens: 512,
      cache_read_input_tokens: read,
      output_tokens: countTokens(JSON.stringify(content)),
      service_tier: 'standard',
    },
  };
}

function renderError(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}

type Message = ReturnType<typeof renderMessage>;

function sendStream(response: ServerResponse, message: Message): void {
  const { content, stop_reason, stop_sequence, usage } = message;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (data: { readonly type: string; readonly [key: string]: unknown }) =>
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  send({ type: 'message_start', message: start });
  content.forEach((block, index) => {
    const call = block.type === 'tool_use';
    const empty = call ? { ...block, input: {} } : { ...block, text: '' };
    const whole = call ? JSON.stringify(block.input) : block.text;
    send({ type: 'content_block_start', index, content_block: empty });
    send({ type: 'ping' });
    for (const part of [whole.slice(0, 12), whole.slice(12)]) {
      const delta = call
        ? { type: 'input_json_delta', partial_json: part }
        : { type: 'text_delta', text: part };
      send({ type: 'content_block_delta', index, delta });
    }
    send({ type: 'content_block_stop', index });
  });
  send({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage });
  send({ type: 'message_stop' });
  response.end();
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parseBody(raw: string): Body | undefined {
  try {
    return JSON.parse(raw) as Body;
  } catch {
    return undefined; // a GET, or nothing we know: the caller answers 404
  }
}

/** About four characters a token, as in English text. */
function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function newId(prefix: string): string {
  return `${prefix}${randomBytes(11).toString('hex')}`;
}
