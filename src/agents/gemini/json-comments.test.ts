import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findComments, withoutComments } from './json-comments.ts';

test('comments are gone, and what looks like one within a string is none', () => {
  const text = '{ // one "\n "a": "// no /* \\" no */", /* two " */ "b": [1, /**/ 2] } // three';
  expect(JSON.parse(withoutComments(text))).toEqual({ a: '// no /* " no */', b: [1, 2] });
});

test('one that does not end is none, nor is half of one', () => {
  for (const text of ['{} /* on', '{} /*/', '{} /', '/', '"/* on */', '"\\', ''])
    expect(withoutComments(text)).toBe(text);
});

test('a document is the same with comments as without', () => {
  const comment = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', '\\', '/', '*', ' ', 'x') }).map((words) => `//${words}\n`),
    fc.string({ unit: fc.constantFrom('"', '\\', '/', ' ', 'x', '\n') }).map((words) => `/*${words}*/`),
  );
  const word = fc.string({ unit: fc.constantFrom('"', '\\', '/', '*', '\n', 'x') });
  const pairs = fc.array(fc.tuple(word, word, comment), { minLength: 1 });
  fc.assert(
    fc.property(pairs, (all) => {
      const members = all.map(
        ([key, value, said]) => `${said}${JSON.stringify(key)}:${said}${JSON.stringify(value)}`,
      );
      const text = `{${members.join(',')}}${all[0]?.[2]}`;
      expect(JSON.parse(withoutComments(text))).toEqual(
        Object.fromEntries(all.map(([key, value]) => [key, value])),
      );
    }),
  );
});

describe('a megabyte', () => {
  test.each([
    ['beginnings of comments', '/* '],
    ['beginnings of comments in a row', '/*'],
    ['quotes that are escaped', '\\"'],
    ['a string that ends nowhere, with quotes', '"\\"\\'],
    ['broken lines in a string', '"\\\n'],
    ['lines that are comments', '//\n'],
    ['slashes', '/'],
    ['strings', '"/*"'],
    ['words', 'word '],
  ])('of %s is read once: no character is looked at more than a few times', (_, part) => {
    const text = part.repeat((1 << 20) / part.length);
    let looks = 0;
    findComments({
      length: text.length,
      charAt: (at) => {
        looks += 1;
        return text.charAt(at);
      },
    });
    expect(looks).toBeGreaterThan(text.length / 2);
    expect(looks).toBeLessThan(text.length * 4);
  });
});
