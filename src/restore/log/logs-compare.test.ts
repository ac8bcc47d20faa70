import { expect, test } from 'vitest';
import { compareLogs } from './logs-compare.ts';

const line = (id: number, text = 'said', time: number | undefined = id) =>
  JSON.stringify({
    uuid: `u${id}`,
    ...(time === undefined ? {} : { timestamp: `2026-01-02T03:04:${String(time).padStart(2, '0')}Z` }),
    message: text,
  });
const log = (...lines: string[]) => Buffer.from(lines.map((text) => `${text}\n`).join(''));
const judge = (local: Buffer | undefined, stored: Buffer) => compareLogs(local, stored).state;

test('a log that is not here, empty, or of unknown age gives way', () => {
  expect(judge(undefined, log(line(1)))).toBe('new');
  expect(judge(Buffer.alloc(0), log(line(1)))).toBe('new');
  expect(judge(Buffer.from('{"type":"user"}\n'), log(line(1)))).toBe('new');
  expect(judge(log(line(1)), Buffer.from('{"type":"user"}\n'))).toBe('new');
});

test('the later last entry decides', () => {
  expect(judge(log(line(1), line(3)), log(line(1), line(2)))).toBe('local-newer');
  expect(judge(log(line(1)), log(line(1), line(2)))).toBe('checkpoint-newer');
  expect(judge(log(line(1)), log(line(1, 'REDACTED'), line(2)))).toBe('checkpoint-newer');
  expect(compareLogs(log(line(1)), log(line(2)))).toMatchObject({
    state: 'apart',
    localMs: Date.parse('2026-01-02T03:04:01Z'),
    storedMs: Date.parse('2026-01-02T03:04:02Z'),
  });
});

test('an unredacted log that holds the same lines, or more, is left alone', () => {
  const stored = log(line(1, 'REDACTED'), line(2));
  expect(judge(stored, stored)).toBe('unchanged');
  expect(judge(log(line(1, 'a secret'), line(2)), stored)).toBe('unchanged');
  expect(judge(log(line(1, 'a secret'), line(2), '{"type":"mode"}'), stored)).toBe('unchanged');
});

test('at the same time, one that lacks a line is not the same', () => {
  expect(judge(log(line(2)), log(line(1), line(2)))).toBe('checkpoint-newer');
  expect(judge(log(line(3, '', 2), line(2)), log(line(1), line(2)))).toBe('checkpoint-newer');
});

test('without any time, one that goes on where the stored one ends is left alone', () => {
  const stored = Buffer.from('{"type":"user"}\n');
  expect(judge(Buffer.concat([stored, stored]), stored)).toBe('unchanged');
  expect(judge(stored, Buffer.concat([stored, stored]))).toBe('new');
});
