import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('undo and redo', () => {
  onBothBuilds('take a turn back and bring it back: files changed, made and removed', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n').write('old.txt', 'old\n');
    repo.commit('Mine', 'mine.txt', 'old.txt');
    const session = repo.session();
    session.prompt('change things');
    session.edit('README.md', 'by the agent\n');
    session.edit('new/deep/file.txt', 'new\n');
    session.deleteFile('old.txt');
    session.stop();
    const before = repo.git('status', '--porcelain');
    const head = repo.git('rev-parse', 'HEAD');

    const { stdout } = repo.entire('undo');
    expect(stdout.split('\n')).toEqual([
      'Undoing: Change things (3 files, just now)',
      '  restored  README.md',
      '  deleted   new/deep/file.txt',
      '  created   old.txt: no tool says who wrote it: a shell command of the agent, or you',
      '',
      'To reverse this: entire redo',
      '',
    ]);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.exists('new')).toBe(false);
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);

    repo.entire('redo');
    expect(repo.git('status', '--porcelain')).toBe(before);
    expect(repo.read('README.md')).toBe('by the agent\n');
    expect(repo.read('new/deep/file.txt')).toBe('new\n');
    expect(repo.exists('old.txt')).toBe(false);
  });

  variation('what the user had not committed before the agent came back, not what HEAD has', (repo) => {
    repo.ready();
    repo.write('README.md', 'not committed\n').write('notes.txt', 'untracked\n');
    const session = repo.session();
    session.prompt('overwrite');
    session.shell(() => repo.write('README.md', 'by a shell\n').write('notes.txt', 'by a shell\n'));
    session.stop();
    repo.entire('undo');
    expect(repo.read('README.md')).toBe('not committed\n');
    expect(repo.read('notes.txt')).toBe('untracked\n');
  });

  variation('also where the agent threw the work away with git', (repo) => {
    repo.ready();
    repo.write('README.md', 'not committed\n').write('notes.txt', 'untracked\n');
    const session = repo.session();
    session.prompt('clean up');
    session.shell(() => {
      repo.git('checkout', '--', 'README.md');
      repo.git('clean', '-fdq');
    });
    session.stop();
    repo.entire('undo');
    expect(repo.read('README.md')).toBe('not committed\n');
    expect(repo.read('notes.txt')).toBe('untracked\n');
  });

  variation('several steps, and as many back', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'two\n', 'b.txt': 'b\n' }, session);
    addWork(repo, { 'a.txt': 'three\n' }, session);
    repo.entire('undo', '--steps', '2');
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['one\n', false]);
    repo.entire('undo');
    expect(repo.exists('a.txt')).toBe(false);
    expect(repo.tryEntire('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to undo'),
    });
    repo.entire('redo');
    expect(repo.read('a.txt')).toBe('one\n');
    repo.entire('redo');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['three\n', 'b\n']);
    expect(repo.tryEntire('redo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to redo'),
    });
  });

  variation('take only the change of the session out of what somebody made of it since', (repo) => {
    repo.ready();
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const text = (changes: Record<number, string>) =>
      `${lines.map((line, at) => changes[at] ?? line).join('\n')}\n`;
    repo.write('f.txt', text({}));
    repo.commit('F', 'f.txt');
    addWork(repo, { 'f.txt': text({ 2: 'agent' }) });
    repo.write('f.txt', text({ 2: 'agent', 15: 'user' }));
    expect(repo.entire('undo').stdout).toContain('  merged    f.txt');
    expect(repo.read('f.txt')).toBe(text({ 15: 'user' }));
    repo.entire('redo');
    expect(repo.read('f.txt')).toBe(text({ 2: 'agent', 15: 'user' }));
  });

  variation('leave what contradicts, say so, and take it by force', (repo) => {
    repo.ready();
    addWork(repo, { 'README.md': 'by the agent\n', 'a.txt': 'a\n' });
    repo.write('README.md', 'by the user\n');
    const result = repo.tryEntire('undo');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('left      README.md: it was changed since');
    expect(result.stderr).toContain('entire undo --files README.md --force');
    expect([repo.read('README.md'), repo.exists('a.txt')]).toEqual(['by the user\n', false]);
    repo.entire('undo', '--files', 'README.md', '--force');
    expect(repo.read('README.md')).toBe('# demo\n\nbase line\n');
    repo.entire('redo');
    expect(repo.read('README.md')).toBe('by the user\n');
  });

  variation('of one of several sessions, and of that only', (repo) => {
    repo.ready();
    const [one, two] = [repo.session(), repo.session()];
    one.prompt('one');
    two.prompt('two');
    one.edit('one.txt', 'one\n');
    two.edit('two.txt', 'two\n');
    one.edit('README.md', '# one\n\nbase line\n');
    one.stop();
    two.stop();
    repo.entire('undo', '--session', one.id);
    expect([repo.exists('one.txt'), repo.read('two.txt'), repo.read('README.md')]).toEqual([
      false,
      'two\n',
      '# demo\n\nbase line\n',
    ]);
  });

  variation('of two sessions in one file: the change of the other one stays', (repo) => {
    repo.ready();
    const text = (top: string, end: string) => `${top}\n${'-\n'.repeat(10)}${end}\n`;
    repo.write('both.txt', text('top', 'end'));
    repo.commit('Both', 'both.txt');
    const [one, two] = [repo.session(), repo.session()];
    one.prompt('one');
    two.prompt('two');
    one.edit('both.txt', text('ONE', 'end'));
    two.edit('both.txt', text('ONE', 'TWO'));
    one.stop();
    two.stop();
    repo.entire('undo', '--session', one.id);
    expect(repo.read('both.txt')).toBe(text('top', 'TWO'));
    repo.entire('undo', '--session', two.id);
    expect(repo.read('both.txt')).toBe(text('top', 'end'));
  });

  variation('a dry run says what would become of each file, and changes none', (repo) => {
    repo.ready();
    addWork(repo, { 'README.md': 'by the agent\n', 'a.txt': 'a\n' });
    const { stdout } = repo.entire('undo', '--dry-run');
    expect(stdout).toContain('Would undo: Write README.md and a.txt (2 files, just now)');
    expect(stdout).toContain('  deleted   a.txt');
    expect([repo.read('README.md'), repo.read('a.txt')]).toEqual(['by the agent\n', 'a\n']);
    expect(JSON.parse(repo.entire('undo', '--dry-run', '--json').stdout).files).toEqual([
      { path: 'README.md', outcome: 'restored' },
      { path: 'a.txt', outcome: 'deleted' },
    ]);
  });

  variation('HEAD, index, stash and branches stay as they are', (repo) => {
    repo.ready();
    addWork(repo, { 'README.md': 'by the agent\n', 'a.txt': 'a\n' });
    repo.git('add', 'a.txt');
    const look = () => [
      repo.git('ls-files', '--stage'),
      repo.git('for-each-ref'),
      repo.git('rev-parse', 'HEAD'),
      repo.git('stash', 'list'),
      repo.git('config', '--list', '--local'),
    ];
    const before = look();
    repo.entire('undo');
    expect(look()).toEqual(before);
    expect(repo.git('status', '--porcelain')).toBe('AD a.txt');
  });

  variation('from a sub-directory, whose last file goes', (repo) => {
    repo.ready();
    addWork(repo, { 'sub/only.txt': 'x\n', 'README.md': 'by the agent\n' });
    const result = repo.run('entire', ['undo'], { cwd: join(repo.dir, 'sub') });
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(statSync(join(repo.dir, 'sub')).isDirectory()).toBe(true); // somebody stands there
  });

  variation('of one session while another is in a turn: that one did not change the files', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n');
    const one = repo.session();
    one.prompt('one');
    one.shell(() => repo.write('mine.txt', 'one\n').write('one.txt', 'one\n'));
    one.stop();
    const two = repo.session();
    two.prompt('two');
    two.edit('two.txt', 'two\n');
    two.shell(() => {}); // it may have written anything
    repo.entire('undo', '--session', one.id);
    two.stop();
    const { files } = JSON.parse(repo.entire('undo', '--session', two.id, '--dry-run', '--json').stdout);
    expect(files).toEqual([{ path: 'two.txt', outcome: 'deleted' }]);
  });

  variation('a dry run in the middle of a turn leaves the turn one step', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('a.txt', 'a\n');
    expect(repo.entire('undo', '--dry-run').stdout).toContain('  deleted   a.txt');
    session.edit('b.txt', 'b\n');
    session.stop();
    expect(JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo).toHaveLength(1);
    repo.entire('undo');
    expect([repo.exists('a.txt'), repo.exists('b.txt')]).toEqual([false, false]);
  });
});
