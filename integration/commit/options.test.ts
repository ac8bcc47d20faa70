import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, editor, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('what is committed', () => {
  variation('commit -a, in a second commit of a split and for tracked files only', (repo) => {
    const session = withWork(repo, { 'README.md': '# changed\n', 'a.txt': 'one\n' });
    repo.git('commit', '--quiet', '-a', '-m', 'Change the readme');
    const first = expectLinked(repo, session, 'README.md');
    repo.git('add', '--intent-to-add', 'a.txt');
    repo.git('commit', '--quiet', '-am', 'Add a');
    expect(expectLinked(repo, session, 'a.txt')).not.toBe(first);
  });

  variation('commit -- path takes that path and leaves what is staged', (repo) => {
    const session = withWork(repo, { 'README.md': '# changed\n', 'a.txt': 'one\n' });
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'Change the readme', '--', 'README.md');
    expectLinked(repo, session, 'README.md');
    expect(repo.git('diff', '--cached', '--name-only')).toBe('a.txt\nmine.txt');
    repo.git('commit', '--quiet', '-m', 'Mine', '--', 'mine.txt');
    expectNotLinked(repo, 'no-overlap');
    repo.git('commit', '--quiet', '--include', '-m', 'Add a', '--', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('a human commit -a in mid-turn, before any stop', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('change the readme');
    session.edit('README.md', '# changed\n');
    repo.git('commit', '--quiet', '-am', 'Change the readme');
    expectLinked(repo, session, 'README.md');
  });

  variation('--allow-empty holds nothing and is not linked, whoever commits but the agent', (repo) => {
    const session = withWork(repo);
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Empty');
    expectNotLinked(repo, 'no-overlap');
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
  });

  variation('--no-verify skips our commit-msg, not the link', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '--no-verify', '-m', 'Add a');
    expectLinked(repo, session, 'a.txt');
  });

  variation('--fixup and --squash are linked by what they hold; autosquash keeps one link', (repo) => {
    const session = withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    for (const kind of ['fixup', 'squash']) {
      addWork(repo, { 'a.txt': `${kind}\n` }, session);
      repo.git('commit', '--quiet', '-a', `--${kind}=HEAD`, '--no-edit');
      expectLinked(repo, session, 'a.txt');
      expect(repo.message('HEAD')).toMatch(new RegExp(`^${kind}! .*\n\nEntire-Checkpoint: `));
    }
    const env = { GIT_SEQUENCE_EDITOR: 'true', GIT_EDITOR: 'true' };
    repo.gitWith({ env }, 'rebase', '--quiet', '-i', '--autosquash', 'HEAD~3');
    expect(repo.message('HEAD')).toContain(`Entire-Checkpoint: ${id}`);
    expect(repo.verdict().reason).toBe('sequence');
  });
});

describe('who, when and where', () => {
  variation('--author and --date do not matter', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'Add a', '--author=Eve <eve@x.org>', '--date=2020-01-01T00:00:00Z');
    expectLinked(repo, session, 'a.txt');
    expect(repo.git('log', '-1', '--format=%an %at')).toBe('Eve 1577836800');
  });

  variation('in a sub-directory, with paths relative to it', (repo) => {
    const session = withWork(repo, { 'sub/a.txt': 'one\n', 'b.txt': 'two\n' });
    const cwd = join(repo.dir, 'sub');
    repo.git('add', '.');
    repo.gitWith({ cwd }, 'commit', '--quiet', '-m', 'Add a', 'a.txt');
    expectLinked(repo, session, 'sub/a.txt');
    repo.gitWith({ cwd }, 'commit', '--quiet', '-m', 'Add b');
    expectLinked(repo, session, 'b.txt');
  });

  variation('from elsewhere: git -C, --git-dir with --work-tree, GIT_DIR', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const cwd = repo.scratch;
    repo.git('add', '.');
    repo.gitWith({ cwd }, '-C', repo.dir, 'commit', '--quiet', '-m', 'Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    const places = [`--git-dir=${repo.dir}/.git`, `--work-tree=${repo.dir}`];
    repo.gitWith({ cwd: repo.dir }, ...places, 'commit', '--quiet', '-m', 'Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
    const env = { GIT_DIR: join(repo.dir, '.git'), GIT_WORK_TREE: repo.dir };
    repo.gitWith({ cwd, env }, 'commit', '--quiet', '-m', 'Add c');
    expectLinked(repo, session, 'c.txt');
  });

  variation('signed with an ssh key', (repo) => {
    const session = withWork(repo);
    mkdirSync(join(repo.home, '.ssh'));
    const key = join(repo.home, '.ssh', 'id');
    const made = repo.run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    expect(made.code, made.stderr).toBe(0);
    writeFileSync(join(repo.home, 'allowed'), `ada@example.com ${repo.run('cat', [`${key}.pub`]).stdout}`);
    for (const [name, value] of [
      ['gpg.format', 'ssh'],
      ['user.signingKey', key],
      ['gpg.ssh.allowedSignersFile', join(repo.home, 'allowed')],
      ['commit.gpgSign', 'true'],
      ['log.showSignature', 'true'], // would stand between the lines we read
    ] as const)
      repo.git('config', name, value);
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'Add a');
    const id = repo.git(
      'log',
      '-1',
      '--no-show-signature',
      '--format=%(trailers:key=Entire-Checkpoint,valueonly)',
    );
    expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id.trim(), sessions: [session.id] });
    expect(repo.run('git', ['verify-commit', 'HEAD']).code).toBe(0);
    repo.git('commit', '--quiet', '--amend', '-m', 'Add the letter a');
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id.trim() });
    expect(repo.run('git', ['verify-commit', 'HEAD']).code).toBe(0);
  });
});

describe('an editor', () => {
  const add = (text: string) => `(echo "${text}"; cat "$1") > "$1.new" && mv "$1.new" "$1"`;

  scenario('with our line left in: linked; the comments are gone', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    repo.gitWith({ env: { GIT_EDITOR: editor(repo, add('Add a')) } }, 'commit', '--quiet');
    const id = expectLinked(repo, session, 'a.txt');
    expect(repo.message('HEAD')).toBe(`Add a\n\nEntire-Checkpoint: ${id}`);
  });

  variation('with our line taken out: the work waits, and the next turn’s commit has all of it', (repo) => {
    const session = withWork(repo);
    repo.git('add', 'a.txt');
    const GIT_EDITOR = editor(repo, `sed -i -e /^Entire-Checkpoint/d "$1"; ${add('Add a')}`);
    repo.gitWith({ env: { GIT_EDITOR } }, 'commit', '--quiet');
    expectNotLinked(repo, 'trailer-missing');
    expect(repo.tryGit('rev-parse', '--verify', '-q', 'entire/checkpoints/v1:metadata.json').code).not.toBe(
      0,
    );
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['a.txt'] });
    addWork(repo, { 'a.txt': 'one\ntwo\n' }, session);
    repo.commit('Change a', 'a.txt');
    const id = expectLinked(repo, session, 'a.txt');
    expect(repo.stored(id, '0/prompt.txt').split('\n\n---\n\n')).toHaveLength(2);
  });

  variation('core.commentChar ;: comments are comments, and #42 is none', (repo) => {
    const session = withWork(repo);
    repo.git('config', 'core.commentChar', ';');
    repo.git('add', 'a.txt');
    const abort = repo.run('git', ['commit', '--quiet'], { env: { GIT_EDITOR: 'true' } });
    expect(abort.stderr).toContain('empty commit message');
    repo.gitWith({ env: { GIT_EDITOR: editor(repo, add('#42 add a')) } }, 'commit', '--quiet', '-v');
    const id = expectLinked(repo, session, 'a.txt');
    expect(repo.message('HEAD')).toBe(`#42 add a\n\nEntire-Checkpoint: ${id}`);
  });

  variation('core.commentChar auto: git chooses one that the message does not have', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
    repo.git('config', 'core.commentChar', 'auto');
    repo.git('add', 'a.txt');
    for (const typed of [':', add('#42 is a comment here')]) {
      const env = { GIT_EDITOR: editor(repo, typed) };
      expect(repo.run('git', ['commit', '--quiet'], { env }).stderr).toContain('empty commit message');
    }
    repo.gitWith({ env: { GIT_EDITOR: editor(repo, add('Add a')) } }, 'commit', '--quiet');
    expectLinked(repo, session, 'a.txt');
    repo.git('add', 'b.txt');
    repo.gitWith({ env: { GIT_EDITOR: 'true' } }, 'commit', '--quiet', '-e', '-m', '#42 add b');
    const id = expectLinked(repo, session, 'b.txt');
    expect(repo.message('HEAD')).toBe(`#42 add b\n\nEntire-Checkpoint: ${id}`);
  });

  variation('commit.verbose: the diff below the scissors is no message', (repo) => {
    const session = withWork(repo, { 'a.txt': 'Entire-Checkpoint: 0123456789ab\n' });
    repo.git('config', 'commit.verbose', 'true');
    repo.git('add', 'a.txt');
    const abort = repo.run('git', ['commit', '--quiet'], { env: { GIT_EDITOR: 'true' } });
    expect(abort.stderr).toContain('empty commit message');
    repo.gitWith({ env: { GIT_EDITOR: editor(repo, add('Add a')) } }, 'commit', '--quiet');
    expect(expectLinked(repo, session, 'a.txt')).not.toBe('0123456789ab');
  });
});
