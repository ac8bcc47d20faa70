import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Who reads the source has this repository and nothing else: a comment, a title or a message says the thing itself, and
 * names no place in a document that is not here.
 */
const REFERENCES: Readonly<Record<string, RegExp>> = {
  'a paragraph': /§/g,
  'a numbered weakness or scenario': /\bW\d{1,3}\b|\b[Ss]cenario \d/g,
  'a title that begins with a number': /\(\s*['"`][A-Z]?\d+(?:, [A-Z]?\d+)*: /g,
  'a specification without saying whose': /\b[Ss]pecification\b(?! of\b)/g,
  'a document elsewhere':
    /(?<![\w./-])(?:design|strategy|hooks-and-cli)\.md\b|(?<![\w./-])spec\/|\bupstream-asks\b|\bagents-today\b/g,
};

const root = resolve(import.meta.dirname, '../..');
const files = ['src', 'integration', 'scripts']
  .flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
  )
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.includes('fixtures'))
  .filter((name) => !name.endsWith('reference-guard.test.ts'));

const findIn = (text: string): { at: number; what: string }[] =>
  Object.entries(REFERENCES).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ at: index, what })),
  );

test('the source refers to no document that is not in the repository', () => {
  const found = files.flatMap((name) => {
    const text = readFileSync(join(root, name), 'utf8');
    return findIn(text).map(({ at, what }) => `${name}:${text.slice(0, at).split('\n').length}: ${what}`);
  });
  expect(found).toEqual([]);
});

test.each([
  'as in §7.2',
  '(W57)',
  'see scenario 27',
  "variation('29: a squash merge')",
  'variation(\n  `38, W21: a split`',
  "test('P22: ids')",
  'the specification asks for it',
  'spec/hooks.md',
  'design.md, 3',
  'upstream-asks P6',
])('a reference is found: %j', (text) => {
  expect(findIn(text)).not.toEqual([]);
});

test.each([
  'W-ROW2: whole files',
  'a paragraph (I5)',
  "test('16 processes record edits')",
  'the specification of Semantic Versioning',
  'https://git-lfs.github.com/spec/v1',
  'documented in docs/json.md',
  'a scenario over both builds',
])('what can be looked up here, or says what it means, is none: %j', (text) => {
  expect(findIn(text)).toEqual([]);
});

test('the guard looks at the whole source', () => {
  expect(files.length).toBeGreaterThan(1700);
});
