import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addWork, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

variation(
  'nothing is recorded while it is paused, and nobody is told to commit what an agent is at',
  (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    const lines = () => repo.entire('status').stdout.trimEnd().split('\n');
    expect(lines().at(-2)).toBe('An agent is at work in this worktree.');
    expect(lines()).toContain('Recording: Claude Code');
    session.stop();
    expect(lines().at(-2)).toMatch(/^Next: commit, review/);
    repo.entire('pause');
    const paused = lines();
    expect(paused[1]).toMatch(/^Paused: nothing here is recorded/);
    expect(paused.join('\n')).not.toMatch(/Recording|Next/);
    repo.entire('pause', '--end');
    repo.entire('pause', '--session', session.id);
    expect(lines()).toContain('Recording: Claude Code'); // of the others
  },
);

variation('an agent that was interrupted is not at work', (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('write');
  session.edit('a.txt', 'one\n');
  const content = [{ type: 'text', text: '[Request interrupted by user for tool use]' }];
  session.write({ type: 'user', message: { role: 'user', content } });
  const { stdout } = repo.entire('status');
  expect(stdout).not.toContain('An agent is at work');
  expect(stdout).toContain('\nNext: commit, review');
});

variation('work that is in a stash is said to be there, and is nothing to commit', (repo) => {
  repo.ready();
  addWork(repo, { 'README.md': 'by the agent\n' });
  expect(repo.entire('status').stdout).toContain('Next: commit');
  repo.git('stash', '--quiet');
  const { stdout } = repo.entire('status');
  expect(stdout).toContain('\n    in a stash: README.md\n');
  expect(stdout).not.toMatch(/not committed yet|Next:/);
  expect(repo.entire('status', '--detailed').stdout).toContain('\n      in a stash: README.md\n');
  repo.git('stash', 'pop', '--quiet');
  expect(repo.entire('status').stdout).toContain('\n    not committed yet: README.md\n');
});

variation(
  'lines that somebody moved to a file of another name wait there, whatever letters they have',
  (repo) => {
    const lines = Array.from({ length: 6 }, (_, at) => `export const größe${at} = berechneGröße(${at});\n`);
    withWork(repo, { 'a.ts': lines.join('') });
    rmSync(join(repo.dir, 'a.ts'));
    repo.write('b.ts', lines.toReversed().join(''));
    expect(repo.entire('status').stdout).toContain('\n    not committed yet: b.ts\n');
  },
);
