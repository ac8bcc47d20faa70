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
])('%j is made again', (path) => expect(isRemade(path)).toBe(true));

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
])('%j may be somebody’s own', (path) => expect(isRemade(path)).toBe(false));
