import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeLinked } from './remove.ts';
import { findRepository, type Repository } from './repository.ts';

let scratch: string;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'entire-remove-')));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });

test('of two branches that lead to one commit, removed at the same time, one stays', async () => {
  const repo = join(scratch, 'repo');
  git(scratch, 'init', '--quiet', '-b', 'main', repo);
  git(repo, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  git(repo, 'worktree', 'add', '--quiet', join(scratch, 'one'), '-b', 'one');
  git(join(scratch, 'one'), 'commit', '--quiet', '--allow-empty', '-m', 'only here');
  git(repo, 'worktree', 'add', '--quiet', join(scratch, 'two'), '-b', 'two', 'one');
  const found = findRepository(repo) as Repository;
  const remove = async (target: string) => {
    const wish = { target, force: false, deleteBranch: true, cwd: repo };
    return (await removeLinked(found, join(scratch, 'manifest', 'index.json'), wish)).result;
  };
  expect((await Promise.all([remove('one'), remove('two')])).sort()).toEqual(['refused', 'removed']);
  expect(git(repo, 'log', '--branches', '--topo-order', '--format=%s')).toBe('only here\nfirst\n');
});
