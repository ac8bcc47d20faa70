import { afterEach, expect, test } from 'vitest';
import { readTree } from './object/objects.ts';
import { replaceSpawn } from './run.ts';

const OID = 'a'.repeat(40);
const GIT = { cwd: '/r', env: {} };
let restore: () => void = () => {};
afterEach(() => restore());

/** A git that lists `paths`, whatever is asked; returns the arguments it was given. */
function listing(...lines: string[]): string[][] {
  const calls: string[][] = [];
  restore = replaceSpawn(((_program: string, args: string[]) => {
    calls.push(args);
    return {
      status: 0,
      stdout: Buffer.from(lines.map((line) => `${line}\0`).join('')),
      stderr: Buffer.alloc(0),
    };
  }) as never);
  return calls;
}

const blob = (path: string) => `100644 blob ${OID}\t${path}`;
const many = Array.from({ length: 5_000 }, (_, n) => `none/${n}`);

test('many paths are not named to git, one by one or at all', () => {
  const calls = listing(blob('a'), blob('d/e/f'), blob('d.txt'), blob('x'));
  expect([...(readTree(GIT, 'HEAD', [...many, 'a', 'd'], true) ?? []).keys()]).toEqual(['a', 'd/e/f']);
  expect(calls).toHaveLength(1);
  expect(calls[0]).not.toContain('--');
});

test('a folder is an entry, with a slash what lies right in it, or all below it', () => {
  const lines = [`040000 tree ${OID}\td`, blob('d/a'), `040000 tree ${OID}\td/e`, blob('d/e/f')];
  listing(...lines);
  const keys = (path: string, recursive: boolean) => [
    ...(readTree(GIT, 'HEAD', [...many, path], recursive) ?? []).keys(),
  ];
  expect(keys('d', false)).toEqual(['d']);
  expect(keys('d/', false)).toEqual(['d/a', 'd/e']);
  listing(blob('d/a'), blob('d/e/f'));
  expect(keys('d/', true)).toEqual(['d/a', 'd/e/f']);
});
