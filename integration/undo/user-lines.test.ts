import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { viewOf } from '../support/undo/view.ts';

const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
const text = (changes: Record<number, string> = {}) =>
  `${lines.map((line, at) => changes[at] ?? line).join('\n')}\n`;

function withFile(repo: TestRepo) {
  repo.ready();
  repo.write('f.txt', text());
  repo.commit('F', 'f.txt');
  const session = repo.session();
  session.prompt('change it');
  return session;
}

const shellDiff = (filePath: string, lines: readonly string[], created = false) => ({
  bashEditDiff: {
    files: [{ filePath, hunks: [{ lines }], ...(created && { created }) }],
    moreFiles: 0,
    changedFiles: [filePath],
  },
});

describe('what the user writes into a file in the turn of an agent', () => {
  variation('stays: a file that the agent made is left and named, until it is taken by force', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('n.txt', 'by the agent\n');
    appendFileSync(join(repo.dir, 'n.txt'), 'mine\n');
    session.stop();
    expect(repo.tryEntire('undo', '--dry-run').stdout).toContain(
      'left      n.txt: it was not there before, and was changed since',
    );
    const { code, stderr } = repo.tryEntire('undo');
    expect([code, stderr]).toEqual([1, expect.stringContaining('entire undo --files n.txt --force')]);
    expect(repo.read('n.txt')).toBe('by the agent\nmine\n');
    repo.entire('undo', '--files', 'n.txt', '--force');
    expect(repo.exists('n.txt')).toBe(false);
    repo.entire('redo');
    expect(repo.read('n.txt')).toBe('by the agent\nmine\n');
  });

  variation('stays, far from the lines of the agent, and comes back with them', (repo) => {
    const session = withFile(repo);
    session.edit('f.txt', text({ 2: 'agent' }));
    repo.write('f.txt', text({ 2: 'agent', 15: 'user' }));
    session.stop();
    expect(repo.entire('undo').stdout).toContain('  merged    f.txt');
    expect(repo.read('f.txt')).toBe(text({ 15: 'user' }));
    repo.entire('redo');
    expect(repo.read('f.txt')).toBe(text({ 2: 'agent', 15: 'user' }));
  });

  variation(
    'stays directly above, below and between lines of the agent, as long as each line is of one',
    (repo) => {
      const session = withFile(repo);
      const own = (changes: Record<number, string>): string => text({ 2: 'line 2', ...changes });
      session.edit('f.txt', own({ 2: 'agent', 5: 'line 5\nagent, too', 9: 'third' }));
      session.stop();
      for (const [mine, left] of [
        [
          own({ 2: 'above\nagent', 5: 'line 5\nagent, too\nbelow', 9: 'third' }),
          own({ 2: 'above\nline 2', 5: 'line 5\nbelow' }),
        ],
        [
          own({ 1: 'mine', 2: 'agent', 3: 'mine', 5: 'line 5\nagent, too', 9: 'third', 10: 'mine' }),
          own({ 1: 'mine', 3: 'mine', 10: 'mine' }),
        ],
        [
          own({ 2: 'agent', 5: 'line 5\nagent, too', 9: 'third', 19: 'line 19\nno end' }).trimEnd(),
          own({ 19: 'line 19\nno end' }).trimEnd(),
        ],
      ] as const) {
        repo.write('f.txt', mine);
        expect(repo.entire('undo').stdout).toContain('  merged    f.txt');
        expect(repo.read('f.txt')).toBe(left);
        repo.entire('redo');
        expect(repo.read('f.txt')).toBe(mine);
      }
      // Between two lines of the agent, and on one of them, nobody knows.
      for (const mine of [
        own({ 2: 'agent', 5: 'line 5\nagent, and me', 9: 'third' }),
        own({ 2: 'agent', 3: 'mine', 5: 'line 5', 9: 'mine' }),
      ]) {
        repo.write('f.txt', mine);
        expect(repo.tryEntire('undo').stdout).toContain('  left      f.txt');
        expect(repo.read('f.txt')).toBe(mine);
      }
    },
  );

  variation('stays directly below a line of the agent, with the line ends of Windows', (repo) => {
    repo.ready();
    repo.write('w.txt', 'one\r\ntwo\r\n').commit('W', 'w.txt');
    const session = repo.session();
    session.prompt('add a line');
    session.edit('w.txt', 'one\r\ntwo\r\nagent\r\n');
    session.stop();
    repo.write('w.txt', 'one\r\ntwo\r\nagent\r\nmine\r\n');
    expect(repo.entire('undo').stdout).toContain('  merged    w.txt');
    expect(repo.read('w.txt')).toBe('one\r\ntwo\r\nmine\r\n');
    repo.entire('redo');
    expect(repo.read('w.txt')).toBe('one\r\ntwo\r\nagent\r\nmine\r\n');
  });

  variation('stays on lines of its own: a last line without an end is not run into it', (repo) => {
    repo.ready();
    repo.write('f.txt', 'a\nb2').commit('F', 'f.txt');
    const session = repo.session();
    session.prompt('change the last line');
    session.edit('f.txt', 'a\nb\n');
    session.stop();
    repo.write('f.txt', 'a\nb\nc\n');
    expect(repo.tryEntire('undo').stdout).toContain('  left      f.txt');
    expect(repo.read('f.txt')).toBe('a\nb\nc\n');
  });

  variation(
    'stays with other line ends than git keeps: what it was made into is not lost in a merge',
    (repo) => {
      repo.ready().write('.gitattributes', '* text=auto\n').write('f.txt', 'one\ntwo\n');
      repo.commit('Text', '.gitattributes', 'f.txt');
      const session = repo.session();
      session.prompt('add a line');
      session.edit('f.txt', 'one\ntwo\nagent\n');
      session.stop();
      const mine = 'one\r\ntwo\r\nagent\r\nmine\r\n';
      repo.write('f.txt', mine);
      expect(repo.tryEntire('undo').stdout).toContain('  left      f.txt');
      expect(repo.read('f.txt')).toBe(mine);
    },
  );

  variation('stays, between edits of the agent as well, which had read it', (repo) => {
    const session = withFile(repo);
    session.edit('f.txt', text({ 2: 'agent' }));
    repo.write('f.txt', text({ 2: 'agent', 10: 'user' }));
    session.hook('post-file-read', 'PostToolUse-Read', {
      tool_input: { file_path: join(repo.dir, 'f.txt') },
    });
    session.edit('f.txt', text({ 2: 'agent', 10: 'user', 17: 'agent, too' }));
    session.edit('f.txt', text({ 2: 'agent', 10: 'user', 17: 'agent, as well' }));
    session.stop();
    const after = viewOf(repo.dir);
    repo.entire('undo');
    expect(repo.read('f.txt')).toBe(text({ 10: 'user' }));
    repo.entire('redo');
    expect(viewOf(repo.dir)).toEqual(after);
    repo.entire('undo', '--force');
    expect(repo.read('f.txt')).toBe(text());
  });

  variation(
    'before a shell command of Claude Code stays, and is taken with what ran beside it, said',
    (repo) => {
      const session = withFile(repo);
      repo.write('f.txt', text({ 10: 'user' }));
      repo.write('f.txt', text({ 10: 'user', 12: 'shell' }));
      const hunk = [' line 11', '-line 12', '+shell', ' line 13'];
      session.hook('post-file-edit', 'PostToolUse-Bash-with-edit-diff', {
        tool_response: shellDiff(join(repo.dir, 'f.txt'), hunk),
      });
      repo.write('made.txt', 'by the shell, or by the user\n');
      session.hook('post-file-edit', 'PostToolUse-Bash-with-edit-diff', {
        tool_response: shellDiff(join(repo.dir, 'made.txt'), ['+by the shell, or by the user'], true),
      });
      session.stop();
      const dry = repo.entire('undo', '--dry-run').stdout;
      expect(dry).toContain('  merged    f.txt');
      expect(dry).toMatch(
        / {2}deleted {3}made\.txt: with what was written into it while a shell command .* ran/,
      );
      repo.entire('undo');
      expect(repo.read('f.txt')).toBe(text({ 10: 'user' }));
      repo.entire('redo');
      expect(repo.read('f.txt')).toBe(text({ 10: 'user', 12: 'shell' }));
    },
  );

  variation(
    'before its first edit stays, or the file is left where nothing says what its bytes were',
    (repo) => {
      const session = withFile(repo);
      writeFileSync(join(repo.dir, 'f.txt'), `${text()}mine\r\n`); // the client tells no line ends
      session.editWithoutHook('f.txt', `${text({ 2: 'agent' })}mine\n`);
      const told = { tool_response: { type: 'update', originalFile: `${text()}mine\n` } };
      session.reportEdit('f.txt', told);
      session.stop();
      const { code, stdout } = repo.tryEntire('undo');
      expect([code, stdout]).toEqual([
        1,
        expect.stringContaining(
          "left      f.txt: its earlier version is known only by the agent's own account, which may not be exact",
        ),
      ]);
      expect(repo.read('f.txt')).toBe(`${text({ 2: 'agent' })}mine\n`);
      repo.entire('undo', '--files', 'f.txt', '--force');
      expect(repo.read('f.txt')).toBe(`${text()}mine\n`);
    },
  );

  variation('is what the next turn found there', (repo) => {
    const session = withFile(repo);
    session.edit('f.txt', text({ 2: 'agent' }));
    repo.write('f.txt', text({ 2: 'agent', 15: 'user' }));
    session.stop();
    session.prompt('again');
    session.edit('f.txt', text({ 2: 'agent', 8: 'again', 15: 'user' }));
    session.stop();
    repo.entire('undo');
    expect(repo.read('f.txt')).toBe(text({ 2: 'agent', 15: 'user' }));
    repo.entire('undo');
    expect(repo.read('f.txt')).toBe(text({ 15: 'user' }));
  });

  variation('cannot be told from what a shell of the agent did while it ran, which is said', (repo) => {
    const session = withFile(repo);
    session.edit('f.txt', text({ 2: 'agent' }));
    session.shell(() => repo.write('f.txt', text({ 2: 'agent', 15: 'shell, or user' })));
    session.stop();
    const said = '  restored  f.txt: with what was written into it while a shell command of the agent ran';
    expect(repo.entire('undo', '--dry-run').stdout).toContain(said);
    expect(repo.entire('undo').stdout).toContain(said);
    expect(repo.read('f.txt')).toBe(text());
  });

  variation('stays, behind the last command of a shell, and between edits without one', (repo) => {
    const session = withFile(repo);
    session.shell(() => repo.write('made.txt', 'by the shell\n'));
    session.edit('f.txt', text({ 2: 'agent' }));
    session.shell(() => repo.write('f.txt', text({ 2: 'agent', 8: 'shell' })));
    repo.write('f.txt', text({ 2: 'agent', 8: 'shell', 15: 'user' }));
    session.stop();
    expect(repo.entire('undo').stdout).toContain('  merged    f.txt');
    expect(repo.read('f.txt')).toBe(text({ 15: 'user' }));
    expect(repo.exists('made.txt')).toBe(false);
    repo.entire('redo');
    expect(repo.read('f.txt')).toBe(text({ 2: 'agent', 8: 'shell', 15: 'user' }));
  });

  variation('a file that he removed stays removed', (repo) => {
    const session = withFile(repo);
    session.edit('f.txt', text({ 2: 'agent' }));
    rmSync(join(repo.dir, 'f.txt'));
    session.stop();
    expect(repo.tryEntire('undo').stdout).toContain('left      f.txt: it was removed since');
    expect(repo.exists('f.txt')).toBe(false);
  });
});
