import fc from 'fast-check';
import { expect, test } from 'vitest';
import { now, renderUtc, replaceClock } from './clock.ts';

test.each([
  ['2026-02-10T12:00:00.123Z', '2026-02-10T12:00:00.123Z'],
  ['2026-02-10T12:00:00.120Z', '2026-02-10T12:00:00.12Z'],
  ['2026-02-10T12:00:00.100Z', '2026-02-10T12:00:00.1Z'],
  ['2026-02-10T12:00:00.001Z', '2026-02-10T12:00:00.001Z'],
  ['2026-02-10T12:00:00.000Z', '2026-02-10T12:00:00Z'],
  ['2026-02-10T10:20:30.000Z', '2026-02-10T10:20:30Z'],
])('%s in UTC is %s', (time, text) => {
  expect(renderUtc(new Date(time))).toBe(text);
});

test('the rendering is the same instant', () => {
  const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, (time) => {
      expect(Date.parse(renderUtc(time))).toBe(time.getTime());
    }),
  );
});

test('the clock can be replaced and put back', () => {
  const restore = replaceClock(() => new Date('2026-02-10T12:00:00Z'));
  expect(now()).toEqual(new Date('2026-02-10T12:00:00Z'));
  restore();
  expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(10_000);
});
