import { expect, test } from 'vitest';
import { parseSince } from './flags.ts';

test('since: dates, moments and spans; days that no month has are none', () => {
  expect(parseSince('2026-11-01', 'utc').toISOString()).toBe('2026-11-01T00:00:00.000Z');
  const days = (word: string): number => (Date.now() - parseSince(word, 'utc').getTime()) / 86_400_000;
  expect(Math.floor(days('today'))).toBe(0);
  expect(Math.floor(days('yesterday'))).toBe(1);
  expect(parseSince('yesterday', 'local').getHours()).toBe(0);
  expect(parseSince('2026-11-01T01:00:00+05:30', 'utc').toISOString()).toBe('2026-10-31T19:30:00.000Z');
  expect(parseSince('2024-02-29T00:00:00Z', 'utc').toISOString()).toBe('2024-02-29T00:00:00.000Z');
  for (const word of [
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-04-31T10:00+02:00',
    '2026-11-01T25:00',
    '-1d',
    '7 d',
  ])
    expect(() => parseSince(word, 'utc'), word).toThrow('not a date or an age');
});

test('a day begins where its reader lives, or in UTC', () => {
  const local = new Date(2026, 10, 1);
  expect(parseSince('2026-11-01', 'local')).toEqual(local);
  expect(parseSince('2026-11-01T00:00:00Z', 'local').toISOString()).toBe('2026-11-01T00:00:00.000Z');
});
