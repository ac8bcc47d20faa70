import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceDisk } from '../base/file/disk.ts';
import { replaceSpawn } from '../git/run.ts';
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

/** A repository with a worktree `one`, and a way to remove that. */
function withOne(): {
  repo: string;
  root: string;
  remove: (flags?: object) => ReturnType<typeof removeLinked>;
} {
  const repo = join(scratch, 'repo');
  const root = join(scratch, 'one');
  git(scratch, 'init', '--quiet', '-b', 'main', repo);
  writeFileSync(join(repo, 'a.txt'), 'a\n');
  git(repo, 'add', '.');
  git(repo, 'commit', '--quiet', '-m', 'first');
  git(repo, 'worktree', 'add', '--quiet', root, '-b', 'one');
  const remove = (flags = {}) => {
    const wish = { target: 'one', force: false, deleteBranch: false, cwd: repo, ...flags };
    return removeLinked(findRepository(repo) as Repository, join(scratch, 'manifest', 'index.json'), wish);
  };
  return { repo, root, remove };
}

/** Lets somebody act right after git has run a command, in some folder, for the first time. */
async function after<T>(command: string, cwd: string, act: () => void, body: () => Promise<T>): Promise<T> {
  let isOver = false;
  const restore = replaceSpawn(((program: string, args: string[], options: { cwd: string }) => {
    const result = spawnSync(program, args, options);
    if (!isOver && args.includes(command) && options.cwd.startsWith(cwd)) {
      isOver = true;
      act();
    }
    return result;
  }) as never);
  try {
    return await body();
  } finally {
    restore();
  }
}

const write = (root: string) => () => writeFileSync(join(root, 'late.txt'), 'late\n');

test('what is written after the look is found, and the worktree is as it was', async () => {
  const { repo, root, remove } = withOne();
  // Git notes the name of a folder where it last did so a day ago.
  const link = join(repo, '.git/worktrees/one/gitdir');
  const before = readFileSync(link, 'utf8');
  utimesSync(link, 1e9, 1e9);
  const { result, losses } = await after('status', root, write(root), remove);
  expect([result, losses]).toEqual(['refused', [{ kind: 'untracked', paths: ['late.txt'] }]]);
  expect(readFileSync(join(root, 'late.txt'), 'utf8')).toBe('late\n');
  expect(git(root, 'status', '--porcelain')).toBe('?? late.txt\n');
  expect([readFileSync(link, 'utf8'), readdirSync(scratch).sort()]).toEqual([
    before,
    ['manifest', 'one', 'repo'],
  ]);
});

test('commits that were made after the look, too', async () => {
  const { root, remove } = withOne();
  git(root, 'checkout', '--quiet', '--detach');
  const commit = () => void git(root, 'commit', '--quiet', '--allow-empty', '-m', 'late');
  expect(await after('status', root, commit, remove)).toMatchObject({
    result: 'refused',
    losses: [{ kind: 'commits' }],
  });
});

test('with a submodule, whose folder cannot have another name, there is a second look as well', async () => {
  const { repo, root, remove } = withOne();
  const file = ['-c', 'protocol.file.allow=always'];
  git(root, ...file, 'submodule', '--quiet', 'add', repo, 'lib');
  git(root, 'commit', '--quiet', '-m', 'lib');
  expect(await after('status', join(root, 'lib'), write(join(root, 'lib')), remove)).toMatchObject({
    result: 'refused',
  });
  rmSync(join(root, 'lib', 'late.txt'));
  expect(await remove()).toMatchObject({ result: 'removed' });
});

test('what is kept is what lay there in the end: from then on nobody writes into it by its path', async () => {
  const { repo, root, remove } = withOne();
  const file = join(root, 'a.txt');
  writeFileSync(file, 'early\n');
  const failures: unknown[] = [];
  const append = () => {
    try {
      appendFileSync(file, 'late\n');
    } catch (error) {
      failures.push(error);
    }
  };
  const { kept } = await after('commit-tree', root, append, () => remove({ force: true }));
  expect(git(repo, 'show', `${kept.ref}:a.txt`)).toBe('early\n');
  expect(failures).toMatchObject([{ code: 'ENOENT' }]);
  expect(readdirSync(scratch).sort()).toEqual(['manifest', 'repo']);
});

test('a removal that failed leaves the worktree where it was', async () => {
  const { root, remove } = withOne();
  writeFileSync(join(root, 'new.txt'), 'new\n');
  const restore = replaceSpawn(((program: string, args: string[], options: object) =>
    spawnSync(program, args.includes('commit-tree') ? ['no-such-command'] : args, options)) as never);
  await expect(remove({ force: true })).rejects.toThrow('git commit-tree failed');
  restore();
  expect(git(root, 'status', '--porcelain')).toBe('?? new.txt\n');
  expect(readdirSync(scratch).filter((name) => name.includes('.removing-'))).toEqual([]);
});

test('where the folder cannot be renamed it is removed in place', async () => {
  const { root, remove } = withOne();
  const restore = replaceDisk({
    renameSync: (from, to) => {
      if (from === root) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
      renameSync(from, to);
    },
  });
  const removed = await after('status', root, write(root), remove);
  expect(removed).toMatchObject({ result: 'refused' });
  rmSync(join(root, 'late.txt'));
  expect(await remove()).toMatchObject({ result: 'removed' });
  restore();
  expect(existsSync(root)).toBe(false);
});
