import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collapse, sanitizeForTerminal, showPath, truncate, truncateBytes } from './text.ts';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'é', '日', '👍', ' ', '\n', '\t'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});

/** No half of a surrogate pair stands alone. */
const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

test('white space is collapsed', () => {
  expect(collapse('  a \r\n\t b\u00a0c  ')).toBe('a b c');
  expect(collapse(' \n ')).toBe('');
});

test('truncation counts code points, the suffix among them', () => {
  expect(truncate('👍👍👍', 3, '...')).toBe('👍👍👍');
  expect(truncate('👍👍👍👍', 3, '...')).toBe('...');
  expect(truncate('日本語テキスト', 5, '...')).toBe('日本...');
  expect(truncate('abcdef', 4)).toBe('abcd');
});

test('truncated text is short enough, begins alike and holds no half of a character', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 3, max: 12 }), (text, limit) => {
      const cut = truncate(text, limit, '...');
      expect([...cut].length).toBeLessThanOrEqual(limit);
      if ([...text].length <= limit) expect(cut).toBe(text);
      else expect(text.startsWith(cut.slice(0, -3))).toBe(true);
      if (isWhole(text)) expect(isWhole(cut)).toBe(true);
    }),
  );
});

test('bytes are cut between code points', () => {
  expect(truncateBytes('aé', 2, '...')).toBe('a...');
  expect(truncateBytes('aé', 3, '...')).toBe('aé');
  expect(truncateBytes('👍👍', 7, '…')).toBe('👍…');
  expect(truncateBytes('👍', 3, '')).toBe('');
});

test('text cut by bytes is short enough, begins alike and holds no half of a character', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 20 }), (text, limit) => {
      const cut = truncateBytes(text, limit, '');
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
      expect(limit - Buffer.byteLength(cut) < 4 || cut === text).toBe(true);
      expect(text.startsWith(cut)).toBe(true);
    }),
  );
});

test.each([
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b[38;2;1;2;3mx', 'x'],
  ['\x1b]0;title\x07x', 'x'],
  ['\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['\x1bPq#0\x1b\\x', 'x'],
  ['\x1bcx', 'x'],
  ['\x1b\x1b[31m[31mx', '[31m[31mx'],
  ['\x9b31mx', 'x'],
  ['a\x1b', 'a'],
  ['a\x1b\nb', 'a\nb'],
  ['a\rb\bc\x7f\0d', 'abcd'],
  ['a\tb', 'a\tb'],
  ['\u202ereversed\u202c \u2066x\u2069\u200f', 'reversed x'],
  ['zero\u200bwidth\ufeff', 'zerowidth'],
  ['👩‍👩‍👧 é 日', '👩‍👩‍👧 é 日'],
])('%j prints as %j', (text, safe) => {
  expect(sanitizeForTerminal(text)).toBe(safe);
});

test('what is left cannot steer a terminal, and a second time changes nothing', () => {
  const piece = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    '31m',
    ';',
    '\x07',
    '\\',
    'x',
    '\t',
    '\n',
    '\x9b',
    '\u202e',
    'P',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 2 }))), (pieces) => {
      const safe = sanitizeForTerminal(pieces.join(''));
      expect(safe).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      expect(sanitizeForTerminal(safe)).toBe(safe);
    }),
  );
});

test('the Arabic letter mark is dropped like its siblings', () => {
  expect(sanitizeForTerminal('a\u061cb')).toBe('ab');
});

test('a path that breaks lines or moves the cursor stands in quotes, as git has them; any other as it is', () => {
  expect(showPath('a\nNot linked: \u001b[31m"b"\\.txt')).toBe('"a\\nNot linked: \\033[31m\\"b\\"\\\\.txt"');
  expect(showPath('a\u2028b\u202ec')).toBe('"a\\342\\200\\250b\\342\\200\\256c"');
  for (const plain of ['src/a b.txt', 'ä"b".ts', 'a\\b']) expect(showPath(plain)).toBe(plain);
});
