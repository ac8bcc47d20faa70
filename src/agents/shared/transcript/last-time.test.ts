import { expect, test } from 'vitest';
import { readLastTime } from './last-time.ts';

const at = (time: string) => JSON.stringify({ type: 'user', timestamp: time });
const read = (...lines: string[]) => {
  const ms = readLastTime(Buffer.from(lines.join('\n')));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};
const EARLY = '2026-01-02T03:04:05.000Z';
const LATE = '2026-01-02T03:04:06.500Z';

test('the last line with a time counts, whatever stands behind it', () => {
  expect(read(at(EARLY), at(LATE))).toBe(LATE);
  expect(read(at(EARLY), at(LATE), '{"type":"last-prompt"}', '', '{"half')).toBe(LATE);
  expect(read(at(EARLY), at('not a time'))).toBe(EARLY);
  expect(read(at('2026-01-02T05:04:05+02:00'))).toBe('2026-01-02T03:04:05.000Z');
});

test('a line is read however long it is', () => {
  const long = JSON.stringify({ timestamp: LATE, text: 'x'.repeat(3 * 64 * 1024) });
  expect(read(at(EARLY), long)).toBe(LATE);
  expect(read(long, at(EARLY))).toBe(EARLY);
});

test('a transcript that is one JSON document says it with its last message, or as a whole', () => {
  const document = {
    sessionId: 's',
    lastUpdated: EARLY,
    messages: [{ timestamp: EARLY }, { timestamp: LATE }],
  };
  for (const space of [0, 2]) {
    expect(read(JSON.stringify(document, undefined, space))).toBe(LATE);
    expect(read(JSON.stringify({ ...document, messages: [{}] }, undefined, space))).toBe(EARLY);
  }
});

test('messages that say in numbers when they ended', () => {
  const message = (completed: unknown) => ({
    info: { time: { created: Date.parse(EARLY), completed } },
    parts: [],
  });
  const [early, late] = [message(undefined), message(Date.parse(LATE))];
  expect(read(JSON.stringify(early), JSON.stringify(late), '{"info":{"time":{"created":9}}}')).toBe(LATE);
  expect(read(JSON.stringify({ info: {}, messages: [early, late] }, undefined, 2))).toBe(LATE);
  expect(read(JSON.stringify(message(9e15)))).toBe(EARLY);
});

test('bytes that are no transcript say nothing', () => {
  for (const text of ['', '\n\n', 'hello', '[]', '{"timestamp":5}', '{"messages":5}', 'null']) {
    expect(read(text)).toBeUndefined();
  }
  expect(readLastTime(Buffer.from([0xff, 0x0a, 0x00, 0x7b]))).toBeUndefined();
});
