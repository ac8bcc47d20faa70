import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { changeState, leaveStuck, minutesAgo, silence } from '../support/command/stuck.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { aged, stateFile, turn } from '../support/repository/leftovers.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** `entire doctor --force`, beside which a session goes on right after the states were read. */
function forceWhile(repo: TestRepo, id: string, next: string) {
  const once = join(repo.scratch, 'once');
  const move = `[ -e '${once}' ] || { touch '${once}'; cp '${next}' '${stateFile(repo, id)}'; }`;
  const env = withProgram(repo, 'git', move, `exec '${realGit(repo)}' "$@"`);
  return repo.run('entire', ['doctor', '--force'], { env });
}

describe('discarding a stuck session', () => {
  variation('one that goes on meanwhile is left alone, with what it tracked', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a.txt');
    session.edit('a.txt', 'one\n');
    const next = join(repo.scratch, 'next.json');
    copyFileSync(stateFile(repo, session.id), next);
    silence(repo, session, 125);
    const { stdout, code } = forceWhile(repo, session.id, next);
    expect(stdout).toContain('  -> Left as it is');
    expect(code).toBe(0);
    expect(repo.tracked(session.id)).toEqual(['a.txt']);
    session.stop();
    expect(repo.state(session.id).checkpoint_count).toBe(1);
  });

  variation('nor is one condensed that goes on meanwhile', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const next = join(repo.scratch, 'next.json');
    copyFileSync(stateFile(repo, session.id), next);
    changeState(repo, session, { phase: 'active' });
    silence(repo, session, 125);
    expect(forceWhile(repo, session.id, next).stdout).toContain('  -> Left as it is');
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(session.id);
  });

  variation(
    'a turn that takes hours is not stuck while its client writes, and neither while a person decides',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('write a.txt');
      session.edit('a.txt', 'one\n');
      changeState(repo, session, { last_interaction_time: minutesAgo(125) });
      for (const flags of [[], ['--fix'], ['--force']])
        expect(repo.entire('doctor', ...flags).stdout).toMatch(/^No stuck sessions found\.\n/);
      expect(repo.tracked(session.id)).toEqual(['a.txt']);

      silence(repo, session, 125);
      const env = withProgram(
        repo,
        'git',
        `case "$*" in *'--quiet refs/heads/entire/'*) touch '${session.transcript}';; esac`,
        `exec '${realGit(repo)}' "$@"`,
      );
      const { stdout } = repo.run('entire', ['doctor', '--force'], { env });
      expect(stdout).toMatch(/^ {2}Reason: {2}active, last interaction 2h5m\d+s ago$/m);
      expect(stdout).toContain('  -> Left as it is');
      session.stop();
      expect(repo.state(session.id)).toMatchObject({ phase: 'idle', checkpoint_count: 1 });
    },
  );

  variation('its branch goes with it, and how to have it back is said', (repo) => {
    repo.ready();
    const session = leaveStuck(repo);
    const [branch = ''] = repo.shadowBranches();
    const tip = repo.git('rev-parse', branch);
    changeState(repo, session, { checkpoint_count: 0 });
    const { stdout } = repo.entire('doctor', '--force');
    expect(stdout).toContain(`  -> Discarded session ${session.id}\n`);
    expect(stdout).toContain(`  git branch ${branch} ${tip}\n`);
    expect(repo.shadowBranches()).toEqual([]);
  });
});

variation('a session that is reset from another worktree leaves no mark in its own', (repo) => {
  repo.ready();
  const main = repo.dir;
  const linked = join(repo.scratch, 'linked');
  repo.git('worktree', 'add', '--quiet', linked);
  repo.dir = linked;
  const { id } = turn(repo, 'a.txt');
  const mark = aged(join(linked, '.entire', 'tmp', `pre-prompt-${id}.json`), 0, '{}');
  repo.dir = main;
  repo.entire('reset', '--force', '--session', id);
  expect(existsSync(mark)).toBe(false);
});

variation('a reset leaves a branch that a hook of another session is making a step on', (repo) => {
  repo.ready();
  const one = turn(repo, 'a.txt');
  const other = turn(repo, 'b.txt');
  changeState(repo, other, { checkpoint_count: 0, files_touched: [] }); // the step stands, the state comes next
  const lock = join(repo.commonDir, 'entire-sessions', `${other.id}.lock`);
  mkdirSync(lock);
  writeFileSync(join(lock, `pid-${process.pid}-of-a-container`), '');
  const { stderr } = repo.entire('reset', '--force', '--session', one.id);
  expect(stderr).toContain('a hook is at work on it');
  expect(repo.shadowBranches()).toHaveLength(1);
  rmSync(lock, { recursive: true });
});
