import type { ServerResponse } from 'node:http';
import type { CallStep, PlayableStep, Told } from './scene.ts';
import {
  type Asked,
  newId,
  reckonCost,
  renderInput,
  renderOpenAiError,
  sendJson,
  splitText,
  startEvents,
  type WireFormat,
} from './wire.ts';

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly unknown[];
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  }[];
}

/**
 * OpenAI chat completions: streaming and not. A stream tells the usage where `stream_options` asks for it.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const chatCompletions: WireFormat = {
  isTurn: (path) => path.endsWith('/chat/completions'),
  readTold,
  send(response, asked, step) {
    if ((asked.body as Body).stream === true) sendStream(response, asked, step);
    else sendWhole(response, asked, step);
  },
  renderError: renderOpenAiError,
};

function readTold(asked: Asked): readonly Told[] {
  const { tools, messages = [] } = asked.body as Body;
  if (!tools?.length) return [];
  return messages.flatMap(({ role, content }): readonly Told[] => {
    if (role === 'tool') return ['result'];
    if (role !== 'user') return [];
    const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
    return parts.map(({ text }) => ({ user: text ?? '' }));
  });
}

function renderHead(asked: Asked, object: string) {
  const { model = 'mock-model' } = asked.body as Body;
  return { id: newId('chatcmpl-'), object, created: Math.floor(Date.now() / 1000), model };
}

function renderUsage(asked: Asked, step: PlayableStep) {
  const { fresh, read, output } = reckonCost(asked, (asked.body as Body).messages?.length ?? 0, step);
  return {
    prompt_tokens: fresh + read,
    completion_tokens: output,
    total_tokens: fresh + read + output,
    prompt_tokens_details: { cached_tokens: read },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

/** A call with `text` as its input, whole or the beginning of it. */
function renderCall({ call: name, input }: CallStep, text: string) {
  const id = newId('call_');
  if (typeof input === 'string') return { id, type: 'custom', custom: { name, input: text } };
  return { id, type: 'function', function: { name, arguments: text } };
}

function renderMore({ input }: CallStep, text: string) {
  return typeof input === 'string' ? { custom: { input: text } } : { function: { arguments: text } };
}

function sendWhole(response: ServerResponse, asked: Asked, step: PlayableStep): void {
  const role = 'assistant';
  const call = 'call' in step;
  const message = call
    ? { role, content: null, tool_calls: [renderCall(step, renderInput(step.input))] }
    : { role, content: step.say };
  sendJson(response, 200, {
    ...renderHead(asked, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
    usage: renderUsage(asked, step),
  });
}

function sendStream(response: ServerResponse, asked: Asked, step: PlayableStep): void {
  const head = renderHead(asked, 'chat.completion.chunk');
  const send = startEvents(response);
  const choice = (delta: object, finish_reason: string | null = null) =>
    send({ ...head, choices: [{ index: 0, delta, finish_reason }] });
  choice({ role: 'assistant', content: 'call' in step ? null : '' });
  if ('call' in step) {
    const [first = '', rest = ''] = splitText(renderInput(step.input));
    choice({ tool_calls: [{ index: 0, ...renderCall(step, first) }] });
    choice({ tool_calls: [{ index: 0, ...renderMore(step, rest) }] });
  } else {
    for (const content of splitText(step.say)) choice({ content });
  }
  choice({}, 'call' in step ? 'tool_calls' : 'stop');
  const { stream_options: options } = asked.body as Body;
  if (options?.include_usage) send({ ...head, choices: [], usage: renderUsage(asked, step) });
  response.end('data: [DONE]\n\n');
}
