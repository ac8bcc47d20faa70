import { expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario } from '../support/repository/scenario.ts';

scenario('--absolute tells the day and the minute wherever it was told how long ago', (repo) => {
  repo.ready();
  const session = repo.session();
  addWork(repo, { 'a.txt': 'a\n' }, session);
  for (const command of [
    'status',
    'undo --list',
    'files',
    'log',
    'worktree list',
    'session list --no-commits',
  ]) {
    const args = command.split(' ');
    const [usual, absolute] = [repo.entire(...args), repo.entire(...args, '--absolute')];
    expect(usual.stdout, command).not.toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(absolute.stdout, command).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(absolute.stdout, command).not.toMatch(/just now|ago/);
  }
});
