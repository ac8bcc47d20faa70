import { expect, test } from 'vitest';
import { cutTo, padTo, terminalWidth, widthOf, wrapLines } from './width.ts';

test('a pipe has no width, and a terminal that does not tell has none; COLUMNS is heard before both', () => {
  expect(terminalWidth({ isTTY: true, columns: 60 }, {})).toBe(60);
  expect(terminalWidth({ isTTY: true, columns: 0 }, {})).toBeUndefined();
  expect(terminalWidth({ columns: 60 }, {})).toBeUndefined();
  for (const stream of [{}, { isTTY: true, columns: 60 }])
    expect(terminalWidth(stream, { COLUMNS: '72' })).toBe(72);
  for (const COLUMNS of ['', '0', '-5', '8px', 'wide'])
    expect(terminalWidth({ isTTY: true, columns: 60 }, { COLUMNS }), COLUMNS).toBe(60);
});

test('widths count columns: wide characters twice, colours not', () => {
  expect([widthOf('abc'), widthOf('日本'), widthOf('👩‍👩‍👧‍👦'), widthOf('\x1b[31mred\x1b[39m')]).toEqual([
    3, 4, 2, 3,
  ]);
  expect(padTo('日', 4)).toBe('日  ');
});

test('what is cut ends in an ellipsis, and no character is cut in half', () => {
  expect(cutTo('one two', 7)).toBe('one two');
  expect(cutTo('one two', 5)).toBe('one…');
  expect(cutTo('日本語', 4)).toBe('日…');
  expect(cutTo('a 👩‍👩‍👧‍👦 b', 4)).toBe('a…');
  expect(cutTo('one two', undefined)).toBe('one two');
});

const wrapped = (text: string, width: number) => wrapLines(text, width).split('\n');

test('lines are broken at words, and left alone where there is no terminal', () => {
  expect(wrapped('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapLines('one two three four', undefined)).toBe('one two three four');
  expect(wrapped('a\n\n  one two three', 9)).toEqual(['a', '', '  one two', '  three']);
});

test('what follows stands below the text of its row', () => {
  expect(wrapped('  - one two three', 11)).toEqual(['  - one two', '    three']);
  expect(wrapped('  name   one two three', 18)).toEqual(['  name   one two', '         three']);
  expect(wrapped('a name that is long  and text', 21)).toEqual(['a name that is long', 'and text']);
});

test('paths, ids and commands are never cut', () => {
  expect(wrapped('in src/a/very/long/path.ts, and more', 12)).toEqual([
    'in',
    'src/a/very/long/path.ts,',
    'and more',
  ]);
  expect(wrapped('Label:   src/a/very/long/path.ts', 20)).toEqual(['Label:', '    src/a/very/long/path.ts']);
  expect(wrapped('see `entire log` for it', 12)).toEqual(['see', '`entire log`', 'for it']);
  expect(wrapped('see `entire log --session 12` for it', 12)).toEqual([
    'see `entire',
    'log',
    '--session',
    '12` for it',
  ]);
  expect(wrapped('  entire resume 3a6edbc9-2d4b  # a title', 20)).toEqual([
    '  entire resume 3a6edbc9-2d4b  # a title',
  ]);
});

test('a text without spaces is broken between wide characters, but not before a full stop, and no path is', () => {
  expect(wrapped('索引は一つ。終わり', 10)).toEqual(['索引は一', 'つ。終わり']);
  expect(wrapped('検索/設計/メモ.md', 8)).toEqual(['検索/設計/メモ.md']);
});

test('colours go on over the end of a line', () => {
  expect(wrapped('\x1b[31mone two\x1b[39m three', 7)).toEqual(['\x1b[31mone two\x1b[39m', 'three']);
  expect(wrapped('\x1b[32m✓\x1b[39m one two', 6)).toEqual(['\x1b[32m✓\x1b[39m one', '  two']);
});
