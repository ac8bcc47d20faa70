import { expect, test } from 'vitest';
import { nestsDeeper, parseJson } from './json.ts';

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
