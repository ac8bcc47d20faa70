import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { commitLinked, walkTheLine } from '../support/repository/walk.ts';

/** What programs with a window give to git: no shell has run, so nothing has extended the search path. */
const BARE = '/usr/bin:/bin';

describe('layouts: what the environment says', () => {
  variation('GIT_DIR and GIT_WORK_TREE are exported, as by a script around everything', (repo) => {
    repo.ready();
    repo.variables = { GIT_DIR: join(repo.dir, '.git'), GIT_WORK_TREE: repo.dir };
    walkTheLine(repo);
    repo.variables = { GIT_DIR: join(repo.dir, '.git') };
    walkTheLine(repo, { folder: 'sub/' });
  });

  variation('a home folder under git (--git-dir, --work-tree), with both exported for the agent', (repo) => {
    repo.git('init', '--quiet', '--bare', join(repo.scratch, 'dotfiles'));
    repo.variables = { GIT_DIR: join(repo.scratch, 'dotfiles'), GIT_WORK_TREE: repo.dir };
    for (const part of ['name', 'email']) repo.git('config', `user.${part}`, 'ada@example.com');
    repo.git('config', 'core.bare', 'false');
    repo.write('.bashrc', '# base\n').git('add', '.bashrc');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code');
    const { session } = walkTheLine(repo);
    expect(repo.commonDir).toBe(join(repo.scratch, 'dotfiles'));
    expect(repo.exists('.git')).toBe(false);

    // Git hooks learn it from git itself.
    const exported = repo.variables;
    session.prompt('more');
    session.edit('.config/app', 'app\n');
    session.stop();
    repo.variables = {};
    const asked = [`--git-dir=${exported.GIT_DIR}`, `--work-tree=${repo.dir}`];
    repo.git(...asked, 'add', '.config/app');
    repo.gitWith({ cwd: repo.home }, ...asked, 'commit', '--quiet', '-m', 'Add app');
    repo.variables = exported;
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [session.id] });
  });

  variation('an exported GIT_DIR of another repository changes nothing for the one we are in', (repo) => {
    repo.ready();
    const other = join(repo.scratch, 'other');
    repo.git('init', '--quiet', other);
    const before = readdirSync(join(other, '.git'), { recursive: true }).sort();
    const session = repo.session();
    repo.variables = { GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other };
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.variables = {};
    commitLinked(repo, session, 'a.txt');
    expect(readdirSync(join(other, '.git'), { recursive: true }).sort()).toEqual(before);
  });

  variation("an index of the user's own (GIT_INDEX_FILE)", (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write one and two');
    session.edit('one.txt', 'one\n');
    session.edit('two.txt', 'two\n');
    session.stop();
    repo.variables = { GIT_INDEX_FILE: join(repo.scratch, 'my-index') };
    repo.git('read-tree', 'HEAD');
    commitLinked(repo, session, 'one.txt');
    repo.variables = {};
    repo.git('reset', '--quiet');
    commitLinked(repo, session, 'two.txt');
  });

  variation(
    'a program with a window commits: PATH is bare, the hooks name the program by its path',
    (repo) => {
      repo.ready().entire('enable', '--agent', 'claude-code', '--absolute-git-hook-path');
      const session = repo.session();
      session.prompt('write one and two');
      session.edit('one.txt', 'one\n');
      session.edit('two.txt', 'two\n');
      session.stop();
      repo.variables = { PATH: BARE };
      for (const path of ['one.txt', 'two.txt']) commitLinked(repo, session, path);
    },
  );

  variation('a program with a window commits, and no entire is to be found: the work waits', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write one and two');
    session.edit('one.txt', 'one\n');
    session.edit('two.txt', 'two\n');
    session.stop();
    repo.git('add', 'one.txt');
    const { code, stdout, stderr } = repo.run('git', ['commit', '--quiet', '-m', 'Add one'], {
      env: { PATH: BARE },
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
    commitLinked(repo, session, 'two.txt');
  });

  variation('a repository of another user, which git does not trust (safe.directory)', (repo, skip) => {
    if (process.getuid?.() !== 0) skip('only root can give a folder to another user');
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    repo.run('chown', ['-R', '65534:65534', repo.dir]);
    expect(repo.tryGit('status').stderr).toContain('dubious ownership');
    expect(session.stop().stdout).toBe('');
    session.edit('b.txt', 'two\n');
    expect(session.prompt('again').stdout).toBe('');
    expect(repo.logText()).toContain('dubious ownership');
    const refused = repo.tryEntire('status');
    expect(refused.stdout + refused.stderr).toContain('safe.directory');

    repo.git('config', '--global', '--add', 'safe.directory', repo.dir); // nothing is lost meanwhile
    expect([...repo.state(session.id).files_touched, ...repo.tracked(session.id)]).toEqual([
      'a.txt',
      'b.txt',
    ]);
    session.stop();
    commitLinked(repo, session, 'a.txt');
    commitLinked(repo, session, 'b.txt');
  });

  variation('a folder that does not tell upper from lower case', (repo, skip) => {
    const reason = withoutCase(repo);
    if (reason) skip(reason);
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('ReadMe.txt', 'one\n');
    session.reportEdit('README.TXT');
    session.stop();
    commitLinked(repo, session, 'ReadMe.txt');
  });
});

/** Moves the repository to such a folder; the reason when there is none to be had. */
function withoutCase(repo: TestRepo): string | undefined {
  const isFolded = (dir: string): boolean => {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'probe'), '');
    const found = existsSync(join(dir, 'PROBE'));
    rmSync(join(dir, 'probe'));
    return found;
  };
  if (isFolded(repo.dir)) return undefined; // macOS, Windows
  const dir = mkdtempSync(join(repo.scratch, 'folded-'));
  const mounted = repo.run('mount', ['-t', 'tmpfs', '-o', 'size=64m,casefold', 'tmpfs', dir]);
  if (mounted.code !== 0) return `no such file system can be mounted here: ${mounted.stderr.trim()}`;
  repo.onRemove(() => repo.run('umount', [dir]));
  repo.dir = join(dir, 'repo');
  mkdirSync(repo.dir);
  repo.run('chattr', ['+F', repo.dir]);
  return isFolded(repo.dir) ? undefined : 'the mounted file system tells upper from lower case';
}
