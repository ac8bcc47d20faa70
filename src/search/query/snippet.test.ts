import { expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { holdsAny, snippetOf } from './snippet.ts';

const show = (text: string, words: string, length = 40): string =>
  snippetOf(text, parseQuery([words]), length)
    .map(({ text: part, isFound }) => (isFound ? `[${part}]` : part))
    .join('');

test.each([
  ['a short text', 'short', 'a [short] text'],
  ['Refactored it', 'refactor', '[Refactor]ed it'],
  ['the fooBar of it', 'bar', 'the foo[Bar] of it'],
  ['an idea', 'a', '[a]n idea'],
  ['a café, a cafe\u0301', 'cafe', 'a [café], a [cafe\u0301]'],
  ['open src/a.ts now', 'src/a.ts', 'open [src/a.ts] now'],
  ['limits and rate-limit', '"rate limit"', 'limits and [rate-limit]'],
  ['設定ファイルを読む', 'ファイル', '設定[ファイル]を読む'],
  ['two\nlines \t here', 'lines', 'two [lines] here'],
  ['nothing of it', 'other', 'nothing of it'],
])('%s, %s', (text, words, expected) => expect(show(text, words)).toBe(expected));

test('the part that holds most is shown, and no more than fits', () => {
  const text = `${'one '.repeat(40)}needle ${'two '.repeat(40)}needle and thread ${'three '.repeat(40)}`;
  const shown = show(text, 'needle thread');
  expect(shown).toContain('[needle] and [thread]');
  expect(shown.replace(/[[\]]/g, '').length).toBeLessThanOrEqual(40);
  expect(shown.startsWith('…')).toBe(true);
  expect(shown.endsWith('…')).toBe(true);
});

test('whether a text holds something is asked as it is shown', () => {
  expect(holdsAny('renderPage()', parseQuery(['page']))).toBe(true);
  expect(holdsAny('renderPage()', parseQuery(['sage']))).toBe(false);
});
