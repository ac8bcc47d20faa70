import { expect, test } from 'vitest';
import { among, standsFor } from './listed.ts';

test('a name that lost a key stands for each path that it may have been', () => {
  expect(standsFor('a/REDACTED.txt', 'a/key.txt')).toBe(true);
  expect(standsFor('REDACTED/b/REDACTED', 'key/b/key')).toBe(true);
  expect(standsFor('a/REDACTED.txt', 'a/.txt')).toBe(false);
  expect(standsFor('a/b.txt', 'a/c.txt')).toBe(false);
  const isOne = among(new Set(['a/key.txt', 'b']));
  expect(['a/REDACTED.txt', 'b', 'c', 'c/REDACTED'].map(isOne)).toEqual([true, true, false, false]);
});

test('names that lost keys cost so many looks, however many there are, and may be anything beyond that', () => {
  let looks = 0;
  class Counted extends Set<string> {
    override *[Symbol.iterator]() {
      for (const path of [...super.values()]) {
        looks++;
        yield path;
      }
      return undefined;
    }
  }
  const isOne = among(new Counted(Array.from({ length: 2_000 }, (_, at) => `a/${at}`)));
  const found = Array.from({ length: 3_000 }, (_, at) => isOne(`a/REDACTED/${at}`));
  expect([found[0], found.at(-1), looks < 2_100_000]).toEqual([false, true, true]);
});
