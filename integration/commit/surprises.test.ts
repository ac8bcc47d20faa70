import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session with `a.txt` ready to be committed. */
function withWork(repo: TestRepo, path = 'a.txt') {
  repo.ready();
  const session = repo.session();
  session.prompt('create a file');
  session.edit(path, 'one\n');
  session.stop();
  return session;
}

describe('git goes its own way with a message, and we do not stand in it', () => {
  variation('an editor closed on nothing but a sign-off makes no commit', (repo) => {
    withWork(repo);
    repo.git('add', 'a.txt');
    const result = repo.run('git', ['commit', '--quiet', '-s'], { env: { GIT_EDITOR: 'true' } });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('empty commit message');
  });

  variation('an editor closed on an unedited template makes no commit', (repo) => {
    withWork(repo);
    repo.git('add', 'a.txt');
    writeFileSync(join(repo.scratch, 'template'), 'Why:\n\nHow:\n');
    repo.git('config', 'commit.template', join(repo.scratch, 'template'));
    const result = repo.run('git', ['commit', '--quiet'], { env: { GIT_EDITOR: 'true' } });
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('you did not edit the message');
  });

  variation('a subject that begins with # is linked', (repo) => {
    withWork(repo);
    expect(repo.commit('#42 fix it', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.message('HEAD')).toMatch(/^#42 fix it\n\nEntire-Checkpoint: /);
  });

  variation("the user's own trailer settings neither add nor rename", (repo) => {
    withWork(repo);
    repo.git('config', 'trailer.separators', '=#');
    repo.git('config', 'trailer.sign.key', 'Signed-off-by: ');
    repo.git('config', 'trailer.sign.command', 'echo "A <a@b>"');
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'Add a', '-m', '#123 is the issue');
    expect(repo.message('HEAD')).toMatch(/^Add a\n\n#123 is the issue\n\nEntire-Checkpoint: [0-9a-f]{12}$/);
    expect(repo.verdict().reason).toBe('linked');
  });

  variation('a hook called with a message file that has no final newline', (repo) => {
    withWork(repo);
    repo.git('add', 'a.txt');
    const file = join(repo.dir, '.git', 'COMMIT_EDITMSG');
    writeFileSync(file, 'Add a');
    repo.run('entire', ['hooks', 'git', 'prepare-commit-msg', file, 'message']);
    expect(repo.read('.git/COMMIT_EDITMSG')).toMatch(/^Add a\n\nEntire-Checkpoint: [0-9a-f]{12}\n$/);
  });

  variation("the trailer stands above git's own hints and the diff of -v", (repo) => {
    const session = withWork(repo);
    const editor = { env: { GIT_EDITOR: 'true' } };
    repo.git('add', 'a.txt');
    repo.gitWith(editor, 'commit', '--quiet', '-e', '-v', '-m', 'Add a');
    expect(repo.message('HEAD')).toMatch(/^Add a\n\nEntire-Checkpoint: [0-9a-f]{12}$/);
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Mine');
    repo.git('add', 'b.txt');
    repo.gitWith(editor, 'commit', '--quiet', '--amend', '-v');
    expect(repo.message('HEAD')).toMatch(/^Mine\n\nEntire-Checkpoint: [0-9a-f]{12}$/);
    expect(repo.verdict().reason).toBe('linked');
  });

  variation('a TMPDIR that does not exist', (repo) => {
    withWork(repo);
    repo.git('add', 'a.txt');
    repo.gitWith({ env: { TMPDIR: '/nonexistent/x' } }, 'commit', '--quiet', '-m', 'Add a');
    expect(repo.checkpointOf('HEAD')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('an agent amends a commit that was not linked, with new work', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    const session = repo.session();
    session.prompt('add to the last commit');
    session.edit('a.txt', 'one\n');
    repo.git('add', 'a.txt');
    const agent = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' };
    repo.gitWith({ env: agent }, 'commit', '--quiet', '--amend', '--no-edit');
    const id = repo.checkpointOf('HEAD') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
    expect(repo.message('HEAD')).toMatch(/^Mine\n\nEntire-Checkpoint: /);
  });
});

describe('files that are not what they were', () => {
  variation('a folder becomes a file', (repo) => {
    repo.ready();
    repo.write('d/x.txt', 'x\n').git('add', 'd');
    repo.git('commit', '--quiet', '-m', 'd');
    const session = repo.session();
    session.prompt('replace d');
    session.shell(() => {
      rmSync(join(repo.dir, 'd'), { recursive: true });
      repo.write('d', 'a file\n');
    });
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['d', 'd/x.txt'] });
    repo.git('add', '-A', 'd');
    expect(repo.commit('Replace d')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.verdict().reason).toBe('linked');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('a folder becomes a link, and is stored as one', (repo) => {
    repo.ready();
    repo.write('d/x.txt', 'x\n').write('e/x.txt', 'x\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'd');
    const session = repo.session();
    session.prompt('replace d');
    session.shell(() => {
      rmSync(join(repo.dir, 'd'), { recursive: true });
      symlinkSync('e', join(repo.dir, 'd'));
    });
    session.stop();
    expect(repo.git('ls-tree', repo.shadowBranches()[0] as string, 'd')).toMatch(/^120000 blob/);
    repo.git('add', '-A', 'd');
    expect(repo.commit('Link d')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('CRLF that git calls clean is not left over', (repo) => {
    repo.ready();
    repo.write('win.txt', 'one\r\ntwo\r\n').git('add', 'win.txt');
    repo.git('commit', '--quiet', '-m', 'win');
    repo.write('.gitattributes', '* text=auto\n').git('add', '.gitattributes');
    repo.git('commit', '--quiet', '-m', 'attributes');
    const session = repo.session();
    session.prompt('change win.txt');
    session.edit('win.txt', 'one\r\ntwo\r\nthree\r\n');
    session.stop();
    expect(repo.commit('Change win', 'win.txt')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('names that are pathspec magic', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create odd names');
    for (const name of [
      ':!x.txt',
      ':x.txt',
      '*.txt',
      'quo"te.txt',
      'back\\slash.txt',
      'ümläut.txt',
      ' lead.txt',
    ]) {
      session.edit(name, `${name}\n`);
    }
    session.stop();
    repo.git('add', '-A', '.');
    const id = repo.commit('Odd names') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toHaveLength(7);
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('a path that another way of committing took is not carried on', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a and b');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    session.stop();
    repo.git('add', 'a.txt');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Add a without hooks');
    expect(repo.commit('Add b', 'b.txt')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    repo.write('a.txt', 'by hand\n');
    expect(repo.commit('By hand', 'a.txt')).toBeUndefined();
  });
});
