import { describe, expect, test } from 'vitest';
import type { CheckpointId } from '../../base/ids.ts';
import { addToNote, joinNotes } from './notes.ts';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(12)) as [
  CheckpointId,
  CheckpointId,
  CheckpointId,
];
const line = (id: string) => `Entire-Checkpoint: ${id}\n`;

describe('addToNote', () => {
  test('a line for each, each once, in order', () => {
    expect(addToNote('', [B, A, B])).toBe(line(B) + line(A));
    expect(addToNote(line(A), [C, A, B])).toBe(line(A) + line(C) + line(B));
  });

  test('where all are there the note is the same', () => {
    const note = `\r\nwords\r\n${line(A)}more\n    ${line(B)}`;
    expect(addToNote(note, [B, A])).toBe(note);
  });

  test('what somebody else wrote stays, to the byte', () => {
    expect(addToNote('reviewed by\xff\0Ada', [A])).toBe(`reviewed by\xff\0Ada\n\n${line(A)}`);
    expect(addToNote(`words\n\n${line(A)}`, [B])).toBe(`words\n\n${line(A)}${line(B)}`);
  });

  test('a note that nobody would read to its end is left alone', () => {
    expect(addToNote('x'.repeat(1 << 20), [A])).toBeUndefined();
  });
});

describe('joinNotes', () => {
  const both = (a: string, b: string): string => {
    expect(joinNotes(b, a)).toBe(joinNotes(a, b));
    return joinNotes(a, b);
  };

  test('has all checkpoints of both', () => {
    expect(both(line(B), line(A))).toBe(line(A) + line(B));
    expect(both(`${line(C)}${line(A)}`, `${line(B)}\n\n${line(A)}`)).toBe(line(A) + line(B) + line(C));
    expect(both(`words of theirs\n\n${line(A)}`, line(B))).toBe(`${line(A)}${line(B)}words of theirs\n`);
  });

  test('one that is the same stays as it is', () => {
    const whole = `words\r\n\r\n${line(C)}${line(A)}`;
    expect(both(whole, whole)).toBe(whole);
    expect(both('', line(A))).toBe(line(A));
    expect(both('', '')).toBe('');
  });

  test('it does not matter in which order many are joined', () => {
    const notes = [`x\n\n${line(C)}`, line(A), `y\n${line(B)}`, `${line(B)}${line(A)}`];
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [1, 3, 0, 2],
    ];
    const joined = orders.map((order) => order.map((at) => notes[at] as string).reduce(joinNotes));
    expect(new Set(joined).size).toBe(1);
  });
});
