import { appendFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** So long that nobody takes what happens before and after it for one. */
const atRest = () => new Promise((resolve) => setTimeout(resolve, 1_300));

function begun(repo: TestRepo) {
  repo.ready();
  for (const path of ['f.txt', 'mine.txt', 'seed.txt']) repo.write(path, 'here before\n');
  repo.commit('Here before', 'f.txt', 'mine.txt', 'seed.txt');
  const session = repo.session();
  session.prompt('change it');
  return session;
}

describe('a file that the user writes while no tool of the agent is at work', () => {
  variation('is left and named, where a shell of the agent ran in the turn as well', async (repo) => {
    const session = begun(repo);
    session.shell(() => repo.write('both.txt', 'by the shell\n'));
    await atRest();
    repo.write('notes.txt', 'mine\n');
    repo.write('mine.txt', 'mine, too\n');
    repo.write('made.txt', 'mine, and then of the shell\n');
    appendFileSync(join(repo.dir, 'both.txt'), 'and mine\n');
    await atRest();
    session.shell(() => {
      repo.write('made.txt', 'by the shell\n');
      repo.write('shell.txt', 'by the shell\n');
      rmSync(join(repo.dir, 'seed.txt'));
    });
    session.edit('f.txt', 'by the agent\n');
    session.stop();
    const left = (path: string) =>
      `  left      ${path}: it changed during the turn, and no tool of the agent says so: name it with --files`;
    const doubt = ': no tool says who wrote it: a shell command of the agent, or you';
    const lines = repo.entire('diff', '--stat').stdout.split('\n');
    const unsure = (path: string) =>
      `    Not sure: ${path}: it changed during the turn, and no tool of the agent says so`;
    expect(lines).toEqual(expect.arrayContaining(['both.txt', 'mine.txt', 'notes.txt'].map(unsure)));
    expect(lines).not.toContain(unsure('shell.txt'));
    const { code, stdout } = repo.tryEntire('undo');
    expect([code, ...stdout.split('\n').filter((line) => line.startsWith('  '))]).toEqual([
      1,
      left('both.txt'),
      '  restored  f.txt',
      `  deleted   made.txt${doubt}`,
      left('mine.txt'),
      left('notes.txt'),
      `  created   seed.txt${doubt}`,
      `  deleted   shell.txt${doubt}`,
    ]);
    expect([repo.read('notes.txt'), repo.read('mine.txt')]).toEqual(['mine\n', 'mine, too\n']);
    repo.entire('undo', '--files', 'notes.txt');
    expect(repo.exists('notes.txt')).toBe(false);
    repo.entire('redo');
    expect(repo.read('notes.txt')).toBe('mine\n');
  });

  for (const [what, answer, command] of [
    ['goes on in the background', {}, { command: 'true', run_in_background: true }],
    ['started something that goes on', {}, { command: 'npm start > log 2>&1 & sleep 1' }],
    ['was moved there by the client', { backgroundTaskId: 'b1' }, { command: 'npm start' }],
  ] as const)
    variation(`cannot be told from that of a command that ${what}`, async (repo) => {
      const session = begun(repo);
      session.tool('Bash', command, { answer });
      session.hook('post-file-edit', 'PostToolUse-Bash');
      await atRest();
      repo.write('notes.txt', 'mine, or not\n');
      session.stop();
      expect(repo.entire('undo').stdout).toContain('  deleted   notes.txt: no tool says who wrote it');
    });

  variation('cannot be told where a shell moved its folder, or set its time', async (repo) => {
    const session = begun(repo);
    repo.write('old/a.txt', 'a\n');
    repo.commit('Old', 'old');
    await atRest();
    session.prompt('move');
    session.shell(() => renameSync(join(repo.dir, 'old'), join(repo.dir, 'new')));
    await atRest();
    session.edit('new/b.txt', 'b\n');
    session.shell(() => {
      renameSync(join(repo.dir, 'new'), join(repo.dir, 'newest'));
      repo.write('dated.txt', 'by the shell\n');
      utimesSync(join(repo.dir, 'dated.txt'), 1, 1);
    });
    await atRest();
    repo.write('late.txt', 'mine\n');
    utimesSync(join(repo.dir, 'late.txt'), 1, 1);
    session.stop();
    const { stdout } = repo.tryEntire('undo');
    expect(stdout.split('\n').filter((line) => line.startsWith('  left'))).toEqual([
      expect.stringContaining('late.txt: it changed during the turn'),
    ]);
    expect([repo.exists('newest'), repo.exists('dated.txt'), repo.read('old/a.txt')]).toEqual([
      false,
      false,
      'a\n',
    ]);
  });
});
