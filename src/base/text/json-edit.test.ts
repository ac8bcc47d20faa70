import fc from 'fast-check';
import { parse, parseTree } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { appendTo, type JsonNode, propertyOf, removeFrom, replaceValue } from './json-edit.ts';

const tree = (text: string): JsonNode => parseTree(text, [], { allowTrailingComma: true }) as JsonNode;
const at = (text: string, ...keys: string[]): JsonNode =>
  keys.reduce((node, key) => propertyOf(node, key) as JsonNode, tree(text));

test('an addition keeps the indentation, the line ends and the comments of the file', () => {
  const text = '{\r\n\t// mine\r\n\t"a": [\r\n\t\t1 // one\r\n\t]\r\n}';
  expect(appendTo(text, at(text, 'a'), { b: 2 })).toBe(
    '{\r\n\t// mine\r\n\t"a": [\r\n\t\t1, // one\r\n\t\t{\r\n\t\t\t"b": 2\r\n\t\t}\r\n\t]\r\n}',
  );
});

test('lists on one line stay on one line', () => {
  const text = '{\n  "a": ["x", "y"]\n}\n';
  expect(appendTo(text, at(text, 'a'), 'z')).toBe('{\n  "a": ["x", "y", "z"]\n}\n');
  expect(removeFrom(text, at(text, 'a'), 1)).toBe('{\n  "a": ["x"]\n}\n');
  expect(removeFrom(text, at(text, 'a'), 0)).toBe('{\n  "a": ["y"]\n}\n');
});

test('an empty object opens over lines', () => {
  expect(appendTo('{}', tree('{}'), [1], 'a')).toBe('{\n  "a": [\n    1\n  ]\n}');
});

test('a trailing comma, and a comment after it, survive', () => {
  const text = '{\n  "a": 1, // one\n}';
  const added = appendTo(text, tree(text), 2, 'b');
  expect(added).toBe('{\n  "a": 1, // one\n  "b": 2\n}');
  expect(removeFrom(added, tree(added), 0)).toBe('{ // one\n  "b": 2\n}');
});

test('a comment before a removed value keeps its line', () => {
  const text = '[1, // one\n 2]';
  expect(parse(removeFrom(text, tree(text), 1))).toEqual([1]);
});

const documents = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    fc.constantFrom(undefined, 2, 4, '\t'),
  )
  .map(([value, indent]) => JSON.stringify(value, null, indent));

test('what is added can be removed again, byte for byte where something else stands beside it', () => {
  fc.assert(
    fc.property(documents, fc.jsonValue({ maxDepth: 2 }), (text, value) => {
      const before = tree(text);
      const added = appendTo(text, before, value, 'new key');
      expect(JSON.parse(added)).toEqual({
        ...JSON.parse(text),
        'new key': JSON.parse(JSON.stringify(value)),
      });
      const removed = removeFrom(added, tree(added), before.children?.length ?? 0);
      expect(removed).toBe(text);
    }),
  );
});

test('replacing and removing any property changes that property only', () => {
  fc.assert(
    fc.property(documents, fc.nat(), fc.jsonValue({ maxDepth: 1 }), (text, pick, value) => {
      const keys = Object.keys(JSON.parse(text));
      if (keys.length === 0) return;
      const key = keys[pick % keys.length] as string;
      const expected = new Map(Object.entries(JSON.parse(text)));
      const index = (tree(text).children ?? []).findIndex((child) => child.children?.[0]?.value === key);
      const replaced = replaceValue(text, propertyOf(tree(text), key) as JsonNode, value);
      expect(new Map(Object.entries(JSON.parse(replaced)))).toEqual(
        new Map(expected).set(key, JSON.parse(JSON.stringify(value))),
      );
      expected.delete(key);
      expect(new Map(Object.entries(JSON.parse(removeFrom(text, tree(text), index))))).toEqual(expected);
    }),
  );
});
