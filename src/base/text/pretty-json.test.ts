import fc from 'fast-check';
import { expect, test } from 'vitest';
import { omitEmpty, renderPrettyJson } from './pretty-json.ts';

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
