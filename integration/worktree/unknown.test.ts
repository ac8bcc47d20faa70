import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scenario, variation } from '../support/repository/scenario.ts';
import { create, noted, placeOf, refusal, refusedRemoval, rowOf, withCommit } from './worktrees.ts';

describe('worktrees that git or the manifest does not know', () => {
  scenario('one that git alone knows is listed, and removed by folder name or path', (repo) => {
    repo.ready();
    const root = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', '-b', 'a', root);
    repo.git('worktree', 'add', '--quiet', '-b', 'b', join(repo.scratch, 'other'));
    expect(rowOf(repo, 'side')).toMatchObject({ managed: false, state: 'present', branch: 'a' });
    expect(repo.entire('worktree', 'list').stdout).toContain('a: clean (not made by entire)');
    repo.entire('worktree', 'remove', 'side');
    repo.entire('worktree', 'remove', '../other');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  variation('one that git moved keeps its name; what lies at its old path is another one', (repo) => {
    repo.ready();
    const before = create(repo, 'task');
    const root = join(repo.scratch, 'elsewhere');
    repo.git('worktree', 'move', before, root);
    expect(rowOf(repo, 'task')).toMatchObject({ state: 'present', managed: true, path: root });
    expect(repo.entire('worktree', 'list', '--rebuild').stderr).toContain('lacks nothing');
    expect(refusal(repo, 'create', 'task', '--branch', 'x')).toContain(`there is a worktree "task": ${root}`);
    repo.git('worktree', 'add', '--quiet', before, '-b', 'other');
    repo.entire('worktree', 'remove', 'task');
    expect([existsSync(root), existsSync(before), noted(repo)]).toEqual([false, true, []]);
  });

  variation('one whose folder is gone', (repo) => {
    repo.ready();
    const root = withCommit(repo, 'task');
    const git = (...args: string[]) => repo.gitWith({ cwd: root }, ...args);
    git('checkout', '--quiet', '--detach');
    git('commit', '--quiet', '--allow-empty', '-m', 'nowhere else');
    const head = git('rev-parse', 'HEAD');
    repo.run('rm', ['-rf', root]);
    expect(rowOf(repo, 'task')).toMatchObject({ state: 'missing', work: null, head });
    expect(refusedRemoval(repo, 'task')).toContain('1 commit that no branch, remote or tag leads to');
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    expect(repo.git('rev-parse', kept.ref)).toBe(head);
    expect(noted(repo)).toEqual([]);
  });

  variation('one that the manifest alone knows is forgotten, and what lies there stays', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    repo.run('rm', ['-rf', join(repo.commonDir, 'worktrees', 'task')]);
    expect(rowOf(repo, 'task')).toMatchObject({ state: 'unknown', managed: true });
    expect(repo.entire('worktree', 'remove', 'task').stdout).toContain(
      'Forgot worktree task: git knows none',
    );
    expect(existsSync(join(root, 'README.md'))).toBe(true);
    expect(placeOf(repo, 'task')).toBe(root);
    expect(noted(repo)).toEqual([]);
  });
});

variation(
  'the list says what is not pushed, also where another branch has it and none is followed',
  (repo) => {
    repo.ready();
    const row = (): string =>
      repo
        .entire('worktree', 'list')
        .stdout.split('\n')
        .find((line) => line.startsWith('  task')) ?? '';
    withCommit(repo, 'task');
    expect(row()).toBe('  task  task: 1 commit nowhere else');
    repo.git('branch', 'other', 'task');
    expect(row()).toBe('  task  task: clean');
    repo.git('init', '--quiet', '--bare', '../origin.git');
    repo.git('remote', 'add', 'origin', '../origin.git');
    repo.git('push', '--quiet', 'origin', 'main');
    expect(row()).toBe('  task  task: 1 commit not pushed');
    expect(rowOf(repo, 'task').work).toMatchObject({
      unmerged_commits: 0,
      unpushed_commits: 1,
      ahead: null,
    });
    repo.git('branch', '--quiet', '--set-upstream-to=origin/main', 'task');
    repo.git('push', '--quiet', 'origin', 'task:somewhere');
    expect(row()).toBe('  task  task: clean');
    expect(rowOf(repo, 'task').work).toMatchObject({ unpushed_commits: 0, ahead: 1 });
  },
);
