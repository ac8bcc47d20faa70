import { expect, test } from 'vitest';
import { readMessages } from './conversation.ts';

const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const line = (id: string, message: object) => ({
  ...{ type: 'message', id, timestamp: '2026-11-23T08:00:01.000Z', message },
});
const user = (text: string, more: object = {}) => ({
  role: 'user',
  content: [{ type: 'text', text }],
  ...more,
});
const answer = (...content: readonly object[]) => ({ role: 'assistant', content, modelId: 'm' });
const outcome = (reason: string) => ({ type: 'agent_turn_outcome', turnId: 'a', reason });

test('what the client tells the model, or the user of hooks, is left out', () => {
  const text = lines(
    ...[line('x', user('context', { visibility: 'llm_only' })), line('a', user('go'))],
    ...[line('h', { role: 'user', content: [], visibility: 'user_only', hookEventName: 'Stop' })],
    line('b', answer({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Done.' })),
  );
  expect(readMessages(text)).toMatchObject([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'thinking', text: 'hm' }, { text: 'Done.' }], model: 'm' },
  ]);
});

test.each([
  ['completed', undefined],
  ['spec_handoff', undefined],
  ['cancelled', 'cancelled'],
  ['model_usage_exhausted', 'failed'],
])('a turn with the outcome %s', (reason, stopped) => {
  const text = lines(line('a', user('go')), line('b', answer({ type: 'text', text: 'I' })), outcome(reason));
  expect(readMessages(text).at(-1)?.stopped).toBe(stopped);
});

test('a session that a compaction began has the summary first', () => {
  const state = {
    type: 'compaction_state',
    id: 's',
    timestamp: '2026-11-23T08:00:01.000Z',
    summaryText: 'So far.',
  };
  expect(
    readMessages(lines({ type: 'session_start', id: 'i', parent: 'p' }, state, line('a', user('on')))),
  ).toEqual([
    { role: 'user', content: 'So far.', timestamp: 1795420801, compacted: true },
    { role: 'user', content: 'on', timestamp: 1795420801 },
  ]);
});
