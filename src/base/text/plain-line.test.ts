import { expect, test } from 'vitest';
import { plainLine, plainLines } from './plain-line.ts';

test.each([
  ["\tconst  s = 'x';\r", 'const s="x"'],
  ['  `a`,', '"a",;'],
  ['foo( a, b )', 'foo(a,b)'],
])('%j is %j to a formatter', (one, other) => {
  expect(plainLine(one)).toBe(plainLine(other));
});

test.each([
  ['a, b', 'a b'],
  ['x = 1', 'x = 2'],
  ['for (;;) {', 'for () {'],
])('%j is not %j', (one, other) => {
  expect(plainLine(one)).not.toBe(plainLine(other));
});

test('a text has the lines that it has one by one', () => {
  const text = "a, ;\r\n\t\n  b = 'c';;\n;,\nd;e\rf,\n`g`\x85;";
  const lines = text.split('\n').map(plainLine);
  expect(plainLines(text)).toEqual(lines.filter((line) => line !== ''));
});
