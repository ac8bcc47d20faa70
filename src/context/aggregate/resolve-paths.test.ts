import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { resolvePaths, searchRoot, shownPath } from './resolve-paths.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) disk.rmSync(folder, { recursive: true, force: true });
});

function folderWith(...files: string[]): string {
  const base = makeTemporaryFolder('resolve-paths-');
  made.push(base);
  for (const file of files) {
    mkdirSync(dirname(join(base, file)), { recursive: true });
    writeFileSync(join(base, file), 'text');
  }
  return base;
}

const resolved = (base: string, entry: string): string[] =>
  resolvePaths(base, entry).map((path) => relative(base, path));

test('a glob is expanded, in an order that depends on nothing but the names', () => {
  const base = folderWith('src/b.py', 'src/a.py', 'src/sub/B.py', 'src/sub/a.py', 'src/a.txt');
  expect(resolved(base, 'src/**/*.py')).toEqual(['src/a.py', 'src/b.py', 'src/sub/B.py', 'src/sub/a.py']);
  expect(resolved(base, 'src/*.{txt,py}')).toEqual(['src/a.py', 'src/a.txt', 'src/b.py']);
});

test('an absolute path stands for itself, and an absolute glob is expanded', () => {
  const base = folderWith('src/a.py');
  const elsewhere = folderWith('x/b.py', 'x/c.py');
  expect(resolvePaths(base, join(elsewhere, 'x/b.py'))).toEqual([join(elsewhere, 'x/b.py')]);
  expect(resolvePaths(base, join(elsewhere, 'x/*.py'))).toEqual([
    join(elsewhere, 'x/b.py'),
    join(elsewhere, 'x/c.py'),
  ]);
});

test('a path stands for itself though there is no such file, a glob without a match for nothing', () => {
  const base = folderWith('a.py');
  expect(resolved(base, 'gone.py')).toEqual(['gone.py']);
  expect(resolved(base, 'gone/*.py')).toEqual([]);
  expect(resolved(base, '')).toEqual([]);
});

test('conversations are left out, named or matched', () => {
  const base = folderWith(
    'history.toml',
    'project_history.toml',
    'prehistory.toml',
    'sub/history.toml',
    'a.toml',
  );
  expect(resolved(base, '**/*.toml')).toEqual(['a.toml', 'prehistory.toml']);
  expect(resolved(base, 'history.toml')).toEqual([]);
  expect(resolved(base, 'project_history.toml')).toEqual([]);
  expect(resolvePaths(base, join(base, 'sub/history.toml'))).toEqual([]);
});

test('links that lead in a circle, and links to folders, are not followed; links to files are found', () => {
  const base = folderWith('src/a.py', 'other/b.py');
  symlinkSync('..', join(base, 'src/up'));
  symlinkSync('.', join(base, 'src/here'));
  symlinkSync('../other', join(base, 'src/other'));
  symlinkSync('../other/b.py', join(base, 'src/link.py'));
  symlinkSync('nowhere.py', join(base, 'src/dangling.py'));
  symlinkSync('loop.py', join(base, 'src/loop.py'));
  expect(resolved(base, 'src/**/*.py')).toEqual(['src/a.py', 'src/link.py']);
});

test('links to files are not found where they lead out of the folder, unless they are named', () => {
  const base = folderWith('src/a.py');
  const elsewhere = folderWith('secret.py', 'lib/b.py');
  symlinkSync(join(elsewhere, 'secret.py'), join(base, 'src/key.py'));
  expect(resolved(base, '**/*.py')).toEqual(['src/a.py']);
  expect(resolved(base, 'src/key.py')).toEqual(['src/key.py']);
  symlinkSync('b.py', join(elsewhere, 'lib/link.py'));
  expect(resolvePaths(base, join(elsewhere, 'lib/*.py'))).toEqual([
    join(elsewhere, 'lib/b.py'),
    join(elsewhere, 'lib/link.py'),
  ]);
});

test('a folder that is reached through a link itself has its links to files', () => {
  const base = folderWith('real/src/a.py');
  symlinkSync('real', join(base, 'linked'));
  symlinkSync('a.py', join(base, 'real/src/b.py'));
  expect(resolved(join(base, 'linked'), 'src/*.py')).toEqual(['src/a.py', 'src/b.py']);
});

test('names that look like globs are names where there is such a file or folder', () => {
  const base = folderWith('app/[id]/page.tsx', 'app/(group)/a.tsx', 'app/i/page.tsx');
  expect(resolved(base, 'app/[id]/page.tsx')).toEqual(['app/[id]/page.tsx']);
  expect(resolved(base, 'app/[id]/*.tsx')).toEqual(['app/[id]/page.tsx']);
  expect(resolved(base, 'app/(group)/*.tsx')).toEqual(['app/(group)/a.tsx']);
  expect(resolved(base, 'app/[ij]/page.tsx')).toEqual(['app/i/page.tsx']);
});

test('hidden files, packages and the store of git are searched only where the entry says so', () => {
  const base = folderWith('a.js', '.env.js', 'node_modules/p/b.js', '.git/c.js');
  expect(resolved(base, '**/*.js')).toEqual(['a.js']);
  expect(resolved(base, '.*.js')).toEqual(['.env.js']);
  expect(resolved(base, 'node_modules/p/*.js')).toEqual(['node_modules/p/b.js']);
});

test('an entry that begins with an exclamation mark excludes nothing', () => {
  const base = folderWith('a.py', 'b.py');
  expect(resolved(base, '!a.py')).toEqual([]);
  expect(resolved(base, '!*.py')).toEqual([]);
  expect(resolved(base, '!(a).py')).toEqual(['b.py']);
});

test('any entry stands for some files or none, and breaks nothing', () => {
  const base = folderWith('a/b.py', '[a].py');
  const part = fc.constantFrom(
    'a',
    'b',
    '*',
    '**',
    '?',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    '!',
    '@',
    '+',
    ',',
    '\\',
    '/',
    '\0',
  );
  const entries = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      entries.filter((entry) => !entry.startsWith('/')),
      (entry) => {
        for (const path of resolvePaths(base, entry)) expect(path.startsWith(base)).toBe(true);
      },
    ),
  );
  expect(resolvePaths(base, `${'a'.repeat(70_000)}*`)).toEqual([]);
});

test('two slashes in a row do not begin at the root of the machine', () => {
  const base = folderWith('a/one.txt');
  for (const entry of ['a//*', 'a//**', 'a///*.txt']) expect(resolved(base, entry)).toEqual(['a/one.txt']);
  expect(searchRoot(base, 'b//*')).toBe(join(base, 'b'));
});

test('a path is shown relative to the folder, and no folder of the machine outside of it', () => {
  expect(shownPath('/home/me/project', '/home/me/project/src/a.py')).toBe('src/a.py');
  expect(shownPath('/home/me/project', '/home/me/shared/lib/b.py', '../shared/lib/b.py')).toBe(
    '../shared/lib/b.py',
  );
  expect(shownPath('/home/me/project', '/home/me/shared/lib/b.py')).toBe('…/lib/b.py');
  expect(shownPath('/home/me/project', '/home/me/project/..dots')).toBe('..dots');
  expect(shownPath('/home/me/project', '/home/me/project')).toBe('.');
});
