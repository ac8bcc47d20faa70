import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import { expectUndone } from '../support/undo/view.ts';

const LINES = '1\n2\n3\n4\n';

describe('undo of a file that was there at the prompt, and that a tool made anew where it was gone', () => {
  variation('the user went to a branch that has none of it', (repo) => {
    repo.ready();
    repo.git('checkout', '--quiet', '-b', 'topic');
    repo.write('f.txt', LINES).commit('Topic', 'f.txt');
    const session = repo.session();
    session.prompt('x');
    repo.git('checkout', '--quiet', 'main');
    session.edit('f.txt', 'agent\n');
    session.stop();
    expectUndone(repo, undefined);
  });

  for (const isShells of [false, true])
    variation(`${isShells ? 'the shell' : 'the user'} removed it`, (repo) => {
      repo.ready();
      repo.write('f.txt', LINES).commit('Begin', 'f.txt');
      const session = repo.session();
      session.prompt('x');
      if (isShells) session.deleteFile('f.txt');
      else rmSync(join(repo.dir, 'f.txt'));
      session.edit('f.txt', 'agent\n');
      session.stop();
      expectUndone(repo, LINES);
    });

  variation('others committed to it, before the shell moved it', (repo) => {
    repo.ready();
    repo.write('f.txt', LINES).commit('Begin', 'f.txt');
    const session = repo.session();
    session.prompt('x');
    session.edit('g.txt', 'agent\n');
    repo.write('f.txt', `${LINES}mine\nmine 2\n`).commit('Mine', 'f.txt');
    session.shell(() => renameSync(join(repo.dir, 'f.txt'), join(repo.dir, 'h.txt')));
    session.edit('f.txt', 'agent\n');
    session.stop();
    expectUndone(repo, `${LINES}mine\nmine 2\n`);
    expect(repo.exists('h.txt')).toBe(false);
  });

  variation('you committed what the tool made, with a line of yours: it is left, and said', (repo) => {
    repo.ready();
    repo.write('f.txt', LINES).commit('Begin', 'f.txt');
    const session = repo.session();
    session.prompt('x');
    rmSync(join(repo.dir, 'f.txt'));
    session.edit('f.txt', 'a\nb\nc\n');
    repo.write('f.txt', 'a\nb\nc\nmine\n').commit('Both', 'f.txt');
    session.stop();
    expect(repo.tryEntire('undo').stdout).toMatch(/left +f\.txt/);
    expect(repo.read('f.txt')).toBe('a\nb\nc\nmine\n');
  });
});
