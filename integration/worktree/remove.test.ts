import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { create, noted, refusal, refusedRemoval, rowOf, withCommit, within } from './worktrees.ts';

describe('entire worktree remove', () => {
  onBothBuilds('of what is committed: the branch stays, or goes where something else leads to it', (repo) => {
    repo.ready();
    const root = withCommit(repo, 'one');
    expect(rowOf(repo, 'one').work).toEqual({
      changed: 0,
      untracked: 0,
      unmerged_commits: 1,
      unpushed_commits: null,
      ahead: null,
      operation: null,
    });
    expect(repo.entire('worktree', 'remove', 'one').stdout).toBe(
      `✓ Removed worktree one (${root})\n  Branch one stays.\n`,
    );
    expect(existsSync(`${repo.dir}.worktrees`)).toBe(false);
    expect(noted(repo)).toEqual([]);
    expect(repo.git('show', 'one:own.txt')).toBe('own');
    create(repo, 'one', '--branch', 'one');
    expect(refusedRemoval(repo, 'one', '--delete-branch')).toContain(
      '- 1 commit of branch one that no other branch, remote or tag leads to\nError: worktree one was not removed: work would be lost\n',
    );
    repo.git('merge', '--quiet', '--ff-only', 'one');
    expect(repo.entire('worktree', 'remove', 'one', '--delete-branch').stdout).toContain(
      'Deleted branch one, which was at',
    );
    expect(repo.branches()).not.toContain('one');
  });

  variation('what is not committed is named, and nothing is touched', (repo) => {
    repo.ready();
    repo.write('.gitignore', '.env\nnode_modules/\nnotes/\n*.log\n');
    repo.commit('Ignore', '.gitignore');
    const root = create(repo, 'task');
    const write = (path: string, text: string) => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    write('README.md', 'changed\n');
    write('staged.txt', 'staged\n');
    repo.gitWith({ cwd: root }, 'add', 'staged.txt');
    for (const n of [1, 2, 3, 4, 5, 6, 7]) write(`new${n}.txt`, 'new\n');
    write('.env', 'A=1\n');
    write('notes/plan.md', 'plan\n');
    write('node_modules/x/index.js', 'x\n');
    write('debug.log', 'x\n');
    expect(refusedRemoval(repo, 'task')).toBe(
      [
        '- 2 files with changes that are not committed: README.md, staged.txt',
        '- 7 untracked files: new1.txt, new2.txt, new3.txt, new4.txt, new5.txt and 2 more',
        '- 2 ignored files that a build would not recreate: .env, notes/plan.md',
        'Error: worktree task was not removed: work would be lost',
        'Hint: Commit or copy what you need. With --force, a copy is kept in the repository and the worktree is removed.',
        '',
      ].join('\n'),
    );
    const json = JSON.parse(repo.tryEntire('worktree', 'remove', 'task', '--json').stdout);
    expect(json).toMatchObject({
      result: 'refused',
      losses: [
        { kind: 'changed' },
        { kind: 'untracked' },
        { kind: 'ignored', paths: ['.env', 'notes/plan.md'] },
      ],
    });
    expect(rowOf(repo, 'task').work).toMatchObject({ changed: 2, untracked: 7 });
  });

  variation(
    'ignored files that builds make again, and those that another worktree has, are no loss',
    (repo) => {
      repo.ready();
      repo.write('.gitignore', '.env\ndist/\n').write('.env', 'A=1\n');
      repo.commit('Ignore', '.gitignore');
      const root = create(repo, 'task');
      writeFileSync(join(root, '.env'), 'A=1\n');
      mkdirSync(join(root, 'dist'));
      writeFileSync(join(root, 'dist/x.js'), 'x\n');
      writeFileSync(join(root, 'same.txt'), 'same\n');
      repo.write('same.txt', 'same\n');
      repo.entire('worktree', 'remove', 'task');
      expect(existsSync(root)).toBe(false);
    },
  );

  variation('--force keeps it all, and says where', (repo) => {
    repo.ready();
    repo.write('.gitignore', '.env\n');
    repo
      .write('gone.txt', 'x\n')
      .write('flagged.txt', 'x\n')
      .commit('More', '.gitignore', 'gone.txt', 'flagged.txt');
    const root = withCommit(repo, 'task');
    const git = (...args: string[]) => repo.gitWith({ cwd: root }, ...args);
    git('checkout', '--quiet', '--detach');
    git('commit', '--quiet', '--allow-empty', '-m', 'nowhere else');
    const head = git('rev-parse', 'HEAD');
    writeFileSync(join(root, 'README.md'), 'staged\n');
    git('add', 'README.md');
    writeFileSync(join(root, 'README.md'), 'changed\n');
    git('rm', '--quiet', 'gone.txt');
    git('update-index', '--skip-worktree', 'flagged.txt');
    writeFileSync(join(root, 'flagged.txt'), 'mine\n');
    writeFileSync(join(root, 'sp ace\n.txt'), 'odd name\n');
    writeFileSync(join(root, '.env'), 'SECRET=1\n', { mode: 0o600 });
    mkdirSync(join(root, 'nested'));
    repo.gitWith({ cwd: join(root, 'nested') }, 'init', '--quiet');
    writeFileSync(join(root, 'nested/n.txt'), 'nested\n');
    const said = refusedRemoval(repo, 'task');
    expect(said).toContain('1 file with changes hidden by assume-unchanged or skip-worktree: flagged.txt');
    expect(said).toContain('1 commit that no branch, remote or tag leads to (HEAD is detached)');
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    expect(existsSync(root)).toBe(false);
    expect(kept.ref).toMatch(/^refs\/entire\/removed\/task\/[0-9a-f]{12}$/);
    expect(repo.git('rev-parse', `${kept.ref}^1`)).toBe(head);
    expect(repo.git('show', `${kept.ref}:README.md`)).toBe('changed');
    expect(repo.git('show', `${kept.ref}^2:README.md`)).toBe('staged');
    expect(repo.git('show', `${kept.ref}:flagged.txt`)).toBe('mine');
    expect(repo.git('show', `${kept.ref}:sp ace\n.txt`)).toBe('odd name');
    expect(repo.git('ls-tree', '--name-only', kept.ref)).not.toMatch(/gone\.txt|\.env|nested/);
    expect(readFileSync(join(kept.folder, '.env'), 'utf8')).toBe('SECRET=1\n');
    expect(readFileSync(join(kept.folder, 'nested/n.txt'), 'utf8')).toBe('nested\n');
    expect(existsSync(join(kept.folder, 'nested/.git/HEAD'))).toBe(true);
    expect(statSync(kept.folder).mode & 0o077).toBe(0);
    // Neither `clean` nor git's own collection takes it away.
    repo.entire('clean', '--force');
    repo.git('gc', '--quiet', '--prune=now');
    expect(repo.git('show', `${kept.ref}:README.md`)).toBe('changed');
    expect(readdirSync(kept.folder).sort()).toEqual(['.env', 'nested']);
  });

  variation('in the middle of conflicts and of a rebase', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    const git = (...args: string[]) => repo.run('git', args, { cwd: root });
    writeFileSync(join(root, 'README.md'), 'there\n');
    git('commit', '--quiet', '-am', 'there');
    repo.write('README.md', 'here\n').commit('here', 'README.md');
    expect(git('rebase', '--quiet', 'main').code).toBe(1);
    expect(rowOf(repo, 'task').work.operation).toBe('rebase');
    expect(refusedRemoval(repo, 'task')).toContain('- a rebase that is not finished\n');
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    expect(repo.git('show', `${kept.ref}:README.md`)).toContain('<<<<<<<');
    expect(repo.git('show', 'task:README.md')).toBe('there');
  });

  variation('what a rebase or a merge had stashed by itself comes to the other stashes', (repo) => {
    repo.ready();
    repo.write('own.txt', 'x\n').commit('Own', 'own.txt');
    for (const [name, how] of [
      ['one', ['rebase', '--merge']],
      ['two', ['rebase', '--apply']],
      ['three', ['merge']],
    ] as const) {
      const root = create(repo, name);
      const git = (...args: string[]) => repo.run('git', args, { cwd: root });
      writeFileSync(join(root, 'README.md'), `${name} there\n`);
      git('commit', '--quiet', '-am', 'there');
      repo.write('README.md', `${name} here\n`).commit('here', 'README.md');
      writeFileSync(join(root, 'own.txt'), `${name} was stashed\n`);
      expect(git(...how, '--autostash', 'main').code).toBe(1);
      const { stdout } = repo.entire('worktree', 'remove', name, '--force');
      expect(stdout).toContain('`git stash list` has what git had stashed by itself');
      expect(repo.git('show', 'stash@{0}:own.txt')).toBe(`${name} was stashed`);
    }
  });

  variation('--force --delete-branch keeps the commits of the branch', (repo) => {
    repo.ready();
    withCommit(repo, 'task');
    const tip = repo.git('rev-parse', 'task');
    const { kept, deleted_branch } = JSON.parse(
      repo.entire('worktree', 'remove', 'task', '--force', '--delete-branch', '--json').stdout,
    );
    expect(deleted_branch).toEqual({ name: 'task', tip });
    expect(repo.git('rev-parse', kept.ref)).toBe(tip);
    expect(repo.branches()).not.toContain('task');
  });

  variation('our hooks in the folder of Husky, which nothing of Husky ignores there yet', (repo) => {
    repo.ready();
    repo.git('config', 'core.hooksPath', '.husky/_');
    const root = create(repo, 'task');
    const session = repo.session();
    within(repo, root, () => {
      session.prompt('Write');
      session.edit('a.txt', 'a\n');
      session.stop();
      expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
      expect(repo.git('status', '--porcelain')).toBe('');
      expect(existsSync(join(root, '.husky/_/post-commit'))).toBe(true);
    });
    repo.entire('worktree', 'remove', 'task');
    expect(existsSync(root)).toBe(false);
  });

  variation('what lies in a folder that git takes for no name of a ref is kept under one like it', (repo) => {
    repo.ready();
    const root = join(repo.scratch, 'my: own', 'a b..c');
    repo.git('worktree', 'add', '--quiet', root, '-b', 'own');
    writeFileSync(join(root, 'new.txt'), 'new\n');
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', root, '--force', '--json').stdout);
    expect(kept.ref).toMatch(/^refs\/entire\/removed\/a-b-c\/[0-9a-f]{12}$/);
    expect(repo.git('show', `${kept.ref}:new.txt`)).toBe('new');
    expect(existsSync(dirname(root))).toBe(true); // it was there before
  });

  variation('a stash belongs to no worktree', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    writeFileSync(join(root, 'README.md'), 'stashed\n');
    repo.gitWith({ cwd: root }, 'stash', '--quiet');
    repo.entire('worktree', 'remove', 'task');
    expect(repo.git('show', 'stash@{0}:README.md')).toBe('stashed');
  });
});

describe('what --force does not help against', () => {
  variation('the main worktree, the one that somebody stands in, one that is locked', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    for (const flags of [[], ['--force']]) {
      expect(refusedRemoval(repo, 'repo', ...flags)).toContain('it is the main worktree');
      mkdirSync(join(root, 'sub'), { recursive: true });
      within(repo, join(root, 'sub'), () =>
        expect(refusal(repo, 'remove', 'task', ...flags)).toContain('you are in it'),
      );
      repo.git('worktree', 'lock', '--reason', 'on a stick', root);
      expect(refusedRemoval(repo, 'task', ...flags)).toContain('it is locked: on a stick');
      expect(rowOf(repo, 'task').locked).toBe('on a stick');
      repo.git('worktree', 'unlock', root);
    }
    expect(refusal(repo, 'remove', 'nothing')).toContain('there is no worktree "nothing"');
    repo.git('worktree', 'add', '--quiet', join(root, 'inner'), '-b', 'inner');
    expect(refusedRemoval(repo, 'task', '--force')).toContain(
      `other worktrees lie in it: ${join(root, 'inner')}`,
    );
  });

  variation('the default branch, where it is to be deleted', (repo) => {
    repo.ready();
    repo.git('checkout', '--quiet', '-b', 'work');
    create(repo, 'main', '--branch', 'main');
    expect(refusedRemoval(repo, 'main', '--delete-branch', '--force')).toContain(
      'main is the default branch',
    );
    repo.entire('worktree', 'remove', 'main');
  });

  variation('submodules with work in them; without work they are no obstacle', (repo) => {
    repo.ready();
    repo.git('clone', '--quiet', '--bare', '.', '../lib.git');
    repo.git('config', '--global', 'protocol.file.allow', 'always');
    repo.git('submodule', '--quiet', 'add', join(repo.scratch, 'lib.git'), 'lib');
    repo.commit('Add lib');
    const root = create(repo, 'task');
    repo.gitWith({ cwd: root }, 'submodule', '--quiet', 'update', '--init');
    const lib = (...args: string[]) =>
      repo.gitWith({ cwd: join(root, 'lib') }, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args);
    writeFileSync(join(root, 'lib/README.md'), 'changed\n');
    expect(refusedRemoval(repo, 'task', '--force')).toContain('submodule lib has changes\n');
    lib('stash', '--quiet');
    lib('commit', '--quiet', '--allow-empty', '-m', 'not pushed');
    expect(refusedRemoval(repo, 'task', '--force')).toContain(
      'submodule lib has 1 commit that no remote has, a stash',
    );
    lib('push', '--quiet', 'origin', 'HEAD:main');
    lib('stash', 'drop', '--quiet');
    lib('reset', '--quiet', '--hard', 'HEAD~1');
    lib('config', 'core.excludesFile', join(repo.scratch, 'ignore'));
    writeFileSync(join(repo.scratch, 'ignore'), '.env\nnode_modules/\n');
    mkdirSync(join(root, 'lib/node_modules'));
    writeFileSync(join(root, 'lib/node_modules/x'), 'x\n');
    writeFileSync(join(root, 'lib/.env'), 'A=1\n');
    expect(refusedRemoval(repo, 'task', '--force')).toContain(
      'submodule lib has ignored files that a build would not recreate\n',
    );
    repo.write('lib/.env', 'A=1\n'); // which the main worktree has as well, now
    lib('checkout', '--quiet', '-b', 'mine');
    // Of the same words, in the same second, it would be the commit that was pushed.
    lib('commit', '--quiet', '--allow-empty', '-m', 'not pushed either');
    lib('checkout', '--quiet', '--detach', 'HEAD~1');
    repo.gitWith({ cwd: root }, 'checkout', '--quiet', '--detach', 'HEAD~1');
    rmSync(join(root, 'lib'), { recursive: true, force: true });
    expect(refusedRemoval(repo, 'task', '--force')).toMatch(
      /submodule \/.*\/modules\/lib has 1 commit that no remote has\n/,
    );
    rmSync(join(repo.dir, '.git/worktrees/task/modules/lib/refs/heads/mine'));
    repo.entire('worktree', 'remove', 'task');
    expect(existsSync(root)).toBe(false);
  });
});
