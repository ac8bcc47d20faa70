import { expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const contents = (...values: readonly object[]) =>
  readMessages(values.map((value) => JSON.stringify(value)).join('\n')).map(({ content }) => content);

test('blocks as Anthropic has them', () => {
  const use = { type: 'tool_use', id: 'c', name: 'Read', input: { file_path: 'a' } };
  expect(
    contents(
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'text', text: 'Reading.' }, use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'one', is_error: true }] },
    ),
  ).toEqual([
    'go',
    [{ type: 'text', text: 'Reading.' }, use],
    [{ type: 'tool_result', tool_use_id: 'c', content: 'one', is_error: true }],
  ]);
});

test('messages as OpenAI has them', () => {
  const call = { id: 'c', type: 'function', function: { name: 'ls', arguments: '{"path":"."}' } };
  expect(
    contents(
      ...[
        { role: 'system', content: 'You are …' },
        { role: 'user', content: 'go' },
      ],
      ...[
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'a' },
      ],
    ),
  ).toEqual([
    'go',
    [{ type: 'tool_use', id: 'c', name: 'ls', input: { path: '.' } }],
    [{ type: 'tool_result', tool_use_id: 'c', content: 'a' }],
  ]);
});

test('a document with a list of messages, with times', () => {
  const history = [
    { type: 'human', text: 'go', timestamp: '2026-11-23T08:00:01.000Z' },
    { type: 'ai', text: 'Done.' },
  ];
  expect(readMessages(JSON.stringify({ history }, null, 2))).toEqual([
    { role: 'user', content: 'go', timestamp: 1795420801 },
    { role: 'assistant', content: 'Done.' },
  ]);
});
