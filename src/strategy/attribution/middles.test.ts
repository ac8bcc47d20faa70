import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMiddles } from './middles.ts';

test.each([
  ['', '', '', ''],
  ['a\nb\n', 'a\nb\n', '', ''],
  ['a\nb\nc\n', 'a\nx\nc\n', 'b\n', 'x\n'],
  ['one', 'one\n', 'one', 'one\n'],
  ['a\nab\n', 'a\nb\n', 'ab\n', 'b\n'],
  ['\nx', '\ny', 'x', 'y'],
  ['b\n', 'a\nb\n', '', 'a\n'],
])('%j and %j differ in %j and %j', (a, b, ofA, ofB) => {
  const { start, ends } = findMiddles(a, b);
  expect([a.slice(start, ends[0]), b.slice(start, ends[1])]).toEqual([ofA, ofB]);
});

test('what is left out is the same in both, and whole lines', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', 'a'.repeat(70), 'a'.repeat(1100)), { maxLength: 8 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const { start, ends } = findMiddles(a, b);
      expect(a.slice(0, start)).toBe(b.slice(0, start));
      expect(a.slice(ends[0])).toBe(b.slice(ends[1]));
      for (const [of, at] of [
        [a, start],
        [a, ends[0]],
        [b, ends[1]],
      ] as const)
        expect(at === 0 || at === of.length || of[at - 1] === '\n').toBe(true);
      expect(start <= Math.min(...ends)).toBe(true);
    }),
  );
});
