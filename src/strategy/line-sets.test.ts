import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLines } from '../base/text/lines.ts';
import { type Lines, openLineSets } from './line-sets.ts';

test('versions of files have the lines that they have', () => {
  const line = fc.constantFrom('a', 'b', 'c;', ' d', '', 'e');
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 50 }), (texts) => {
      const linesOf = openLineSets();
      const told = texts.map((text) => ({ text, lines: linesOf(text) as Lines }));
      for (const [at, { text, lines }] of told.entries()) {
        const own = new Set(plainLines(text));
        for (const line of ['a', 'b', 'c', 'd', 'e', '']) expect(lines.has(line)).toBe(own.has(line));
        const other = told[(at + 1) % told.length] as (typeof told)[number];
        const others = new Set(plainLines(other.text));
        expect(new Set(lines.without(other))).toEqual(new Set([...own].filter((one) => !others.has(one))));
      }
    }),
  );
});

test('a long file costs once what its versions are alike in', () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at} of a long file`);
  const linesOf = openLineSets();
  for (let turn = 0; turn < 40; turn++) {
    lines[turn * 20] = `turn ${turn}`;
    expect(linesOf(lines.join('\n'))?.has(`turn${turn}`)).toBe(true);
  }
});

test('behind what it may cost nothing is told', () => {
  const linesOf = openLineSets();
  const texts = Array.from({ length: 20 }, (_, at) => `${at}\n`.repeat(500_000));
  expect(linesOf(texts[0] as string)).toBeDefined();
  expect(texts.map(linesOf).at(-1)).toBeUndefined();
});
