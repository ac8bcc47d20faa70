import { describe, expect, it } from 'vitest';
import { applySwaps, reversed, type Swap } from './swaps.ts';

const texts = (...swaps: Swap[]) => ({ swaps, isByLine: false });
const patch = (...swaps: Swap[]) => ({ swaps, isByLine: true });

describe('texts that an edit replaced', () => {
  it('are put in the place of others, one after the other', () => {
    expect(applySwaps('a b c', texts(['a', 'x'], ['x b', 'y']))).toEqual(['y c']);
    expect(applySwaps('y c', reversed(texts(['a', 'x'], ['x b', 'y'])))).toEqual(['a b c']);
  });

  it('that stand more than once have a result for each place, and one for all of them', () => {
    expect(applySwaps('a a', texts(['a', 'x']))).toEqual(['x a', 'a x', 'x x']);
  });

  it('that are not there, or are nothing, have none', () => {
    expect(applySwaps('a', texts(['b', 'x']))).toEqual([]);
    expect(applySwaps('a', reversed(texts(['b', ''])))).toEqual([]);
  });

  it('are whole lines in a patch, each behind the one before', () => {
    expect(applySwaps('xa\na\nb\na\n', patch(['a\n', '1\n'], ['a\n', '2\n']))).toEqual(['xa\n1\nb\n2\n']);
    expect(applySwaps('b\na\n', patch(['a\n', '1\n'], ['b\n', '2\n']))).toEqual([]);
  });

  it('cost little, however often they stand there', () => {
    expect(applySwaps('a'.repeat(1_000_000), texts(['a', 'b'], ['a', 'c'])).length).toBeLessThanOrEqual(64);
  });

  it('cost little, however many choices of places there are, and tell nothing where not all could be tried', () => {
    const many = Array.from({ length: 12 }, (_, at): Swap => ['e\n', `E${at}\n`]);
    for (const edit of [texts(...many, ['no', 'x']), patch(...many, ['no\n', 'x\n'])])
      expect(applySwaps('e\n'.repeat(60), edit)).toEqual([]);
    expect(applySwaps('a'.repeat(1_000_000), texts(...many.map(([, put]): Swap => ['a', put])))).toEqual([]);
    const large = 'x'.repeat(10_000);
    expect(applySwaps('e\n'.repeat(100_000), texts(['e\n', large]))).toEqual([]);
    expect(applySwaps('e\n'.repeat(20_000), texts(['e\n', large]))).toEqual([]);
    expect(applySwaps('e\n'.repeat(20), texts(['e\n', large])).length).toBe(17);
    const long = Array.from({ length: 20_000 }, (_, at) => `line ${at} `.padEnd(50, '.'));
    const all = long.map((line): Swap => [line, line.toUpperCase()]);
    expect(applySwaps(long.join('\n'), texts(...all))).toEqual([]);
    const each = Array.from({ length: 3_000 }, (_, at): Swap => [`<${at}>`, `(${at})`]);
    const text = each.map(([old]) => old).join('\n');
    expect(applySwaps(text, texts(...each))).toEqual([each.map(([, put]) => put).join('\n')]);
  });
});
