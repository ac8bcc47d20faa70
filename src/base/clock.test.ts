import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { now, renderLocal, renderUtc, replaceClock } from './clock.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

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

test.each([
  ['UTC', '2026-02-10T12:00:00.1Z'],
  ['Europe/Berlin', '2026-02-10T13:00:00.1+01:00'],
  ['Asia/Kolkata', '2026-02-10T17:30:00.1+05:30'],
  ['America/St_Johns', '2026-02-10T08:30:00.1-03:30'],
  ['Pacific/Kiritimati', '2026-02-11T02:00:00.1+14:00'],
])('local time in %s', (name, text) => {
  process.env.TZ = name;
  expect(renderLocal(new Date('2026-02-10T12:00:00.1Z'))).toBe(text);
});

test('both renderings are the same instant', () => {
  const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, fc.constantFrom('UTC', 'America/St_Johns', 'Australia/Lord_Howe'), (time, name) => {
      process.env.TZ = name;
      expect(Date.parse(renderLocal(time))).toBe(time.getTime());
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
