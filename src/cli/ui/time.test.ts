import { afterEach, beforeEach, expect, test } from 'vitest';
import { localMinute, replaceClock } from '../../base/clock.ts';
import { ago, atTime, wishAbsolute } from './time.ts';

beforeEach(() => replaceClock(() => new Date('2026-02-10T12:00:00Z'))); // what it returns is called afterwards
afterEach(() => wishAbsolute(false));

test.each([
  ['2026-02-10T12:00:00Z', 'just now'],
  ['2026-02-10T11:59:00.001Z', 'just now'],
  ['2026-02-10T12:04:00Z', 'just now'],
  ['2026-02-10T11:59:00Z', '1m ago'],
  ['2026-02-10T11:00:01Z', '59m ago'],
  ['2026-02-10T11:00:00Z', '1h ago'],
  ['2026-02-09T12:00:01Z', '23h ago'],
  ['2026-02-09T12:00:00Z', '1d ago'],
  ['2026-01-12T12:00:00Z', '29d ago'],
  ['2026-01-02T12:00:00Z', '2026-01-02'],
  ['2026-02-10T11:00:00.123456789-01:00', 'just now'],
  ['2027-01-01T12:00:00Z', '2027-01-01'],
  ['', 'some time ago'],
  ['soon', 'some time ago'],
])('%s was %s', (time, words) => {
  expect(ago(time)).toBe(words);
});

test('with --absolute both tell the minute', () => {
  const time = '2026-02-09T12:00:00Z';
  wishAbsolute(true);
  expect(ago(time)).toBe(localMinute(time));
  expect(atTime(time)).toBe(localMinute(time));
  expect(ago('')).toBe('some time ago');
  wishAbsolute(undefined);
  expect(ago(time)).toBe('1d ago');
});

test('a list by the clock tells the time of day, the day or the date', () => {
  expect(atTime('2026-02-10T12:00:00Z')).toBe(localMinute('2026-02-10T12:00:00Z').slice(11));
  expect(atTime('2026-01-05T12:00:00Z')).toBe('Jan 05');
  expect(atTime('2025-01-05T12:00:00Z')).toBe('2025-01-05');
});
