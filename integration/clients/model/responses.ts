import type { ServerResponse } from 'node:http';
import type { PlayableStep, Told } from './scene.ts';
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
  readonly tools?: readonly unknown[];
  readonly input?: string | readonly Item[];
}

interface Item {
  /** Left out by some clients where it is `message`. */
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

/**
 * OpenAI responses: streaming and not. A call with free text is a `custom_tool_call`, any other a `function_call`.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const responses: WireFormat = {
  isTurn: (path) => path.endsWith('/responses'),
  readTold,
  send(response, asked, step) {
    const item = renderItem(step);
    const whole = renderResponse(asked, step, item);
    if ((asked.body as Body).stream === true) sendStream(response, whole, item);
    else sendJson(response, 200, whole);
  },
  renderError: renderOpenAiError,
};

function readItems(asked: Asked): readonly Item[] {
  const { input = [] } = asked.body as Body;
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

function readTold(asked: Asked): readonly Told[] {
  if (!(asked.body as Body).tools?.length) return [];
  return readItems(asked).flatMap(({ type = 'message', role, content = [] }): readonly Told[] => {
    if (type.endsWith('_call_output')) return ['result'];
    if (type !== 'message' || role !== 'user') return [];
    const parts = typeof content === 'string' ? [{ text: content }] : content;
    return parts.map(({ text }) => ({ user: text ?? '' }));
  });
}

function renderItem(step: PlayableStep) {
  const status = 'completed';
  if ('say' in step) {
    const content = [{ type: 'output_text' as const, text: step.say, annotations: [] }];
    return { type: 'message' as const, id: newId('msg_'), status, role: 'assistant', content };
  }
  const { call: name, input, namespace } = step;
  const call_id = newId('call_');
  return typeof input === 'string'
    ? { type: 'custom_tool_call' as const, id: newId('ctc_'), status, call_id, name, input }
    : {
        type: 'function_call' as const,
        id: newId('fc_'),
        status,
        call_id,
        name,
        ...(namespace !== undefined && { namespace }),
        arguments: renderInput(input),
      };
}

type OutputItem = ReturnType<typeof renderItem>;

function renderResponse(asked: Asked, step: PlayableStep, item: OutputItem) {
  const { fresh, read, output } = reckonCost(asked, readItems(asked).length, step);
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    model: (asked.body as Body).model ?? 'mock-model',
    output: [item],
    usage: {
      input_tokens: fresh + read,
      input_tokens_details: { cached_tokens: read },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: fresh + read + output,
    },
  };
}

function sendStream(
  response: ServerResponse,
  whole: ReturnType<typeof renderResponse>,
  item: OutputItem,
): void {
  const events = startEvents(response);
  let sequence_number = 0;
  const send = (type: string, data: object) => events({ type, sequence_number: sequence_number++, ...data });
  const { usage: _, ...begun } = { ...whole, status: 'in_progress', output: [] };
  send('response.created', { response: begun });
  const at = { output_index: 0, item_id: item.id };
  const deltas = (type: string, text: string, more: object = {}) => {
    for (const delta of splitText(text)) send(`${type}.delta`, { ...at, ...more, delta });
  };
  const added = (members: object) =>
    send('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', ...members },
    });
  if (item.type === 'message') {
    added({ content: [] });
    const [part] = item.content;
    send('response.content_part.added', { ...at, content_index: 0, part: { ...part, text: '' } });
    deltas('response.output_text', part?.text ?? '', { content_index: 0 });
    send('response.output_text.done', { ...at, content_index: 0, text: part?.text });
    send('response.content_part.done', { ...at, content_index: 0, part });
  } else if (item.type === 'custom_tool_call') {
    added({ input: '' });
    deltas('response.custom_tool_call_input', item.input);
    send('response.custom_tool_call_input.done', { ...at, input: item.input });
  } else {
    added({ arguments: '' });
    deltas('response.function_call_arguments', item.arguments);
    send('response.function_call_arguments.done', { ...at, arguments: item.arguments });
  }
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', { response: whole });
  response.end();
}
