import { resolve } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInfrastructurePath, parseRepoPath, sortedUnique, toRepoPath } from './repo-path.ts';

test.each([
  ['/repo/a.txt', 'a.txt'],
  ['/repo/src/../a.txt', 'a.txt'],
  ['/repo/..foo', '..foo'],
  ['/repo/..foo/bar', '..foo/bar'],
  ['/repo/a\\b', 'a\\b'],
  ['/repo/ spaced ', ' spaced '],
  ['/repo/dir/', 'dir'],
  ['src/x.ts', 'src/x.ts'],
  ['./x.ts', 'x.ts'],
])('%j becomes %j', (file, path) => {
  expect(toRepoPath('/repo', file)).toBe(path);
});

test.each([
  '/repo',
  '/repo/.',
  '/',
  '/repository/a',
  '/repo/../a',
  '../a',
  '..',
  '',
  '/repo/a\nb',
  '/repo/a\rb',
  '/repo/a\0',
])('%j is refused', (file) => {
  expect(toRepoPath('/repo', file)).toBeUndefined();
});

test('a repository at the root of the file system', () => {
  expect(toRepoPath('/', '/etc/hosts')).toBe('etc/hosts');
});

test.each([
  '',
  '/',
  '/etc/passwd',
  'a//b',
  './a',
  'a/.',
  '..',
  '../a',
  'a/../b',
  'a/',
  'a\nb',
  'a\rb',
  'a\0b',
])('%j is no recorded path', (text) => {
  expect(parseRepoPath(text)).toBeUndefined();
});

test('a repository path is one for git, for a line and for itself', () => {
  const name = fc.stringMatching(/^[a.\-\\ é]{1,4}$/);
  fc.assert(
    fc.property(fc.array(fc.oneof(name, fc.constantFrom('..', '.', 'a\nb')), { maxLength: 5 }), (names) => {
      const path = toRepoPath('/r/repo', names.join('/'));
      if (path === undefined) return;
      expect(parseRepoPath(path)).toBe(path);
      expect(toRepoPath('/r/repo', path)).toBe(path);
      expect(resolve('/r/repo', path).startsWith('/r/repo/')).toBe(true);
    }),
  );
});

test("git's folder and ours are not the user's files", () => {
  for (const path of ['.git', '.git/config', '.GIT/config', '.entire', '.entire/settings.json'])
    expect(isInfrastructurePath(path)).toBe(true);
  for (const path of ['.gitignore', '.github/x', '.entirely', 'src/.entire/x', 'a'])
    expect(isInfrastructurePath(path)).toBe(false);
});

test("the git folder of a nested repository is not the user's file either", () => {
  expect(isInfrastructurePath('sub/.git/config')).toBe(true);
});

test('sorted by code unit, without doubles', () => {
  expect(sortedUnique(['b', 'a', 'B', 'a', 'é', 'a/b', 'a.b'])).toEqual(['B', 'a', 'a.b', 'a/b', 'b', 'é']);
});
