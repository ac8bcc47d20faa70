import { expect, test } from 'vitest';
import { humpsIn, spaced, wordsIn } from './words.ts';

test('words are what stands between anything else', () => {
  expect(wordsIn('src/a.ts: render_page(x)')).toEqual(['src', 'a', 'ts', 'render', 'page', 'x']);
  expect(wordsIn('café naïve')).toEqual(['café', 'naïve']);
  expect(wordsIn('cafe\u0301')).toEqual(['cafe\u0301']);
  expect(wordsIn('*&"-()')).toEqual([]);
});

test('each character of a script without spaces is a word', () => {
  expect(wordsIn('設定fileを読む')).toEqual(['設', '定', 'file', 'を', '読', 'む']);
  expect(spaced('plain text')).toBe('plain text');
});

test('what is inside of an identifier is found by its beginning', () => {
  expect(humpsIn('const fooBarBaz = new HTTPServer()')).toBe('BarBaz Baz Server');
  expect(humpsIn('fooBar fooBar')).toBe('Bar');
  expect(humpsIn('plain words, CONSTANT_NAME and v2')).toBe('');
  expect(humpsIn(`a${'bC'.repeat(40)}`)).toBe('');
});
