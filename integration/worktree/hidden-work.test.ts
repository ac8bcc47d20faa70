import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { create, refusedRemoval } from './worktrees.ts';

/** Writes a file, and the folders above it. */
function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A repository that ignores something, and a worktree of it. */
function ignoring(repo: TestRepo, ...patterns: string[]): string {
  repo.ready();
  repo.write('.gitignore', `${patterns.join('\n')}\n`).commit('Ignore', '.gitignore');
  return create(repo, 'task');
}

/** A repository with a submodule `lib`, and a worktree of it with the submodule checked out. */
function withSubmodule(repo: TestRepo): { root: string; lib: (...args: string[]) => void } {
  repo.ready();
  repo.git('clone', '--quiet', '--bare', '.', '../lib.git');
  repo.git('config', '--global', 'protocol.file.allow', 'always');
  repo.git('submodule', '--quiet', 'add', join(repo.scratch, 'lib.git'), 'lib');
  repo.commit('Add lib');
  const root = create(repo, 'task');
  repo.gitWith({ cwd: root }, 'submodule', '--quiet', 'update', '--init');
  const as = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  return { root, lib: (...args) => void repo.gitWith({ cwd: join(root, 'lib') }, ...as, ...args) };
}

describe('work that is not where one looks first is refused as well', () => {
  variation(
    'files of their own in folders with tracked files that are called like output of builds',
    (repo) => {
      const root = ignoring(repo, '*.local', '/log/*', '!/log/.keep', 'target/*');
      put(root, 'bin/run.sh', 'tracked\n');
      put(root, 'log/.keep', '');
      repo.git('-C', root, 'add', 'bin', 'log');
      repo.git('-C', root, 'commit', '--quiet', '-m', 'Tracked');
      put(root, 'bin/mine.local', 'mine\n');
      put(root, 'log/server', 'made again\n');
      put(root, 'target/debug/x', 'made again\n');
      expect(refusedRemoval(repo, 'task')).toContain(
        '- 1 ignored file that a build would not recreate: bin/mine.local\n',
      );
    },
  );

  variation('links and odd names that git was told not to look at', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    const names = ['link', 'two\nlines', '"quoted"', 'same'];
    for (const name of names.slice(1)) put(root, name, 'x\n');
    symlinkSync('there', join(root, 'link'));
    const git = (...args: string[]) => repo.gitWith({ cwd: root }, ...args);
    git('add', '--', ...names);
    git('commit', '--quiet', '-m', 'Odd');
    git('update-index', '--assume-unchanged', '--', ...names.slice(0, 2));
    git('update-index', '--skip-worktree', '--', ...names.slice(2));
    rmSync(join(root, 'link'));
    symlinkSync('elsewhere', join(root, 'link'));
    for (const name of names.slice(1, 3)) put(root, name, 'mine\n');
    expect(refusedRemoval(repo, 'task')).toContain(
      '- 3 files with changes hidden by assume-unchanged or skip-worktree: ',
    );
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    expect(repo.git('show', `${kept.ref}:link`)).toBe('elsewhere');
    for (const name of names.slice(1, 3)) expect(repo.git('show', `${kept.ref}:${name}`)).toBe('mine');
  });

  variation(
    'what git was told not to look at in a submodule, and what it is in the middle of there',
    (repo) => {
      const { root, lib } = withSubmodule(repo);
      lib('update-index', '--skip-worktree', 'README.md');
      put(root, 'lib/README.md', 'mine\n');
      expect(refusedRemoval(repo, 'task', '--force')).toContain(
        'submodule lib has changes hidden by assume-unchanged or skip-worktree\n',
      );
      lib('update-index', '--no-skip-worktree', 'README.md');
      lib('checkout', '--quiet', '--', 'README.md');
      lib('bisect', 'start');
      expect(refusedRemoval(repo, 'task', '--force')).toContain(
        'submodule lib has a bisect that is not finished\n',
      );
      lib('bisect', 'reset');
      repo.entire('worktree', 'remove', 'task');
    },
  );

  variation('a submodule within a submodule', (repo) => {
    const { root, lib } = withSubmodule(repo);
    lib('submodule', '--quiet', 'add', join(repo.scratch, 'lib.git'), 'inner');
    lib('commit', '--quiet', '-m', 'Inner');
    lib('push', '--quiet', 'origin', 'HEAD:main');
    repo.gitWith({ cwd: root }, 'commit', '--quiet', '-am', 'Lib');
    put(root, 'lib/inner/.env', 'A=1\n');
    repo.gitWith(
      { cwd: join(root, 'lib/inner') },
      'config',
      'core.excludesFile',
      join(repo.scratch, 'ignore'),
    );
    writeFileSync(join(repo.scratch, 'ignore'), '.env\n');
    expect(refusedRemoval(repo, 'task', '--force')).toContain(
      'submodule lib/inner has ignored files that a build would not recreate\n',
    );
    rmSync(join(root, 'lib/inner/.env'));
    repo.entire('worktree', 'remove', 'task');
  });

  variation(
    'a repository, or a submodule, that git cannot read: it is not taken for the one around it',
    (repo) => {
      const { root } = withSubmodule(repo);
      repo.gitWith({ cwd: root }, 'submodule', '--quiet', 'deinit', '--force', 'lib');
      rmSync(join(repo.dir, '.git/worktrees/task/modules'), { recursive: true });
      put(root, 'lib/.git/HEAD', 'ref: refs/heads/main\n');
      expect(refusedRemoval(repo, 'task', '--force')).toContain('not recognized as a git repository');
      rmSync(join(root, 'lib/.git'), { recursive: true });
      put(root, 'src/a.txt', 'x\n');
      repo.git('-C', root, 'add', 'src');
      repo.git('-C', root, 'commit', '--quiet', '-m', 'A folder with tracked files');
      put(root, 'src/.git/HEAD', 'ref: refs/heads/main\n');
      expect(refusedRemoval(repo, 'task')).toContain('src/');
    },
  );

  variation('another repository in the folder of one that is gone', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    rmSync(root, { recursive: true });
    repo.git('clone', '--quiet', '.', root);
    put(root, '.entire/tmp/x', 'x\n');
    for (const flags of [[], ['--force']])
      expect(refusedRemoval(repo, 'task', ...flags)).toContain(
        'its folder is that of another repository now',
      );
    expect(existsSync(join(root, '.entire/tmp/x'))).toBe(true);
    rmSync(root, { recursive: true });
    repo.entire('worktree', 'remove', 'task');
  });

  variation('commits that a ref of the worktree alone leads to, also where its folder is gone', (repo) => {
    repo.ready();
    for (const name of ['here', 'gone']) {
      const root = create(repo, name);
      const git = (...args: string[]) => repo.gitWith({ cwd: root }, ...args);
      git('update-ref', 'refs/worktree/known', 'HEAD');
      git('update-ref', 'refs/worktree/mine', git('commit-tree', '-m', name, 'HEAD^{tree}'));
      const oid = git('rev-parse', 'refs/worktree/mine');
      if (name === 'gone') rmSync(root, { recursive: true });
      expect(refusedRemoval(repo, name)).toContain(
        '- 1 ref of this worktree alone that leads to commits nothing else leads to: refs/worktree/mine\n',
      );
      const { kept } = JSON.parse(repo.entire('worktree', 'remove', name, '--force', '--json').stdout);
      expect(kept.refs).toEqual([
        expect.stringMatching(/^refs\/entire\/removed\/\w+\/[0-9a-f]{12}-worktree\/mine$/),
      ]);
      expect(repo.git('rev-parse', kept.refs[0])).toBe(oid);
    }
  });

  variation('a name that is no UTF-8: it cannot be kept, and so nothing is removed', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), 'mine\n');
    expect(refusedRemoval(repo, 'task')).toContain('1 untracked file');
    expect(refusedRemoval(repo, 'task', '--force')).toContain('is not UTF-8');
    expect(existsSync(root)).toBe(true);
  });

  variation('a hook of Husky that somebody wrote, whatever its folder is called', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    put(root, '.husky/bin/check.sh', 'mine\n');
    put(root, '.husky/_/pre-commit', 'of Husky\n');
    put(root, '.entire/build/notes.md', 'mine\n');
    expect(refusedRemoval(repo, 'task')).toContain(
      '- 2 untracked files: .entire/build/notes.md, .husky/bin/check.sh\n',
    );
    expect(existsSync(join(root, '.husky/_/pre-commit'))).toBe(true);
  });

  variation('a repository of its own, of which git status of the worktree says nothing', (repo) => {
    const root = ignoring(repo, '/vendor/');
    for (const path of ['src/inner', 'vendor/lib']) {
      mkdirSync(join(root, path), { recursive: true });
      repo.git('init', '--quiet', join(root, path));
      put(root, `${path}/notes.md`, 'mine\n');
    }
    put(root, 'src/a.txt', 'tracked\n');
    repo.git('-C', root, 'add', 'src/a.txt');
    repo.git('-C', root, 'commit', '--quiet', '-m', 'A folder with tracked files');
    repo.git('clone', '--quiet', `file://${repo.dir}`, join(root, 'vendor/clean'));
    expect(refusedRemoval(repo, 'task')).toContain('vendor/lib/');
    expect(refusedRemoval(repo, 'task')).toContain('src/inner/');
    expect(refusedRemoval(repo, 'task')).not.toContain('vendor/clean');
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    for (const path of ['src/inner', 'vendor/lib']) {
      expect(readFileSync(join(kept.folder, path, 'notes.md'), 'utf8')).toBe('mine\n');
      expect(existsSync(join(kept.folder, path, '.git'))).toBe(true);
    }
  });

  variation('what was staged in a worktree whose folder is gone', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    put(root, 'staged.txt', 'staged\n');
    repo.git('-C', root, 'add', 'staged.txt');
    rmSync(root, { recursive: true });
    expect(refusedRemoval(repo, 'task')).toContain(
      '1 file with changes that are not committed: staged.txt\n',
    );
    const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
    expect(repo.git('show', `${kept.ref}:staged.txt`)).toBe('staged');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  variation('a file that another worktree seems to have, whose folder is a link to this one', (repo) => {
    const root = ignoring(repo, 'notes');
    put(root, 'notes/plan.md', 'plan\n');
    symlinkSync(join(root, 'notes'), join(repo.dir, 'notes'));
    expect(refusedRemoval(repo, 'task')).toContain(
      '1 ignored file that a build would not recreate: notes/plan.md\n',
    );
  });
});
