import { describe, expect, test } from 'vitest';
import { readCalls } from './events.ts';

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const event = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  id: `id-of-${type}`,
  ...more,
});
const said = (content: string, more: object = {}) => event('assistant.message', { content, ...more });

describe('tokens', () => {
  const record = (apiCallId: string | undefined, usage: object, more: object = {}) =>
    event('session.usage_record', { usage: { apiCallId, ...usage } }, more);

  test('what was read from the cache and written to it is no other input', () => {
    const usage = { inputTokens: 535, outputTokens: 10, cacheReadTokens: 100, cacheWriteTokens: 412 };
    const timestamp = '2026-11-21T10:47:42.137Z';
    expect(readCalls(lines(record('c1', usage, { timestamp })))).toEqual([
      {
        id: 'c1',
        item: 0,
        timeMs: Date.parse(timestamp),
        usage: { inputTokens: 23, cacheCreationTokens: 412, cacheReadTokens: 100, outputTokens: 10 },
      },
    ]);
    const odd = record('c2', { inputTokens: 5, outputTokens: -1, cacheReadTokens: 9, cacheWriteTokens: 'x' });
    expect(readCalls(lines(odd))[0]?.usage).toEqual({
      inputTokens: 0,
      cacheCreationTokens: 0,
      cacheReadTokens: 9,
      outputTokens: 0,
    });
  });

  test('each call once, whatever names it', () => {
    const named = (accounting: object) =>
      event('session.usage_record', { usage: { outputTokens: 1, accounting } });
    const transcript = lines(
      record('c1', { outputTokens: 3 }),
      record('c1', { outputTokens: 3 }),
      said('hi', { apiCallId: 'c1', outputTokens: 3 }),
      named({ usageId: 'u1' }),
      { ...record(undefined, { outputTokens: 1 }), id: 'line' },
    );
    expect(readCalls(transcript).map(({ id }) => id)).toEqual(['c1', 'u1', 'line']);
  });

  test('of older clients: output message by message, the rest when the session ends', () => {
    const usage = { inputTokens: 100, outputTokens: 30, cacheReadTokens: 40, cacheWriteTokens: 0 };
    const ends = event('session.shutdown', { modelMetrics: { 'gpt-5': { requests: { count: 2 }, usage } } });
    const calls = readCalls(
      lines(
        said('', { messageId: 'm1', outputTokens: 10 }),
        said('hi', { messageId: 'm2', outputTokens: 20 }),
        said('of a client that keeps records', { messageId: 'm3' }),
        ends,
      ),
    );
    const sum = (key: keyof (typeof calls)[0]['usage']) =>
      calls.reduce((total, call) => total + call.usage[key], 0);
    expect([sum('inputTokens'), sum('cacheReadTokens'), sum('outputTokens')]).toEqual([60, 40, 30]);
  });
});
