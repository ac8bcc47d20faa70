import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeper, omitEmpty, parseJson, renderPrettyJson } from './json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('the depth of a text is that of its objects and lists, whatever stands in strings and comments', () => {
  for (const [text, depth] of [
    [nested(5), 5],
    ['{"a": [{"b": []}]}', 4],
    ['{"a": "[[[[\\"[["}', 1],
    ['// [[[\n{/* {{{ */"a": 1}', 1],
    ['["]", ["]", ["]", []]]]', 4],
    ['"never closed [[[', 0],
    ['/* never closed [[[', 0],
    ['[1/2, [3]]', 2],
    ['', 0],
  ] as const) {
    expect(nestsDeeper(text, depth), text).toBe(false);
    expect(depth === 0 || nestsDeeper(text, depth - 1), text).toBe(true);
  }
});

test('texts of any depth and length are judged in time', () => {
  expect(nestsDeeper(nested(1_000_000), 64)).toBe(true);
  expect(nestsDeeper(`["${'\\'.repeat(1_000_000)}`, 64)).toBe(false);
  expect(nestsDeeper('/'.repeat(1_000_000), 64)).toBe(false);
  expect(() => parseJson(nested(1_000_000))).not.toThrow();
});

test('indented, escaped, with a final newline; keys as they come, undefined left out', () => {
  const value = {
    z: 'a < b && c > d',
    a: [1, 'é'],
    none: undefined,
    nil: null,
    empty: [],
    o: { x: '\u2028\u2029' },
  };
  expect(renderPrettyJson(value)).toBe(String.raw`{
  "z": "a \u003c b \u0026\u0026 c \u003e d",
  "a": [
    1,
    "é"
  ],
  "nil": null,
  "empty": [],
  "o": {
    "x": "\u2028\u2029"
  }
}
`);
});

test('reads back as what it was, and holds none of the escaped characters', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as unknown; // -0 becomes 0
      const text = renderPrettyJson(json);
      expect(JSON.parse(text)).toEqual(json);
      expect(text).not.toMatch(/[<>&\u2028\u2029]/);
      expect(text.endsWith('\n')).toBe(true);
    }),
  );
});

test('what the formats leave out', () => {
  expect([omitEmpty(''), omitEmpty(0), omitEmpty([]), omitEmpty(undefined)]).toEqual(
    Array(4).fill(undefined),
  );
  expect(omitEmpty('x')).toBe('x');
  expect(omitEmpty(-1)).toBe(-1);
  expect(omitEmpty([''])).toEqual(['']);
});
