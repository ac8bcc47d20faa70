import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { gitAt } from '../run.ts';
import { type Change, writeCommit } from './objects.ts';

let dir: string;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: dir, encoding: 'utf8', input: '', maxBuffer: 1 << 28 }).trim();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-bulk-'));
  git('init', '--quiet');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const author = { name: 'Ada', email: 'ada@example.com' };
const ref = 'refs/heads/bulk';

test('thousands of changes make the tree that a few at a time make, and no index of the user', () => {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: dir, input: 'x\n' })
    .toString()
    .trim() as ObjectId;
  const file = (path: string): Change => ({ path, mode: '100644', oid: blob });
  const first = [file('a'), file('old/b'), ...Array.from({ length: 3000 }, (_, n) => file(`flat/${n} ü"`))];
  const text: Change = { path: 'text', mode: '100755', data: 'text\n' };
  const many = { ref, parent: undefined, changes: [...first, text], message: 'one\n', author };
  const one = writeCommit(gitAt(dir), many);
  expect(git('ls-tree', '-r', '--name-only', '-z', one).split('\0')).toHaveLength(3004);
  expect(git('show', `${one}:text`)).toBe('text');

  const second: Change[] = [
    { path: 'a', removed: true },
    file('a/now a folder'),
    { path: 'old/b', removed: true },
    { path: 'never there', removed: true },
    ...Array.from({ length: 3000 }, (_, n): Change => ({ path: `flat/${n} ü"`, removed: true })),
    { path: 'text', mode: '100644', oid: blob },
  ];
  const two = writeCommit(gitAt(dir), { ref, parent: one, changes: second, message: 'two\n', author });
  expect(git('ls-tree', '-r', '--name-only', two).split('\n')).toEqual(['a/now a folder', 'text']);
  expect(git('rev-parse', `${two}^`)).toBe(one);
  expect(git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(existsSync(join(dir, '.git', 'index'))).toBe(false);
});

test('SHA-256', () => {
  rmSync(join(dir, '.git'), { recursive: true });
  git('init', '--quiet', '--object-format=sha256');
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: dir, input: 'x\n' })
    .toString()
    .trim() as ObjectId;
  const changes = Array.from(
    { length: 2500 },
    (_, n): Change =>
      n % 2 ? { path: `gone${n}`, removed: true } : { path: `f${n}`, mode: '100644', oid: blob },
  );
  const oid = writeCommit(gitAt(dir), { ref, parent: undefined, changes, message: 'one\n', author });
  expect(git('ls-tree', '--name-only', oid).split('\n')).toHaveLength(1250);
});
