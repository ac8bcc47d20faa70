import { expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const row = (
  uuid: string,
  parentUuid: string | null,
  type: string,
  parts: readonly object[],
  more: object = {},
) => ({
  ...{ uuid, parentUuid, type, timestamp: '2026-11-23T08:00:01.000Z' },
  message: { role: type === 'assistant' ? 'model' : 'user', parts },
  ...more,
});

test('thoughts, calls, results with what failed, and pictures', () => {
  const functionResponse = { id: 'c', name: 'read_file', response: { error: 'no such file' } };
  const inlineData = { mimeType: 'image/png', data: 'AAEC' };
  const text = lines(
    row('a', null, 'user', [{ text: 'look' }, { inlineData }]),
    row('b', 'a', 'assistant', [
      ...[{ text: 'hm', thought: true }, { text: 'Reading.' }],
      { functionCall: { id: 'c', name: 'read_file', args: { file_path: 'a' } } },
    ]),
    row('c', 'b', 'tool_result', [{ functionResponse }], { toolCallResult: { status: 'error' } }),
  );
  expect(readMessages(text).map(({ content }) => content)).toEqual([
    [
      { type: 'text', text: 'look' },
      { type: 'image', media_type: 'image/png', bytes: 3, data: 'AAEC' },
    ],
    [
      ...[
        { type: 'thinking', text: 'hm' },
        { type: 'text', text: 'Reading.' },
      ],
      { type: 'tool_use', id: 'c', name: 'read_file', input: { file_path: 'a' } },
    ],
    [{ type: 'tool_result', tool_use_id: 'c', content: 'no such file', is_error: true }],
  ]);
});

test('what was taken back is gone; what was typed meanwhile is marked, and so is a summary', () => {
  const compressedHistory = [
    { role: 'user', parts: [{ text: '<state_snapshot>So far.</state_snapshot>' }] },
    { role: 'model', parts: [{ text: 'Got it.' }] },
  ];
  const text = lines(
    row('a', null, 'user', [{ text: 'one' }]),
    row('b', 'a', 'user', [{ text: 'two' }]),
    row('c', 'a', 'user', [{ text: 'quick' }], { subtype: 'mid_turn_user_message' }),
    row('d', 'c', 'system', [], { subtype: 'chat_compression', systemPayload: { compressedHistory } }),
    row('e', 'd', 'user', [{ text: 'Timer' }], { subtype: 'cron' }),
  );
  const time = { timestamp: 1795420801 };
  expect(readMessages(text)).toEqual([
    { role: 'user', content: 'one', ...time },
    { role: 'user', content: 'quick', ...time, steered: true },
    { role: 'user', content: '<state_snapshot>So far.</state_snapshot>', ...time, compacted: true },
  ]);
});
