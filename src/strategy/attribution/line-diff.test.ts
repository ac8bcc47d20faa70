import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countLines, diffFromAll, diffLines, newBudget } from './line-diff.ts';

const diff = (before: string, after: string) => diffLines(before, after, newBudget());

describe('line counts', () => {
  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
    ['\n\n', 2],
  ])('%j has %d', (text, lines) => expect(countLines(text)).toBe(lines));

  test.each([
    ['same', 'a\nb\n', 'a\nb\n', 0, 0],
    ['new', '', 'a\nb', 2, 0],
    ['gone', 'a\nb\n', '', 0, 2],
    ['replaced', 'a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['between', 'a\nc\n', 'a\nb\nc\n', 1, 0],
    ['a last line that gets its end is another line', 'a\nb', 'a\nb\n', 1, 1],
    ['other line ends are other lines', 'a\r\nb\r\n', 'a\nb\n', 2, 2],
    ['moved', 'a\nb\nc\n', 'b\nc\na\n', 1, 1],
    ['the same line many times', '}\n}\n}\n', '}\n}\n', 0, 1],
    ['nothing in common', 'a\nb\n', 'c\n', 1, 2],
  ])('%s', (_, before, after, added, removed) => {
    expect(diff(before, after)).toEqual({ added, removed });
  });
});

/** Textbook dynamic programming: the lines that both have in the same order. */
function countKept(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      (table[i] as number[])[j] =
        a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  return at(a.length, b.length);
}

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '}'), { maxLength: 25 })
  .map((lines) => lines.map((line) => `${line}\n`));

test('the counts are those of a minimal diff', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const kept = countKept(a, b);
      expect(diff(a.join(''), b.join(''))).toEqual({ added: b.length - kept, removed: a.length - kept });
    }),
  );
});

test('without a budget lines are moved freely, and the sums still agree', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [before, after] = [a.join(''), b.join('')];
      const exact = diff(before, after);
      const rough = diffLines(before, after, { steps: 0 });
      expect(rough.added - rough.removed).toBe(countLines(after) - countLines(before));
      expect(rough.added).toBeLessThanOrEqual(exact.added);
      expect(rough.removed).toBeGreaterThanOrEqual(0);
    }),
  );
});

describe('a file of 100,000 lines does not hang', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`);
  const text = lines.join('');

  test('rewritten: every line', () => {
    expect(diff(text, text.replaceAll('line', 'row'))).toEqual({ added: 100_000, removed: 100_000 });
  });

  test('turned around: the budget is kept, and lines count as moved', () => {
    const budget = newBudget();
    const before = budget.steps;
    expect(diffLines(text, lines.toReversed().join(''), budget)).toEqual({ added: 0, removed: 0 });
    expect(before - budget.steps).toBeLessThanOrEqual(before / 2);
  });

  test('a line in a thousand gone: exactly', () => {
    const rest = lines.filter((_, index) => index % 1000 !== 0).join('');
    expect(diff(text, rest)).toEqual({ added: 0, removed: 100 });
  });

  test('many such files use up one budget', () => {
    const turned = lines.slice(0, 5_000).toReversed().join('');
    const budget = newBudget();
    for (let file = 0; file < 20; file++) diffLines(lines.slice(0, 5_000).join(''), turned, budget);
    expect(budget.steps).toBeGreaterThanOrEqual(-1);
    expect(budget.steps).toBeLessThan(2_000_000);
  });
});

describe('what two references do not explain', () => {
  test('lines of one or the other, in any order, are no change', () => {
    expect(diffFromAll(['a\nb\nagent\n', 'pulled\na\nb\n'], 'pulled\na\nb\nagent\n')).toEqual({
      added: 0,
      removed: 0,
    });
  });

  test('new lines, and lines that both had', () => {
    expect(diffFromAll(['a\nb\nagent\n', 'pulled\na\nb\n'], 'pulled\nb\nmine\nmine\n')).toEqual({
      added: 2,
      removed: 1,
    });
    expect(diffFromAll(['', ''], 'mine\n')).toEqual({ added: 1, removed: 0 });
  });

  test('with one reference it is never more than a diff says', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const exact = diff(a.join(''), b.join(''));
        const rough = diffFromAll([a.join('')], b.join(''));
        expect(rough.added).toBeLessThanOrEqual(exact.added);
        expect(rough.added - rough.removed).toBe(exact.added - exact.removed);
      }),
    );
  });
});
