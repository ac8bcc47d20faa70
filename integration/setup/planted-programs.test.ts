import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fakeProgram, withFeature } from '../support/command/resume.ts';
import { needsTerminal } from '../support/process/terminal.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { FIRST, toldRepo } from '../support/repository/told-repo.ts';

/** Programs of the repository's own on PATH, before all others. Each would leave a file. */
function plant(
  repo: TestRepo,
  ...names: string[]
): { env: { PATH: string }; ran: (name: string) => boolean } {
  const bin = join(repo.dir, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of names)
    writeFileSync(join(bin, name), `#!/bin/sh\ntouch '${repo.scratch}/ran-${name}'\n`, { mode: 0o755 });
  return {
    env: { PATH: `${bin}:${repo.env.PATH}` },
    ran: (name) => existsSync(join(repo.scratch, `ran-${name}`)),
  };
}

variation('programs that a repository brings are not started: a summary, an agent, a pager', (repo, skip) => {
  needsTerminal(skip);
  toldRepo(repo);
  const planted = plant(repo, 'claude', 'less', 'node');
  const summary = repo.run('entire', ['explain', '-c', FIRST, '--generate'], planted);
  expect(summary.code).toBe(1);
  expect(summary.stderr).toContain('node_modules/.bin/claude lies in this repository');
  expect(summary.stderr).toContain('Install it outside of the repository');
  // On a terminal of a few lines.
  repo.run(
    'script',
    [
      '--quiet',
      '--return',
      '--command',
      `stty rows 5; exec timeout --foreground 20 entire explain -c ${FIRST}`,
      '/dev/null',
    ],
    {
      env: { ...planted.env, TERM: 'xterm', PAGER: '' },
      input: 'q', // the pager of the machine, where it has one
    },
  );
  expect(['claude', 'less', 'node'].filter(planted.ran)).toEqual([]);
});

variation('an agent that goes on is not the one of the repository, also from another worktree', (repo) => {
  const { id } = withFeature(repo);
  const planted = plant(repo, 'claude');
  const away = join(repo.scratch, 'away');
  repo.git('worktree', 'add', '--quiet', '--detach', away);
  for (const cwd of [repo.dir, away]) {
    const refused = repo.run('entire', ['resume', id, '--exec', '--force'], { ...planted, cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('claude lies in this repository');
  }
  const own = fakeProgram(repo, 'claude');
  const PATH = `${planted.env.PATH.split(':')[0]}:${own.env.PATH}`;
  expect(repo.run('entire', ['resume', id, '--exec', '--force'], { env: { PATH } }).code).toBe(0);
  expect(own.calls()).not.toBe('');
  expect(planted.ran('claude')).toBe(false);
});

variation('git, ps and ssh are not those of the repository either, in hooks and commands', (repo) => {
  repo.ready();
  const planted = plant(repo, 'git', 'ps', 'ssh');
  repo.git('remote', 'add', 'origin', 'ssh://nowhere.invalid/x.git');
  repo.variables = { ENTIRE_TEST_TTY: '0', GIT_SSH_COMMAND: 'ssh' };
  for (const PATH of [planted.env.PATH, `:node_modules/.bin:${repo.env.PATH}`]) {
    repo.variables = { ...repo.variables, PATH };
    const session = repo.session();
    session.prompt('write a file');
    session.edit(`${session.id}.txt`, 'one\n');
    session.stop();
    const said = [['status'], ['explain'], ['doctor'], ['rewind', '--list']].map((args) =>
      repo.tryEntire(...args),
    );
    expect(said.map(({ code }) => code)).toEqual([0, 0, expect.any(Number), 0]);
    expect(repo.tryEntire('fetch').code).toBe(1);
  }
  expect(['git', 'ps', 'ssh'].filter(planted.ran)).toEqual([]);
  repo.variables = {};
  expect(repo.entire('status').stdout).toContain('Active Sessions');
});
