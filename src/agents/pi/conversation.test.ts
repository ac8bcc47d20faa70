import { expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const entry = (id: string, parentId: string | null, message: object | undefined, more: object = {}) => ({
  ...{ type: 'message', id, parentId, timestamp: '2026-11-23T08:00:01.000Z' },
  ...(message ? { message } : {}),
  ...more,
});
const user = (content: unknown) => ({ role: 'user', content });
const answer = (content: readonly object[], more: object = {}) => ({
  role: 'assistant',
  content,
  model: 'm',
  ...more,
});
const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } });
const result = (toolCallId: string, more: object = {}) => ({
  role: 'toolResult',
  toolCallId,
  content: [],
  ...more,
});
const text = (words: string) => ({ type: 'text', text: words });

test('thoughts, calls, results, pictures, and what it has cost', () => {
  const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' };
  const picture = { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC' };
  const usage = { input: 10, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } };
  const messages = readMessages(
    lines(
      entry('a', null, user([text('look'), image])),
      entry('b', 'a', answer([{ type: 'thinking', thinking: 'hm' }, call('c')], { usage })),
      entry('c', 'b', result('c', { content: [text('seen'), image], isError: true })),
    ),
  );
  expect(messages).toMatchObject([
    { content: [text('look'), picture] },
    {
      content: [
        { type: 'thinking', text: 'hm' },
        { type: 'tool_use', id: 'c', name: 'bash', input: { command: 'ls' } },
      ],
      model: 'm',
      usage: {
        input_tokens: 10,
        output_tokens: 2,
        cache_creation_tokens: 4,
        cache_read_tokens: 3,
        cost_usd: 0.5,
      },
    },
    {
      content: [
        { type: 'tool_result', tool_use_id: 'c', content: 'seen', is_error: true },
        { ...picture, tool_use_id: 'c' },
      ],
    },
  ]);
});

test('the branch that the session is on, with the summary of the one that was left', () => {
  const messages = readMessages(
    lines(
      ...[entry('a', null, user('one')), entry('b', 'a', answer([text('First.')]))],
      ...[entry('c', 'b', user('two')), entry('d', 'c', answer([text('Second.')]))],
      entry('s', 'b', undefined, { type: 'branch_summary', fromId: 'd', summary: 'Tried two.' }),
      entry('e', 's', user('three')),
      entry('k', 'e', undefined, { type: 'compaction', summary: 'So far.' }),
    ),
  );
  expect(messages.map(({ content, compacted }) => [content, compacted])).toEqual([
    ...[
      ['one', undefined],
      ['First.', undefined],
    ],
    ...[
      ['Tried two.', true],
      ['three', undefined],
    ],
    ['So far.', true],
  ]);
});

test('what is typed while tools work is told behind what they returned', () => {
  const rows = [
    entry('a', null, user('go')),
    entry('b', 'a', answer([call('c')])),
    entry('c', 'b', result('c')),
  ];
  const messages = readMessages(
    lines(...rows, entry('d', 'c', user('quick')), entry('e', 'd', answer([text('Ok.')]))),
  );
  expect(messages.map(({ steered }) => steered)).toEqual([undefined, undefined, undefined, true, undefined]);
});

test.each([
  ['aborted', 'cancelled'],
  ['error', 'failed'],
  ['stop', undefined],
])('an answer that ended with %s', (stopReason, stopped) => {
  const messages = readMessages(
    lines(entry('a', null, user('go')), entry('b', 'a', answer([text('I')], { stopReason }))),
  );
  expect(messages[1]?.stopped).toBe(stopped);
});
