import { describe, expect, test } from 'vitest';
import { countLines, cutAfter, cutBack } from './transcript.ts';

const line = (uuid: string, text: string): string => JSON.stringify({ uuid, text, more: { kept: true } });
const bytes = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

describe('cutBack', () => {
  const local = bytes(line('1', 'my token'), '', line('2', 'two'), '{"type":"summary"}', line('3', 'three'));

  test('keeps the bytes that lie here, as far as the stored lines go', () => {
    const stored = bytes(line('1', 'REDACTED'), '', line('2', 'two'));
    expect(cutBack(local, stored).toString()).toBe(
      bytes(line('1', 'my token'), '', line('2', 'two')).toString(),
    );
  });

  test('a line without an id is known by its kind', () => {
    const stored = bytes(line('1', 'x'), '', line('2', 'two'), '{"type":"summary","text":"REDACTED"}');
    expect(countLines(cutBack(local, stored))).toBe(3);
    const other = bytes(line('1', 'x'), '', line('2', 'two'), '{"type":"system"}');
    expect(cutBack(local, other)).toEqual(other);
  });

  test('another text, a shorter one, or none: the stored one', () => {
    const stored = bytes(line('1', 'one'), line('9', 'nine'));
    expect(cutBack(local, stored)).toEqual(stored);
    expect(cutBack(bytes(line('1', 'one')), stored)).toEqual(stored);
    expect(cutBack(undefined, stored)).toEqual(stored);
    expect(cutBack(Buffer.from('not JSON\n\0\xff'), stored)).toEqual(stored);
  });

  test('the same text stays the same, also without a line end', () => {
    const open = local.subarray(0, local.length - 1);
    expect(cutBack(open, open)).toEqual(open);
    expect(cutBack(local, Buffer.alloc(0))).toEqual(Buffer.alloc(0));
  });
});

describe('cutAfter', () => {
  const transcript = bytes(line('1', 'mentions 2'), line('2', 'two'), line('3', 'three'));

  test('ends with the line of that id, byte for byte', () => {
    expect(cutAfter(transcript, '2')?.toString()).toBe(
      bytes(line('1', 'mentions 2'), line('2', 'two')).toString(),
    );
    expect(cutAfter(transcript, '3')).toEqual(transcript);
  });

  test('nothing where there is none', () => {
    expect(cutAfter(transcript, '4')).toBeUndefined();
    expect(cutAfter(undefined, '2')).toBeUndefined();
    expect(cutAfter(Buffer.from('[1,2]\nnull\n"2"\n'), '2')).toBeUndefined();
  });
});
