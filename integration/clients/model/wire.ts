import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { PlayableStep, Told } from './scene.ts';

/** A request as it came. */
export interface Asked {
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body as text, and parsed. */
  readonly raw: string;
  readonly body: unknown;
}

/** How one model API puts a conversation on the wire. One object for each API; the script knows none of them. */
export interface WireFormat {
  /** Whether a POST to this path asks the model for an answer. */
  isTurn(path: string): boolean;
  /** What a POST that only asks for the number of tokens is answered with; undefined for everything else. */
  countTokens?(asked: Asked): unknown;
  /** The conversation so far. Empty for requests without tools (titles, topics): they are no turns of the script. */
  readTold(asked: Asked): readonly Told[];
  /** Answers with a step, as a stream where the request wants one. */
  send(response: ServerResponse, asked: Asked, step: PlayableStep): void;
  renderError(message: string): unknown;
}

/** What an answer costs: plausible, above zero, the same for the same request, and growing with the conversation. */
export interface Cost {
  readonly fresh: number;
  readonly written: number;
  readonly read: number;
  readonly output: number;
}

export function reckonCost({ raw }: Asked, messages: number, step: PlayableStep): Cost {
  return {
    fresh: 3 + (countTokens(raw) % 97),
    written: 512,
    read: step.tokens ?? Math.max(0, messages - 1) * 512,
    output: countTokens(JSON.stringify(step)),
  };
}

/** About four characters a token, as in English text. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export function newId(prefix: string): string {
  return `${prefix}${randomBytes(11).toString('hex')}`;
}

/** A text as the pieces in which a stream brings it. */
export function splitText(text: string): readonly string[] {
  return [text.slice(0, 12), text.slice(12)];
}

/** The input of a call as JSON text, which is how most APIs carry it. */
export function renderInput(input: object | string): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** Both APIs of OpenAI put an error the same way. */
export function renderOpenAiError(message: string): unknown {
  return { error: { message, type: 'invalid_request_error', param: null, code: 'invalid_value' } };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Starts an event stream. The function that it returns sends one event, with its `type` as name where it has one. */
export function startEvents(response: ServerResponse): (data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (data) => {
    const name = 'type' in data ? `event: ${data.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(data)}\n\n`);
  };
}
