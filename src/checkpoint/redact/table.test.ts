import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRandomRuns } from './rule/entropy.ts';
import { TextTable } from './table.ts';

const ab = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });

test('a table finds what searching for each text by itself finds', () => {
  fc.assert(
    fc.property(fc.array(ab(1, 12), { maxLength: 30 }), ab(0, 200), (texts, hay) => {
      const found = [...new TextTable(texts).find(hay)].map(({ start, end }) => [start, end]);
      const expected = [...hay].flatMap((_, at) => {
        const here = texts.filter((text) => text.length >= 6 && hay.startsWith(text, at));
        const longest = Math.max(...here.map(({ length }) => length));
        return here.length > 0 ? [[at, at + longest]] : [];
      });
      expect(found).toEqual(expected);
    }),
  );
});

test('a table asks about every text at a place, from the longest on, until one is taken', () => {
  const asked: string[] = [];
  const table = new TextTable(['abcdef', 'abcdefgh', 'abcdefg', 'abcdez', 'bcdefg']);
  const [found] = table.find('x abcdefgh', ({ text }) => {
    asked.push(text);
    return text === 'abcdefg';
  });
  expect(asked).toEqual(['abcdefgh', 'abcdefg']);
  expect(found).toEqual({ start: 2, end: 9, text: 'abcdefg' });
});

/** Comparisons for each of `count` texts that stand in one text, alone and behind a name. */
function stepsPerText(count: number, textOf: (no: number) => string): number {
  const texts = Array.from({ length: count }, (_, no) => textOf(no));
  const table = new TextTable(texts);
  const hay = texts.map((text) => `password=${text} and ${text} again\n`).join('');
  expect([...table.find(hay)].length).toBeGreaterThanOrEqual(2 * count);
  return table.steps / count;
}

test.each<[string, (no: number) => string]>([
  ['that have nothing in common', (no) => `${(no * 7919).toString(36).padStart(6, 'q')}x${no}`],
  ['that all begin alike', (no) => `ghp_aaaaaaaaaaaa${no}`],
  ['each with the ones before it in it', (no) => `abcdef${'gh'.repeat(no % 200)}${no}`],
])('eight times the texts cost at most three times as much each: texts %s', (_, textOf) => {
  const few = stepsPerText(500, textOf);
  const many = stepsPerText(4000, textOf);
  expect(many).toBeLessThanOrEqual(3 * few);
  expect(many).toBeLessThan(64);
});

test('a text that begins like a secret everywhere costs a few looks at each place', () => {
  const table = new TextTable(Array.from({ length: 1000 }, (_, no) => `${'ab'.repeat(3 + no)}c`));
  expect([...table.find('ab'.repeat(10_000))]).toEqual([]);
  expect(table.steps).toBeLessThan(10_000 * 16);
});

test('runs are those that an expression finds', () => {
  const unit = fc.constantFrom('a', 'B', '7', '-', '=', '_', ' ', '/', '\u00e9', '\u5bc6');
  const text = fc.string({
    unit: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...'aB7kQ') }, unit),
    maxLength: 200,
  });
  const RUN = /[A-Za-z0-9+_=-]{23,}/g;
  fc.assert(
    fc.property(text, (between) => {
      const random = 'k9Jx2mQzLw7RtY4vBn6CsDf8GhPo3EuA';
      const all = `${between} ${random}${between}`;
      const inRuns = [...all.matchAll(RUN)].some(({ 0: run }) => run.startsWith(random));
      expect(findRandomRuns(all).some(({ start, end }) => all.slice(start, end).startsWith(random))).toBe(
        inRuns,
      );
    }),
  );
});
