import { expect, test } from 'vitest';
import { parseQuery, toMatch } from './query.ts';

const match = (...words: string[]): string => toMatch(parseQuery(words));

test.each([
  [['rate', 'limit'], '"rate" * AND "limit" *'],
  [['"rate limit"'], '"rate limit"'],
  [['rate "limit per hour" x'], '"rate" * AND "limit per hour" AND "x" *'],
  [['"not closed'], '"not closed"'],
  [['renderPage('], '"renderPage"'],
  [['src/a.ts'], '"src a ts" *'],
  [['NEAR(a', 'b)', 'AND', 'OR', 'NOT'], '"NEAR a" * AND "b" AND "AND" * AND "OR" * AND "NOT" *'],
  [['-x', '^y', 'col:z', '*'], '"x" * AND "y" * AND "col z" *'],
  [['設定'], '"設 定" *'],
])('%j', (words, expected) => expect(match(...words)).toBe(expected));

test('what holds no word asks for nothing', () => {
  expect(parseQuery(['*', '""', '->', '\0'])).toEqual([]);
});

test('kinds are columns', () => {
  expect(toMatch(parseQuery(['a']), ['prompt', 'humps'])).toBe('{prompt humps} : ("a" *)');
});
