import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { findForeignSyntax, type Liberty } from './syntax.ts';

const at = (text: string, ...taken: Liberty[]) => findForeignSyntax(text, taken);

test('each liberty is found where it stands, unless it is taken', () => {
  expect(at('{\n  // mine\n  "a": 1\n}')).toEqual({ offset: 4, what: 'a comment' });
  expect(at('{ "a": 1 /* mine */ }')).toEqual({ offset: 9, what: 'a comment' });
  expect(at('{ "a": [1,\n], "b": 2 }')).toEqual({ offset: 9, what: 'a comma with nothing behind it' });
  expect(at('\uFEFF{}')).toEqual({ offset: 0, what: 'a byte order mark' });
  expect(at('\uFEFF{ // mine\n}', 'byte-order-mark', 'comments')).toBeUndefined();
  expect(at('{ "a": 1, // mine }\n /* [ */ }', 'comments')).toMatchObject({ offset: 8 });
});

test('what looks like one within a string is none', () => {
  for (const text of ['{ "a": "// b", "/*": "*/" }', '{ "a\\"": ",}", "b": "\\\\" }', '["\uFEFF,]"]'])
    expect(at(text)).toBeUndefined();
});

test('a text is passed exactly where JSON.parse takes it', () => {
  const word = fc.constantFrom('"a"', '"//"', '",]"', '"\\""', '1', 'null');
  const gap = fc.constantFrom('', ' ', '\n', '// x\n', '/* , */', '/**/', '//\n');
  const comma = fc.constantFrom('', ',');
  const lists = fc.array(fc.tuple(gap, word, gap), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(lists, comma, gap, (items, last, end) => {
      const text = `[${items.map((parts) => parts.join('')).join(',')}${last}${end}]`;
      const isStrict = ((): boolean => {
        try {
          return JSON.parse(text) !== undefined;
        } catch {
          return false;
        }
      })();
      expect(parse(text, [], { allowTrailingComma: true })).toHaveLength(items.length);
      expect(at(text) === undefined).toBe(isStrict);
    }),
  );
});
