import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import { replaceSpawn } from '../run.ts';
import { findIgnored, readStatus } from './status.ts';

const oid = 'a'.repeat(40);
const git = { cwd: '/repo', env: {} };
let args: readonly string[] = [];
let restore = () => {};
let printed = '';

beforeEach(() => {
  restore = replaceSpawn(((_: string, given: readonly string[]) => {
    args = given;
    return { status: 0, stdout: Buffer.from(printed), stderr: Buffer.from('') };
  }) as unknown as Parameters<typeof replaceSpawn>[0]);
});
afterEach(() => restore());

const read = (...records: string[]) => {
  printed = records.map((record) => `${record}\0`).join('');
  return readStatus(git);
};
const header = (branch: string, head = oid) => [`# branch.oid ${head}`, `# branch.head ${branch}`];
const tracked = (xy: string, worktreeMode: string, path: string) =>
  `1 ${xy} N... 100644 100644 ${worktreeMode} ${oid} ${oid} ${path}`;

test('head and branch', () => {
  expect(read(...header('feature/x'))).toMatchObject({ head: oid, branch: 'feature/x' });
  expect(read(...header('(detached)'))).toMatchObject({ head: oid, branch: undefined });
  expect(read(...header('main', '(initial)'))).toMatchObject({ head: undefined, branch: 'main' });
});

test('a branch that is called as a detached HEAD is shown, or by bytes that are no text', () => {
  restore();
  const root = mkdtempSync(join(tmpdir(), 'entire-status-'));
  const run = (...words: string[]) => execFileSync('git', ['-C', root, ...words], { stdio: 'pipe' });
  try {
    run('init', '--quiet', '--initial-branch=main');
    run('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--allow-empty', '-m', 'one');
    run('checkout', '--quiet', '-b', '(detached)');
    expect(readStatus({ cwd: root, env: {} }).branch).toBe('(detached)');
    run('checkout', '--quiet', '--detach');
    expect(readStatus({ cwd: root, env: {} }).branch).toBeUndefined();
    writeFileSync(join(root, '.git/HEAD'), Buffer.from('ref: refs/heads/caf\xe9\n', 'latin1'));
    const { branch, changes } = readStatus({ cwd: root, env: {} });
    expect([branch, changes.size]).toEqual(['caf\ufffd', 0]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('every kind of change', () => {
  const { changes, ignored } = read(
    ...header('main'),
    '# branch.upstream origin/main',
    '# branch.ab +1 -0',
    tracked('.M', '100644', 'modified.txt'),
    tracked('M.', '100644', 'staged.txt'),
    tracked('A.', '100755', 'added.txt'),
    tracked('.D', '000000', 'deleted.txt'),
    tracked('.T', '120000', 'now a link'),
    `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} in conflict.txt`,
    `u DU N... 100644 000000 100644 000000 ${oid} ${oid} ${oid} deleted by both.txt`,
    '? new.txt',
    '! build/',
    '! .env',
  );
  expect([...changes]).toEqual([
    ['modified.txt', 'modified'],
    ['staged.txt', 'modified'],
    ['added.txt', 'modified'],
    ['deleted.txt', 'deleted'],
    ['now a link', 'modified'],
    ['in conflict.txt', 'modified'],
    ['deleted by both.txt', 'deleted'],
    ['new.txt', 'untracked'],
  ]);
  expect(ignored).toEqual(['build/', '.env']);
});

test('paths are taken whole', () => {
  const { changes } = read(tracked('.M', '100644', ' a  b '), '? 1 .M N... x', '? # branch.oid', '? "é"');
  expect([...changes.keys()]).toEqual([' a  b ', '1 .M N... x', '# branch.oid', '"é"']);
});

test('a file that is untracked again after `git rm --cached` is there', () => {
  const { changes } = read(tracked('D.', '000000', 'a.txt'), '? a.txt');
  expect(changes.get('a.txt' as never)).toBe('untracked');
});

test('our own files, nested repositories and paths of two lines are left out', () => {
  const { changes } = read(
    '? .entire/settings.json',
    '? nested/',
    '? two\nlines',
    tracked('.M', '100644', '.entire/x'),
  );
  expect(changes.size).toBe(0);
});

test('ignored files are asked for only when wanted', () => {
  read();
  expect(args).not.toContain('--ignored=matching');
  readStatus(git, { ignored: true });
  expect(args).toContain('--ignored=matching');
});

describe('many paths', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `none/${n}`);

  /** A git that ignores and tracks these, whatever is asked; returns the arguments that it was given. */
  function gitWith(ignored: readonly string[], tracked: readonly string[]): string[][] {
    const calls: string[][] = [];
    restore = replaceSpawn(((_: string, given: string[]) => {
      calls.push(given);
      const names = given.includes('check-ignore') ? ignored.map((path) => `./${path}`) : tracked;
      const stdout = Buffer.from(names.map((name) => `${name}\0`).join(''));
      return { status: 0, stdout, stderr: Buffer.from('') };
    }) as never);
    return calls;
  }

  test('are not held against the index one by one to find what git ignores: two processes, however many', () => {
    const ignored = ['none/1', 'none/2', 'none/3', 'none/4/'];
    const calls = gitWith(ignored, ['none/2', 'none/3/below', 'none/4/below', 'none/10']);
    expect(findIgnored(git, many)).toEqual(['none/1']);
    expect(calls.map((call) => call.includes('--no-index'))).toEqual([true, false]);
    expect(gitWith([], []) && findIgnored(git, many)).toEqual([]);
  });

  test('where git ignores many of them, the index is listed once', () => {
    const calls = gitWith(many, many.slice(2));
    expect(findIgnored(git, many)).toEqual(many.slice(0, 2));
    expect(calls).toHaveLength(2);
    expect(calls[1]?.at(-1)).toBe('--');
  });

  test('few are asked for as they are', () => {
    const calls = gitWith(['none/1'], []);
    expect(findIgnored(git, ['none/1', 'none/2'])).toEqual(['none/1']);
    expect(calls.map((call) => call.includes('--no-index'))).toEqual([false]);
  });
});

test('git is not left to wait at a pipe in the place of our ignore file', () => {
  const root = mkdtempSync(join(tmpdir(), 'entire-status-'));
  try {
    mkdirSync(join(root, '.entire'));
    const file = join(root, '.entire', '.gitignore');
    const look = [
      () => readStatus({ cwd: root, env: {} }),
      () => findIgnored({ cwd: root, env: {} }, ['a' as RepoPath]),
    ];
    for (const act of look) {
      execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
      act();
      expect(existsSync(file)).toBe(false);
    }
    writeFileSync(file, 'tmp/\n');
    readStatus({ cwd: root, env: {} });
    expect(existsSync(file)).toBe(true);
  } finally {
    rmSync(root, { recursive: true });
  }
});
