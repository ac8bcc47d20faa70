import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { chatCompletions } from './chat-completions.ts';
import { gemini } from './gemini.ts';
import { responses } from './responses.ts';
import { awaitStep, findCue, type Scene } from './scene.ts';
import { type Asked, sendJson, type WireFormat } from './wire.ts';

const WIRE_FORMATS: readonly WireFormat[] = [anthropic, chatCompletions, responses, gemini];

export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** What was sent. */
  readonly body: string;
  /** Keyword and step that were played; absent for everything but a scripted turn. */
  readonly scene?: string;
}

export interface MockModel {
  readonly url: string;
  /** Every request so far, in order of arrival of the answer. */
  readonly requests: readonly MockRequest[];
  close(): Promise<void>;
}

/**
 * Answers the model APIs of all clients on one port of 127.0.0.1; the path says which. Other routes get a 404, which
 * is recorded like the rest.
 */
export async function startMockModel(scenes: readonly Scene[]): Promise<MockModel> {
  const requests: MockRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, scenes).then(
      (seen) => requests.push(seen),
      (error: unknown) => {
        console.error('the scripted model could not answer', request.url, error);
        response.destroy();
      },
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
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://mock');
  const raw = await readBody(request);
  const asked = { path, query, raw, body: parseBody(raw) };
  const posted = method === 'POST' && typeof asked.body === 'object' && asked.body !== null;
  const scene = posted ? await answerPost(response, asked, scenes) : undefined;
  if (!response.writableEnded) {
    sendJson(response, 404, anthropic.renderError(`${method} ${path} is no route of the scripted model`));
  }
  return { method, path, status: response.statusCode, body: raw, ...(scene && { scene }) };
}

/** Answers a request for a turn or a count, and returns the name of the step that it played. */
async function answerPost(
  response: ServerResponse,
  asked: Asked,
  scenes: readonly Scene[],
): Promise<string | undefined> {
  const counted = WIRE_FORMATS.map((wire) => wire.countTokens?.(asked)).find(Boolean);
  if (counted) sendJson(response, 200, counted);
  const wire = WIRE_FORMATS.find(({ isTurn }) => isTurn(asked.path));
  if (!wire) return undefined;
  const cue = findCue(wire.readTold(asked), scenes);
  await awaitStep(cue?.step, () => response.destroyed);
  const step = cue?.step ?? { say: 'Nothing to do.' };
  if ('fail' in step) sendJson(response, step.status ?? 400, wire.renderError(step.fail));
  else wire.send(response, asked, step);
  return cue && `${cue.scene.keyword}#${cue.index}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parseBody(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined; // a GET, or nothing we know: the caller answers 404
  }
}
