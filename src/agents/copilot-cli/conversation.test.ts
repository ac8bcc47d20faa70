import { expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

let count = 0;
const event = (type: string, data: object, more: object = {}) => {
  count += 1;
  return { type, data, id: `e${count}`, timestamp: '2026-11-23T08:00:01.000Z', ...more };
};
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const typed = (content: string, more: object = {}) => event('user.message', { content, ...more });
const answer = (content: string, more: object = {}) =>
  event('assistant.message', {
    content,
    messageId: content,
    apiCallId: `api-${content}`,
    model: 'm',
    ...more,
  });

test('thoughts, calls with members or free text, and results', () => {
  const toolRequests = [
    { toolCallId: 'c1', name: 'view', arguments: { path: 'a' } },
    { toolCallId: 'c2', name: 'apply_patch', arguments: '*** Begin Patch' },
  ];
  const ended = (toolCallId: string, more: object) =>
    event('tool.execution_complete', { toolCallId, ...more });
  const text = lines(
    ...[typed('go'), answer('Look.', { toolRequests, reasoningText: 'hm' })],
    ...[ended('c2', { success: true, result: { content: 'Added a' } })],
    ...[ended('c1', { success: false, error: { message: 'no such file' } })],
  );
  expect(readMessages(text).map(({ content }) => content)).toEqual([
    'go',
    [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Look.' },
      { type: 'tool_use', id: 'c1', name: 'view', input: { path: 'a' } },
      { type: 'tool_use', id: 'c2', name: 'apply_patch', input: { input: '*** Begin Patch' } },
    ],
    [
      { type: 'tool_result', tool_use_id: 'c2', content: 'Added a' },
      { type: 'tool_result', tool_use_id: 'c1', content: 'no such file', is_error: true },
    ],
  ]);
});

test('tokens stand with the answer that they are of, though they are told before it', () => {
  const record = (call: string, inputTokens: number) =>
    event('session.usage_record', { usage: { apiCallId: `api-${call}`, inputTokens, outputTokens: 1 } });
  const text = lines(
    typed('go'),
    record('A', 10),
    answer('A'),
    record('B', 20),
    answer('B'),
    record('C', 30),
  );
  expect(readMessages(text).map(({ content, usage }) => [content, usage?.input_tokens])).toEqual([
    ...[
      ['go', undefined],
      ['A', 10],
      ['B', 20],
    ],
    ['', 30],
  ]);
});

test('what is typed into a running turn, its attachments, and how turns end', () => {
  const file = { type: 'file', path: '/repo/a.png', displayName: 'a.png' };
  const text = lines(
    ...[
      typed('go', { attachments: [file], delivery: 'idle' }),
      answer('A'),
      typed('on', { delivery: 'steering' }),
    ],
    ...[
      event('abort', { reason: 'user initiated' }),
      typed('again'),
      event('session.error', { message: 'quota' }),
    ],
  );
  expect(readMessages(text)).toMatchObject([
    { content: [{ text: 'go' }, { type: 'file', media_type: '', source: '/repo/a.png', name: 'a.png' }] },
    { content: 'A' },
    { content: 'on', steered: true },
    { role: 'assistant', stopped: 'cancelled' },
    { content: 'again' },
    { role: 'assistant', stopped: 'failed' },
  ]);
});

test('sub-agents, skills and the client itself are left out; a compaction that was done is told', () => {
  const text = lines(
    ...[typed('go'), typed('a task', { source: 'agent-x' }), answer('theirs', {})].map((one, at) =>
      at === 2 ? { ...one, agentId: 'x' } : one,
    ),
    event('session.compaction_complete', { success: false }),
    event('session.compaction_complete', { success: true, summaryContent: 'theirs' }, { agentId: 'x' }),
    event('session.compaction_complete', { success: true, summaryContent: 'So far.' }),
  );
  expect(readMessages(text)).toMatchObject([{ content: 'go' }, { content: 'So far.', compacted: true }]);
});
