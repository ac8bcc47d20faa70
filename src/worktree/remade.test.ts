import { expect, test } from 'vitest';
import { isRemade } from './remade.ts';

test.each([
  ...['node_modules/', 'packages/a/node_modules/', 'dist/', 'target/debug/x', '__pycache__/', 'a.egg-info/'],
  ...[
    'debug.log',
    'src/a.pyc',
    '.DS_Store',
    'tsconfig.tsbuildinfo',
    '.entire/tmp/',
    '.entire/logs/entire.log',
    '.husky/_/',
  ],
])('%j is made again', (path) => expect(isRemade(path, new Set())).toBe(true));

test.each([
  ...[
    '.env',
    '.env.local',
    'notes/',
    'data/local.sqlite',
    '.vscode/settings.json',
    'secrets/',
    'dist',
    'build',
  ],
  ...[
    '.entire/settings.local.json',
    'src/node_modules.txt',
    '.claude/settings.local.json',
    'log.txt',
    'bin/.env',
    'packages/build/.env.local',
    '.husky/pre-commit',
  ],
])('%j may be somebody’s own', (path) => expect(isRemade(path, new Set())).toBe(false));

test('a folder with tracked files is the project’s own, whatever it is called', () => {
  const tracked = new Set(['bin', 'a', 'a/log']);
  expect(
    ['bin/x', 'a/log/x', 'bin/node_modules/x', 'bin/x.o', 'b/bin/x'].map((path) => isRemade(path, tracked)),
  ).toEqual([...[false, false, true, true, true]]);
});
