import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

const dry = (repo: TestRepo, ...args: string[]) => repo.tryEntire('undo', '--dry-run', ...args);

/** Runs a command as it was printed. */
function asPrinted(repo: TestRepo, command: string | undefined): string {
  expect(command).toMatch(/^entire /);
  const { code, stdout, stderr } = repo.run('sh', ['-c', command as string]);
  expect(code, `${command}: ${stderr}`).toBe(0);
  return stdout;
}
const hintOf = (text: string): string | undefined => /^To reverse this: (.*)$/m.exec(text)?.[1];

describe('undo with several sessions in a worktree', () => {
  variation('takes the newest turn, whichever session it was', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'one.txt': 'one\n' });
    one.end();
    repo.commit('One', 'one.txt');
    const two = addWork(repo, { 'two.txt': 'two\n' });
    addWork(repo, { 'README.md': 'one, again\n' }, one); // idle, and not over
    const { stdout, stderr } = repo.entire('undo');
    expect(stderr).toBe('');
    expect(stdout).toContain(`Undoing: Write README.md (1 file, just now) [session ${one.id}]\n`);
    expect([repo.read('README.md'), repo.exists('two.txt')]).toEqual(['# demo\n\nbase line\n', true]);
    expect(repo.entire('undo').stdout).toContain(`[session ${two.id}]`);
    repo.entire('undo');
    expect([repo.exists('two.txt'), repo.exists('one.txt')]).toEqual([false, false]);
    expect(repo.tryEntire('undo').stderr).toContain('nothing to undo in this worktree');
    for (const path of ['one.txt', 'two.txt']) {
      repo.entire('redo');
      expect(repo.exists(path)).toBe(true);
    }
    repo.entire('redo');
    expect(repo.read('README.md')).toBe('one, again\n');
  });

  variation('several steps over sessions, what a dry run says of them, and all of them back', (repo) => {
    repo.ready();
    const text = (top: string, end: string) => `${top}\n${'-\n'.repeat(10)}${end}\n`;
    repo.write('both.txt', text('top', 'end'));
    repo.commit('Both', 'both.txt');
    const before = viewOf(repo.dir);
    const one = addWork(repo, { 'both.txt': text('ONE', 'end') });
    addWork(repo, { 'both.txt': text('ONE', 'TWO'), 'two.txt': 'two\n' });
    addWork(repo, { 'both.txt': text('ONE ONE', 'TWO') }, one);
    const after = viewOf(repo.dir);
    const planned = JSON.parse(dry(repo, '--steps', '3', '--json').stdout);
    expect(planned.steps).toHaveLength(3);
    expect(planned.files).toEqual([
      { path: 'both.txt', outcome: 'restored' },
      { path: 'two.txt', outcome: 'deleted' },
    ]);
    expect(viewOf(repo.dir)).toEqual(after);
    const { stdout } = repo.entire('undo', '--steps', '3');
    expect(viewOf(repo.dir)).toEqual(before);
    expect(hintOf(stdout)).toBe('entire redo --steps 3');
    const redone = asPrinted(repo, hintOf(stdout));
    expect(viewOf(repo.dir)).toEqual(after);
    asPrinted(repo, hintOf(redone));
    expect(viewOf(repo.dir)).toEqual(before);
  });

  variation(
    'a program hears of each file what was done to it, whatever the next session made of it',
    (repo) => {
      repo.ready();
      addWork(repo, { 'gone.txt': 'one\n', 'both.txt': 'one\n' });
      repo.git('stash', 'push', '--quiet', '--include-untracked');
      addWork(repo, { 'gone.txt': 'two\n' });
      const { files } = JSON.parse(repo.tryEntire('undo', '--steps', '2', '--json').stdout);
      expect(files).toContainEqual({ path: 'gone.txt', outcome: 'deleted' });
      expect(repo.exists('gone.txt')).toBe(false);
    },
  );

  variation('asks only where another one is in the middle of a turn', (repo) => {
    repo.ready();
    const [one, two] = [addWork(repo, { 'one.txt': 'one\n' }), addWork(repo, { 'two.txt': 'two\n' })];
    one.prompt('go on');
    const { code, stderr } = dry(repo);
    expect(code).toBe(2);
    expect(stderr).toContain('another session is in the middle of a turn');
    expect(stderr).toContain(`Say which: entire undo --session ${two.id} --dry-run`);
    expect(stderr).toContain(`${one.id}  Claude Code  just now  Write one.txt`);
    one.stop();
    expect(dry(repo).stdout).toContain('two.txt');
    two.prompt('go on'); // what it does is the newest, and asked for
    two.edit('three.txt', 'three\n');
    expect(repo.entire('undo').stdout).toContain('three.txt');
    expect(repo.exists('two.txt')).toBe(true);
  });

  variation('does not wait for a turn that an error or the user ended, of which no hook tells', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'one.txt': 'one\n' });
    one.prompt('go on');
    one.edit('more.txt', 'more\n');
    const content = [{ type: 'text', text: 'API Error: 529 Overloaded' }];
    one.write({ type: 'assistant', isApiErrorMessage: true, message: { role: 'assistant', content } });
    const two = addWork(repo, { 'two.txt': 'two\n' });
    const list = repo.entire('undo', '--list').stdout;
    expect(list).toContain('broken off');
    expect(list).not.toContain('not over yet');
    expect(repo.entire('undo').stdout).toContain(`[session ${two.id}]`);
    expect(repo.entire('undo').stdout).toContain('more.txt');
  });

  variation('asks where the work of another one lies later on the same lines', (repo) => {
    repo.ready();
    const [one, two] = [repo.session(), repo.session()];
    one.prompt('one');
    one.edit('README.md', 'one\n');
    addWork(repo, { 'README.md': 'two\n' }, two);
    one.edit('one.txt', 'one\n');
    one.stop();
    const { code, stderr } = repo.tryEntire('undo');
    expect(code).toBe(2);
    expect(stderr).toContain('another session wrote on the same lines later (README.md)');
    expect(stderr).toContain(`Say which: entire undo --session ${two.id}`);
    expect([repo.read('README.md'), repo.exists('one.txt')]).toEqual(['two\n', true]);
    asPrinted(repo, `entire undo --session ${two.id}`);
    repo.entire('undo');
    expect([repo.read('README.md'), repo.exists('one.txt')]).toEqual(['# demo\n\nbase line\n', false]);
  });

  variation('one list of all, newest first, and of one with --session; redo lists its own', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'one.txt': '1\n2\n3\n' });
    const two = addWork(repo, { 'README.md': '# demo\n\nanother line\n', 'two.txt': 'two\n' });
    const rows = repo.entire('undo', '--list').stdout.trimEnd().split('\n');
    expect(rows).toEqual([
      'What can be undone, the newest first:',
      `    1  just now  Claude Code  Write README.md and two.txt`,
      `       ${two.id.slice(0, 8)}:1  2 files: README.md, two.txt, +2 -1`,
      `    2  just now  Claude Code  Write one.txt`,
      `       ${one.id.slice(0, 8)}:1  1 file: one.txt, +3 -0`,
    ]);
    expect(repo.entire('redo', '--list').stdout).toBe(
      'Nothing to redo.\n2 steps can be undone: entire undo --list\n',
    );
    const narrowed = repo.entire('undo', '--list', '--session', one.id).stdout;
    expect(narrowed).toContain('one.txt');
    expect(narrowed).not.toContain('two.txt');
    repo.entire('undo');
    const redo = repo.entire('redo', '--list').stdout;
    expect(redo).toContain('What was undone and can be redone');
    expect(redo).toContain('2 files: README.md, two.txt, +2 -1');
    expect(redo).not.toContain('one.txt');
    const { session_id, undo, redo: undone } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    expect(session_id).toBe(null);
    expect(undo).toMatchObject([
      { session_id: one.id, agent: 'Claude Code', files: ['one.txt'], lines: { added: 3, removed: 0 } },
    ]);
    expect(undone).toMatchObject([{ session_id: two.id }]);
    expect(repo.entire('undo', '--list', '--steps', '1').stdout).not.toContain('not shown');
  });

  variation(
    'a step of which undo left a file is listed no more: the first of the list is what it takes next',
    (repo) => {
      repo.ready();
      const one = addWork(repo, { 'b.txt': 'b\n' });
      addWork(repo, { 'a.txt': 'a\n', 'c.txt': 'c\n' }, one);
      repo.write('a.txt', 'mine\n');
      expect(repo.tryEntire('undo').code).toBe(1);
      const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
      expect(undo.map(({ files }: { files: string[] }) => files)).toEqual([['b.txt']]);
      expect(repo.entire('undo', '--list').stdout).not.toContain('0 files');
      expect(repo.entire('undo', '--list').stdout).toContain('b.txt');
      repo.entire('undo', '--files', 'a.txt', '--force');
      expect([repo.exists('a.txt'), repo.exists('b.txt')]).toEqual([false, true]);
      repo.entire('undo');
      expect(repo.exists('b.txt')).toBe(false);
    },
  );

  variation('a long list names the command that shows the rest', (repo) => {
    repo.ready();
    const session = repo.session();
    for (let n = 1; n <= 22; n++) addWork(repo, { 'a.txt': `${n}\n` }, session);
    const list = repo.entire('undo', '--list').stdout;
    const command = /2 older ones not shown: (.*)$/m.exec(list)?.[1];
    const whole = asPrinted(repo, command);
    expect(whole.match(/^ +\d+ {2}/gm)).toHaveLength(22);
    expect(whole).not.toContain('not shown');
  });
});

describe('the command that takes something back', () => {
  variation('does just that, as it is printed', (repo) => {
    repo.ready();
    const [one, two] = [addWork(repo, { 'one.txt': 'one\n' }), addWork(repo, { 'two.txt': 'two\n' })];
    const whole = viewOf(repo.dir);
    for (const args of [['--session', one.id], ['--session', two.id], ['--steps', '2'], []]) {
      const undone = repo.entire('undo', ...args).stdout;
      const without = viewOf(repo.dir);
      const redone = asPrinted(repo, hintOf(undone));
      expect(viewOf(repo.dir)).toEqual(whole);
      asPrinted(repo, hintOf(redone));
      expect(viewOf(repo.dir)).toEqual(without);
      repo.entire('redo', ...(args[0] === '--steps' ? args : []));
      expect(viewOf(repo.dir)).toEqual(whole);
    }
  });

  variation('of a part of an older step', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    addWork(repo, { 'c.txt': 'c\n' }, one);
    const whole = viewOf(repo.dir);
    const undone = repo.entire('undo', '--files', 'a.txt').stdout;
    const redone = asPrinted(repo, hintOf(undone));
    expect(viewOf(repo.dir)).toEqual(whole);
    const command = hintOf(redone);
    if (command !== undefined) asPrinted(repo, command);
    if (command !== undefined) expect(repo.exists('c.txt')).toBe(true);
  });

  variation('of a rewind with another session that worked since', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': '1\n' });
    addWork(repo, { 'a.txt': '2\n' }, one);
    const two = addWork(repo, { 'two.txt': 'two\n' });
    two.prompt('go on'); // it would be asked
    const before = viewOf(repo.dir);
    const points = JSON.parse(repo.entire('rewind', '--list').stdout) as { id: string; message: string }[];
    const step = points.findLast(({ message }) => message === 'Write a.txt');
    const { stderr } = repo.entire('rewind', '--to', step?.id as string);
    expect(repo.read('a.txt')).toBe('1\n');
    asPrinted(repo, hintOf(stderr));
    expect(viewOf(repo.dir)).toEqual(before);
  });

  variation('by force names the session', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': 'one\n', 'one.txt': 'one\n' });
    addWork(repo, { 'b.txt': 'b\n' });
    repo.write('a.txt', 'mine\n');
    const { stderr } = repo.tryEntire('undo', '--session', one.id);
    const command = /`(.*)` takes the earlier version/.exec(stderr)?.[1];
    expect(command).toBe(`entire undo --session ${one.id} --files a.txt --force`);
    asPrinted(repo, command);
    expect([repo.exists('a.txt'), repo.exists('b.txt')]).toEqual([false, true]);
  });

  variation('by force names the session whose file was left, and no other', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'one.txt': 'one\n' });
    addWork(repo, { 'two.txt': 'two\n' });
    repo.write('one.txt', 'mine\n');
    const { code, stderr } = repo.tryEntire('undo', '--steps', '2');
    expect([code, repo.exists('two.txt'), repo.read('one.txt')]).toEqual([1, false, 'mine\n']);
    expect(stderr).toContain(`\`entire undo --session ${one.id} --files one.txt --force\``);
  });

  variation('tells what was done where the next session cannot be had', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'one.txt': 'one\n' });
    addWork(repo, { 'two.txt': 'two\n' });
    const lock = join(repo.commonDir, 'entire-sessions', `${one.id}.lock`);
    mkdirSync(lock);
    writeFileSync(join(lock, `pid-${process.pid}`), '');
    const { code, stdout, stderr } = repo.tryEntire('undo', '--steps', '2');
    rmSync(lock, { recursive: true });
    expect([code, repo.exists('two.txt'), repo.exists('one.txt')]).toEqual([1, false, true]);
    expect(stdout).toContain('deleted   two.txt');
    expect(asPrinted(repo, hintOf(stdout))).toContain('two.txt');
    expect(stderr).toContain(`${one.id}.lock`);
  });

  variation('a session may stand alone, as every list shows it; a file may not', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'one.txt': 'one\n' });
    addWork(repo, { 'two.txt': 'two\n' });
    const short = one.id.slice(0, 8);
    expect(repo.entire('undo', short).stdout).toMatch(/deleted +one\.txt/);
    expect([repo.exists('one.txt'), repo.exists('two.txt')]).toEqual([false, true]);
    repo.entire('redo', short);
    expect(JSON.parse(repo.entire('files', short, '--json').stdout).session_id).toBe(one.id);
    for (const [args, code, message] of [
      [
        ['two.txt'],
        2,
        'Error: two.txt is a file, not a session or a turn\nHint: For files: entire undo --files ',
      ],
      [[short, '--session', one.id], 2, 'the session is named twice'],
    ] as const) {
      const refused = repo.tryEntire('undo', ...args);
      expect(refused, args.join(' ')).toMatchObject({ code, stderr: expect.stringContaining(message) });
    }
    expect([repo.read('one.txt'), repo.read('two.txt')]).toEqual(['one\n', 'two\n']);
  });
});
