import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { idle, left, setBack } from '../support/command/idle.ts';
import { variation } from '../support/repository/scenario.ts';

variation(
  'a linked worktree whose folder has a name of two lines gets its verdicts where the others are',
  (repo) => {
    idle(repo);
    repo.git('worktree', 'add', '--quiet', '-b', 'two', '../two\nlines');
    const cwd = join(repo.scratch, 'two\nlines');
    for (const name of ['.entire', '.entire/settings.json']) setBack(join(cwd, name), 120);
    const commit = (env = {}) =>
      repo.gitWith({ cwd, env }, 'commit', '--quiet', '--allow-empty', '-m', 'There');
    const head = () => repo.gitWith({ cwd }, 'rev-parse', 'HEAD').trim();
    commit();
    commit();
    expect(repo.verdict()).toMatchObject({ commit: head(), reason: 'no-session' });
    commit({ ENTIRE: '0' });
    expect(repo.verdict()).toMatchObject({ commit: head(), reason: 'switched-off' });
    expect(readdirSync(repo.scratch).filter((name) => /^(?:two|lines)/.test(name))).toEqual(['two\nlines']);
  },
);

variation(
  'a linked worktree that follows the settings of the main one gets none: its scripts know nothing of them',
  (repo) => {
    idle(repo);
    repo.git('rm', '--quiet', '--cached', '.entire/settings.json');
    repo.git('commit', '--quiet', '-m', 'Settings of my own');
    repo.git('worktree', 'add', '--quiet', '../beside');
    const commit = () =>
      repo.gitWith(
        { cwd: join(repo.scratch, 'beside') },
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'There',
      );
    commit();
    const before = repo.verdict();
    expect([before.reason, left(repo, 'beside')]).toEqual(['no-session', undefined]);
    repo.entire('disable');
    commit();
    expect(repo.verdict()).toEqual(before);
  },
);

variation('a linked worktree has a mark of its own', (repo) => {
  idle(repo);
  repo.git('worktree', 'add', '--quiet', '../beside');
  const cwd = join(repo.scratch, 'beside');
  for (const name of ['.entire', '.entire/settings.json']) setBack(join(cwd, name), 120);
  const commit = () => repo.gitWith({ cwd }, 'commit', '--quiet', '--allow-empty', '-m', 'There');
  commit();
  commit();
  expect([left(repo, 'beside'), left(repo)]).toEqual([199, 200]);
  repo.git('worktree', 'remove', '../beside');
  repo.entire('clean', '--force');
  expect(statSync(join(repo.commonDir, 'entire/idle/@')).isDirectory()).toBe(true);
});
