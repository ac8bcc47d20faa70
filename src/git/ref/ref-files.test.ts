import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitAt } from '../run.ts';
import { readRefFiles } from './ref-files.ts';
import { readRefsBelow } from './refs.ts';

let dir: string;
const git = (...args: string[]): string => execFileSync('git', args, { cwd: dir, stdio: 'pipe' }).toString();
const commit = (subject: string): void => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  git(...who, 'commit', '--quiet', '--allow-empty', '-m', subject);
};
const ASKED = ['refs/heads/entire/', 'refs/heads/main', 'refs/remotes/origin/main', 'refs/heads/none'];
const read = () => readRefFiles({ commonDir: join(dir, '.git') }, ASKED);
const sorted = (refs: ReadonlyMap<string, string> | undefined) => refs && [...refs].sort();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-refs-'));
  git('init', '--quiet', '-b', 'main');
  commit('One');
  git('branch', 'entire/checkpoints/v1');
  git('branch', 'entire/1234567-abcdef');
  git('branch', 'entirely');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('files tell what git tells: loose, packed, moved since, and deleted', () => {
  const says = (): void => expect(sorted(read())).toEqual(sorted(readRefsBelow(gitAt(dir), ASKED)));
  says();
  expect(read()?.size).toBe(4);
  git('pack-refs', '--all', '--prune');
  says();
  commit('Two'); // main is loose again, and newer than what is packed
  git('branch', '--quiet', '-D', 'entire/1234567-abcdef');
  git('tag', '-a', '-m', 'peeled', 'v1');
  git('pack-refs', '--all', '--no-prune');
  says();
  git('update-ref', 'refs/heads/entire/checkpoints/v1', 'HEAD');
  writeFileSync(join(dir, '.git/refs/heads/entire/checkpoints/v1.lock'), '');
  says();
  expect(read()?.size).toBe(3);
});

test('git is asked where files do not tell all', () => {
  const tries: Array<() => void> = [
    () => git('symbolic-ref', 'refs/heads/entire/other', 'refs/heads/main'),
    () => writeFileSync(join(dir, '.git/refs/heads/main'), ''),
    () => mkdirSync(join(dir, '.git/reftable')),
    () => writeFileSync(join(dir, '.git/packed-refs'), 'nonsense\n'),
    () => writeFileSync(join(dir, '.git/packed-refs'), '#'.repeat(300_000)),
  ];
  for (const change of tries) {
    expect(read()).toBeDefined();
    change();
    expect(read()).toBeUndefined();
    rmSync(join(dir, '.git'), { recursive: true });
    git('init', '--quiet', '-b', 'main');
    commit('One');
  }
});
