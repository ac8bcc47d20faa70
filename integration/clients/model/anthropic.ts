import type { ServerResponse } from 'node:http';
import type { PlayableStep, Told } from './scene.ts';
import {
  type Asked,
  countTokens,
  newId,
  reckonCost,
  sendJson,
  splitText,
  startEvents,
  type WireFormat,
} from './wire.ts';

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

/**
 * Anthropic Messages: streaming and not, and token counts.
 *
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
export const anthropic: WireFormat = {
  isTurn: (path) => path.endsWith('/v1/messages'),
  countTokens: ({ path, raw }) =>
    path.endsWith('/v1/messages/count_tokens') ? { input_tokens: countTokens(raw) } : undefined,
  readTold,
  send(response, asked, step) {
    const message = renderMessage(asked, step);
    if ((asked.body as Body).stream === true) sendStream(response, message);
    else sendJson(response, 200, message);
  },
  renderError: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

function readTold(asked: Asked): readonly Told[] {
  const { tools, messages = [] } = asked.body as Body;
  if (!tools?.length) return [];
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
    .flatMap(({ type, text }): readonly Told[] => {
      if (type === 'tool_result') return ['result'];
      return type === 'text' ? [{ user: text ?? '' }] : [];
    });
}

function renderMessage(asked: Asked, step: PlayableStep) {
  const { model, messages = [] } = asked.body as Body;
  const cost = reckonCost(asked, messages.length, step);
  return {
    id: newId('msg_01'),
    type: 'message' as const,
    role: 'assistant' as const,
    model: model ?? 'claude-mock',
    content: [renderContent(step)],
    stop_reason: 'call' in step ? ('tool_use' as const) : ('end_turn' as const),
    stop_sequence: null,
    usage: {
      input_tokens: cost.fresh,
      cache_creation_input_tokens: cost.written,
      cache_read_input_tokens: cost.read,
      output_tokens: cost.output,
      service_tier: 'standard',
    },
  };
}

function renderContent(step: PlayableStep): Content {
  if ('say' in step) return { type: 'text', text: step.say };
  if (typeof step.input === 'string')
    throw new Error(`${step.call}: this API has no tools that take free text`);
  return { type: 'tool_use', id: newId('toolu_01'), name: step.call, input: step.input };
}

function sendStream(response: ServerResponse, message: ReturnType<typeof renderMessage>): void {
  const { content, stop_reason, stop_sequence, usage } = message;
  const send = startEvents(response);
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  send({ type: 'message_start', message: start });
  content.forEach((block, index) => {
    const call = block.type === 'tool_use';
    const empty = call ? { ...block, input: {} } : { ...block, text: '' };
    const whole = call ? JSON.stringify(block.input) : block.text;
    send({ type: 'content_block_start', index, content_block: empty });
    send({ type: 'ping' });
    for (const part of splitText(whole)) {
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
