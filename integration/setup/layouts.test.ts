import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { commitLinked, walkTheLine } from '../support/repository/walk.ts';

/** A repository with a few folders, to be cloned from. */
function withOrigin(repo: TestRepo): string {
  repo.ready().write('lib/lib.txt', 'lib\n').write('docs/guide.txt', 'guide\n');
  repo.git('add', '.');
  repo.git('commit', '--quiet', '-m', 'Add folders');
  repo.write('lib/lib.txt', 'lib, changed\n');
  repo.git('commit', '--quiet', '-am', 'Change lib');
  return repo.dir;
}

/** Goes on in a clone of `origin`, which becomes unreachable afterwards: no hook may need it. */
function inClone(repo: TestRepo, origin: string, ...args: string[]): void {
  repo.git('config', 'uploadpack.allowFilter', 'true');
  repo.dir = join(repo.scratch, 'clone');
  repo.gitWith({ cwd: repo.scratch }, 'clone', '--quiet', ...args, origin, repo.dir);
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  repo.entire('enable', '--agent', 'claude-code');
}

/** A repository inside of `repo` as a submodule named `sub`, enabled on its own. */
function withSubmodule(repo: TestRepo): string {
  const top = repo.ready().dir;
  const upstream = join(repo.scratch, 'upstream');
  mkdirSync(upstream);
  repo.dir = upstream;
  repo.ready();
  repo.dir = top;
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', upstream, 'sub');
  repo.git('commit', '--quiet', '-m', 'Add the submodule');
  const sub = join(top, 'sub');
  for (const [key, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.com'],
  ])
    repo.gitWith({ cwd: sub }, 'config', key as string, value as string);
  repo.dir = sub;
  repo.entire('enable', '--agent', 'claude-code');
  repo.dir = top;
  return sub;
}

describe('layouts', () => {
  variation('a session inside a submodule belongs to the submodule alone', (repo) => {
    const sub = withSubmodule(repo);
    const top = repo.dir;
    repo.dir = sub;
    walkTheLine(repo);
    expect(repo.commonDir).toBe(join(top, '.git', 'modules', 'sub'));
    expect(readdirSync(join(top, '.git'))).not.toContain('entire-sessions');
    repo.expectSound();
    repo.dir = top;
  });

  variation('a session in the superproject has what it did there, the submodule it moved as well', (repo) => {
    const sub = withSubmodule(repo);
    const session = repo.session();
    session.prompt('move the submodule');
    session.edit('top.txt', 'top\n');
    session.edit('sub/inner.txt', 'inner\n');
    session.shell(() => {
      repo.gitWith({ cwd: sub, env: { ENTIRE_TEST_TTY: '0' } }, 'add', 'inner.txt');
      repo.gitWith({ cwd: sub, env: { ENTIRE_TEST_TTY: '0' } }, 'commit', '--quiet', '-m', 'Add inner');
    });
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['sub', 'top.txt']);
    commitLinked(repo, session, 'top.txt');
    expect(repo.git('status', '--porcelain')).toBe(' M sub');
    expect(repo.state(session.id).files_touched).toEqual(['sub']);
    commitLinked(repo, session, 'sub');
    walkTheLine(repo);
  });

  variation('a bare repository with worktrees', (repo) => {
    const origin = withOrigin(repo);
    const bare = join(repo.scratch, 'bare.git');
    repo.git('clone', '--quiet', '--bare', origin, bare);
    repo.dir = join(repo.scratch, 'tree');
    repo.gitWith({ cwd: bare }, 'worktree', 'add', '--quiet', '-b', 'work', repo.dir, 'main');
    for (const part of ['name', 'email']) repo.git('config', `user.${part}`, 'ada@example.com');
    repo.entire('enable', '--agent', 'claude-code');
    const { session } = walkTheLine(repo);
    expect(repo.state(session.id)).toMatchObject({ worktree_id: 'tree', worktree_path: repo.dir });
    expect(existsSync(join(bare, 'entire-sessions'))).toBe(true);
    expect(existsSync(join(bare, 'hooks', 'post-commit'))).toBe(true);
  });

  variation('a bare repository inside of another one that is enabled is none of its business', (repo) => {
    const outer = repo.ready().dir;
    repo.git('clone', '--quiet', '--bare', '.', 'bare.git');
    const bare = join(outer, 'bare.git');
    repo.dir = join(repo.scratch, 'tree');
    repo.gitWith({ cwd: bare }, 'worktree', 'add', '--quiet', '--detach', repo.dir, 'main~1'); // before the set-up
    const session = repo.session();
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    session.stop();
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'README.md', 'a.txt']);
    expect(readdirSync(bare)).not.toContain('entire-sessions');
  });

  variation('two worktrees, a session in each, and each HEAD moves on its own', (repo) => {
    repo.ready();
    const main = repo.dir;
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', side);
    const session = { [main]: repo.session(), [side]: repo.session() };
    for (const dir of [main, side, main, side]) {
      repo.dir = dir;
      const name = `${Object.keys(session).indexOf(dir)}.txt`;
      const own = session[dir] as ReturnType<TestRepo['session']>;
      own.prompt('write');
      own.edit(name, `${name} ${Math.random()}\n`);
      own.edit(`rest-${name}`, `${name} ${Math.random()}\n`);
    }
    for (const dir of [side, main]) {
      repo.dir = dir;
      session[dir]?.stop();
    }
    expect(repo.shadowBranches()).toHaveLength(2);
    for (const dir of [main, side]) {
      repo.dir = dir;
      const name = `${Object.keys(session).indexOf(dir)}.txt`;
      const own = session[dir] as ReturnType<TestRepo['session']>;
      commitLinked(repo, own, name);
      expect(repo.state(own.id).files_touched).toEqual([`rest-${name}`]);
    }
    repo.dir = main;
    const base = repo.git('rev-parse', 'HEAD');
    repo.dir = side;
    commitLinked(repo, session[side] as ReturnType<TestRepo['session']>, 'rest-1.txt');
    repo.dir = main;
    expect(repo.state((session[main] as { id: string }).id)).toMatchObject({ base_commit: base });
    commitLinked(repo, session[main] as ReturnType<TestRepo['session']>, 'rest-0.txt');
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('a repository with SHA-256', (repo) => {
    repo.init('--object-format=sha256').write('README.md', 'base\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code');
    const { first } = walkTheLine(repo);
    expect(repo.git('rev-parse', 'HEAD')).toHaveLength(64);
    expect(repo.storedPaths(first)).toContain('0/full.jsonl');
  });

  for (const [name, args] of [
    ['that borrows its objects (--shared)', ['--shared']],
    ['that is shallow', ['--depth=1', '--no-local']],
    ['without blobs', ['--filter=blob:none', '--no-local']],
    ['without trees', ['--filter=tree:0', '--no-local']],
  ] as const) {
    variation(`a clone ${name}`, (repo) => {
      const origin = withOrigin(repo);
      inClone(repo, origin, ...args);
      const isShared = existsSync(join(repo.dir, '.git/objects/info/alternates'));
      expect(isShared).toBe(args[0] === '--shared');
      if (!isShared) renameSync(origin, `${origin}-unreachable`);
      walkTheLine(repo);
      walkTheLine(repo, { folder: 'lib/' });
      if (!isShared) renameSync(`${origin}-unreachable`, origin); // fsck may look at what is there
    });
  }

  for (const index of ['--no-sparse-index', '--sparse-index']) {
    variation(`a sparse checkout (cone, ${index})`, (repo) => {
      const origin = withOrigin(repo);
      inClone(repo, origin, '--no-checkout');
      repo.git('sparse-checkout', 'set', '--cone', index, 'lib', '.claude', '.entire');
      repo.git('checkout', '--quiet', 'main');
      repo.entire('enable', '--agent', 'claude-code');
      expect(repo.exists('docs')).toBe(false);
      walkTheLine(repo, { folder: 'lib/' });
      expect(repo.exists('docs')).toBe(false);
      expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD')).toContain('docs/guide.txt');
      expect(repo.git('status', '--porcelain')).toBe('');
    });
  }

  variation('a git folder elsewhere (--separate-git-dir)', (repo) => {
    const gitDir = join(repo.scratch, 'elsewhere');
    repo.git('init', '--quiet', '--separate-git-dir', gitDir);
    repo.ready();
    walkTheLine(repo);
    expect(repo.commonDir).toBe(gitDir);
  });

  variation('a repository reached through a link', (repo) => {
    const real = repo.ready().dir;
    repo.dir = join(repo.scratch, 'link');
    symlinkSync(real, repo.dir);
    const { session } = walkTheLine(repo);
    expect(repo.state(session.id).worktree_path).toBe(real);
    repo.dir = real; // the same session goes on, named by its other path
    walkTheLine(repo, { folder: 'more/', session });
  });
});
