import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { freeze } from '../support/repository/frozen.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import { create, list, noted, placeOf, refusal, rowOf, within } from './worktrees.ts';

describe('what cannot be made leaves nothing behind', () => {
  variation('names', (repo) => {
    repo.ready();
    const before = repo.branches();
    const outside = join(repo.scratch, 'x');
    for (const name of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      '.x',
      'a..b',
      'x.lock',
      'x.',
      'a b',
      'a~1',
      'a\nb',
      '@{-1}',
      'ä:b',
    ])
      expect(refusal(repo, 'create', '--', name), name).toContain('is not a name for a worktree');
    expect(refusal(repo, 'create', '--', '-x')).toContain('cannot begin with a dash');
    for (const branch of ['-x', 'a..b', 'HEAD', 'x.lock', '@{-1}', 'a b', ''])
      expect(refusal(repo, 'create', 'x', `--branch=${branch}`), branch).toContain('for no name of a branch');
    expect(refusal(repo, 'create', 'x', '--branch', 'entire/checkpoints/v1')).toContain(
      "a branch of Entire's own",
    );
    for (const from of ['nothing', '--all', 'HEAD\nHEAD', ''])
      expect(refusal(repo, 'create', 'x', `--from=${from}`), from).toContain('there is no commit "');
    expect(refusal(repo, 'create', 'x', '--path=')).toContain('cannot lie at a path that is empty');
    expect(refusal(repo, 'create')).toContain('missing argument: <name>');
    expect(refusal(repo, 'create', 'x', '--force')).toContain('unknown flag: --force');
    expect(refusal(repo, 'move')).toContain('unknown command "move" for "entire worktree"');
    expect(repo.branches()).toEqual(before);
    expect(noted(repo)).toEqual([]);
    expect(existsSync(outside)).toBe(false);
    create(repo, 'größe-日本');
    expect(rowOf(repo, 'größe-日本').branch).toBe('größe-日本');
  });

  scenario('a place that is taken, a name that is taken', (repo) => {
    repo.ready();
    repo.write('../taken/file', 'mine\n');
    expect(refusal(repo, 'create', 'x', '--path', '../taken')).toContain('already exists');
    symlinkSync('/nowhere', join(repo.scratch, 'link'));
    expect(refusal(repo, 'create', 'x', '--path', '../link/x')).toMatch(/Error: /);
    expect(refusal(repo, 'create', 'x', '--path', '.git/x')).toContain('within the git folder');
    create(repo, 'one');
    expect(refusal(repo, 'create', 'one', '--branch', 'other')).toContain('there is a worktree "one"');
    expect(repo.branches()).not.toContain('x');
    expect(noted(repo)).toEqual(['one']);
    expect(readFileSync(join(repo.scratch, 'taken/file'), 'utf8')).toBe('mine\n');
    // A name whose worktree git has forgotten is free again.
    rmSync(placeOf(repo, 'one'), { recursive: true });
    repo.git('worktree', 'prune');
    create(repo, 'one', '--branch', 'one');
    expect(noted(repo)).toEqual(['one']);
  });

  variation('a repository without a commit, and no repository', (repo) => {
    repo.init();
    expect(refusal(repo, 'create', 'x')).toContain('there is no commit yet');
    expect(list(repo)).toMatchObject([{ main: true, head: null, branch: 'main' }]);
    within(repo, repo.scratch, () => {
      expect(refusal(repo, 'list')).toContain('Not a git repository');
      expect(list(repo, '--all')).toEqual([]);
    });
  });

  variation('a disk that is read-only', (repo, skip) => {
    repo.ready();
    const closed = join(repo.scratch, 'closed');
    mkdirSync(closed);
    freeze(repo, skip, closed);
    expect(refusal(repo, 'create', 'x', '--path', join(closed, 'x'))).toMatch(
      /Error: git worktree failed: [\s\S]*(Read-only file system|Permission denied)/,
    );
    const home = join(repo.home, '.entire');
    const thaw = freeze(repo, skip, home);
    expect(refusal(repo, 'create', 'x')).toMatch(
      /^Error: .*index\S* could not be \w+: (the file system is read-only|permission denied)/,
    );
    thaw();
    expect(repo.branches()).not.toContain('x');
    expect(list(repo)).toHaveLength(1);
    expect(noted(repo)).toEqual([]);
  });

  variation('a disk that is full', (repo, skip) => {
    repo.ready();
    const disk = join(repo.scratch, 'disk');
    mkdirSync(disk);
    const { code, stderr } = repo.run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    if (code !== 0) skip(`a small disk of its own cannot be mounted here: ${stderr.trim()}`);
    repo.onRemove(() => repo.run('umount', ['-l', disk], { cwd: '/' }));
    repo.write('large.txt', 'x'.repeat(4 * 1024 * 1024));
    repo.commit('Large', 'large.txt');
    expect(refusal(repo, 'create', 'x', '--path', join(disk, 'x'))).toMatch(
      /Error: git worktree failed: error: unable to write file large\.txt/,
    );
    expect(existsSync(join(disk, 'x'))).toBe(false);
    expect(repo.branches()).not.toContain('x');
    expect(list(repo)).toHaveLength(1);
    expect(noted(repo)).toEqual([]);
  });
});
