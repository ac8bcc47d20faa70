import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { inTerminal, needsTerminal } from '../support/process/terminal.ts';
import { stateFile, turn } from '../support/repository/leftovers.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const shadowOf = (repo: TestRepo): string => repo.shadowBranches()[0] as string;
const tipOf = (repo: TestRepo, branch: string): string => repo.git('rev-parse', branch);
const bringBack = (branch: string, tip: string): string =>
  `To bring it back, until \`git gc\` removes what no branch has:\n  git branch ${branch} ${tip}\n`;

/** Names of all that is kept of sessions beside their states. */
const records = (repo: TestRepo): string[] =>
  ['turns', 'user-lines', 'tasks', 'introductions', 'transcripts'].flatMap((dir) => {
    const folder = join(repo.commonDir, 'entire', dir);
    return existsSync(folder) ? readdirSync(folder) : [];
  });

describe('resetting what is on top of HEAD', () => {
  onBothBuilds(
    'reset --force takes sessions and steps away, leaves every file, and says how to go back',
    (repo) => {
      repo.ready();
      const session = turn(repo, 'a.txt');
      session.edit('b.txt', 'not in a step\n');
      const branch = shadowOf(repo);
      const tip = tipOf(repo, branch);
      const status = repo.git('status', '--porcelain');
      const head = repo.git('rev-parse', 'HEAD');

      const { stdout, stderr } = repo.entire('reset', '--force');
      expect(stdout).toBe('');
      expect(stderr).toBe(
        `Cleared session state for ${session.id}\nDeleted step branch ${branch}\n${bringBack(branch, tip)}`,
      );
      expect(repo.stateFiles()).toEqual([]);
      expect(repo.tracked(session.id)).toEqual([]);
      expect(records(repo)).toEqual([]);
      expect(repo.shadowBranches()).toEqual([]);
      expect(repo.git('status', '--porcelain')).toBe(status);
      expect(repo.git('rev-parse', 'HEAD')).toBe(head);
      expect(repo.read('b.txt')).toBe('not in a step\n');
      expect(repo.commit('Add a and b', 'a.txt', 'b.txt')).toBeUndefined();

      repo.git('branch', branch, tip);
      expect(repo.git('show', `${branch}:a.txt`)).toBe('a.txt');
    },
  );

  variation('with nothing there, or an active session, nothing changes', (repo) => {
    repo.ready();
    const branch = `entire/${repo.git('rev-parse', 'HEAD').slice(0, 7)}-e3b0c4`;
    expect(repo.entire('reset')).toEqual({
      code: 0,
      stdout: '',
      stderr: `Nothing to reset for ${branch}\n`,
    });
    const session = turn(repo, 'a.txt');
    session.prompt('more');
    const state = repo.state(session.id);
    expect(repo.entire('reset')).toEqual({
      code: 0,
      stdout: '',
      stderr: `Active sessions detected on current HEAD:
  ${session.id} (phase: active)
Use --force to override or wait for sessions to finish.
`,
    });
    expect(repo.state(session.id)).toEqual(state);
    expect(repo.shadowBranches()).toEqual([branch]);
    expect(repo.entire('reset', '-f').stderr).toContain(`Cleared session state for ${session.id}\n`);
    expect(repo.stateFiles()).toEqual([]);
  });

  variation('auto-commit has nothing that could be reset', (repo) => {
    repo.ready();
    repo.entire('enable', '--strategy', 'auto-commit', '--project');
    expect(repo.tryEntire('reset', '--force')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: strategy auto-commit does not support reset\n',
    });
  });

  variation('before the first commit, and outside of a repository', (repo) => {
    expect(repo.tryEntire('reset')).toMatchObject({ code: 1, stdout: '' });
    expect(repo.tryEntire('reset').stderr).toContain('Not a git repository');
    repo.init().entire('enable', '--agent', 'claude-code');
    const { code, stderr } = repo.tryEntire('reset', '--force');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Error: reset failed: HEAD has no commit yet\n' });
  });

  variation('sessions on another commit keep their states and their steps', (repo) => {
    repo.ready();
    const old = turn(repo, 'a.txt');
    const branch = shadowOf(repo);
    repo.git('stash', '--include-untracked', '--quiet');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '--quiet', '--allow-empty', '-m', 'elsewhere');
    expect(repo.entire('reset', '--force').stderr).toMatch(/^Nothing to reset for entire\/.*\n$/);
    expect(repo.state(old.id).checkpoint_count).toBe(1);
    expect(repo.shadowBranches()).toEqual([branch]);
    repo.git('stash', 'drop', '--quiet');
  });
});

describe('resetting one session', () => {
  variation('after a commit in the middle of a turn nothing is left of the session', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write and commit');
    session.edit('a.txt', 'one\n');
    repo.agentCommit('Add a', 'a.txt');
    expect(repo.state(session.id).turn_checkpoint_ids).toHaveLength(1);

    expect(repo.entire('reset', '--session', session.id, '--force')).toEqual({
      code: 0,
      stdout: `Session ${session.id} has been reset. File changes remain in the working directory.\n`,
      stderr: `Cleared session state for ${session.id}\n`,
    });
    expect(repo.stateFiles()).toEqual([]);
    expect(records(repo)).toEqual([]);
    expect(repo.read('a.txt')).toBe('one\n');

    const next = repo.session();
    next.prompt('go on');
    expect(repo.state(next.id).turn_checkpoint_ids).toBeUndefined();
  });

  variation('a branch that another session has steps on stays, and its work is still linked', (repo) => {
    repo.ready();
    const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
    const branch = shadowOf(repo);
    const tip = tipOf(repo, branch);
    const first = repo.entire('reset', '--session', one.id, '--force');
    expect(first.stderr).toBe(
      `Cleared session state for ${one.id}\nKept step branch ${branch}: another session has steps on it\n`,
    );
    expect(tipOf(repo, branch)).toBe(tip);
    expect(repo.stateFiles()).toEqual([`${two.id}.json`]);
    const id = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(two.id);
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('a session goes on after its reset as a new one', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    repo.entire('reset', '--session', session.id, '--force');
    session.prompt('more');
    session.edit('c.txt', 'c\n');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 1 });
    const id = repo.commit('Add c', 'c.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['c.txt']);
  });

  variation('an unknown session, a beginning of an id, and one that is no id', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    const short = session.id.slice(0, 7);
    expect(repo.tryEntire('reset', '--session', short, '--force')).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: session not found: ${short}\nHint: Give the whole id: ${session.id}\n`,
    });
    for (const text of ['', 'nobody', '../../x', 'a\x1b[31mb']) {
      const { code, stderr } = repo.tryEntire('reset', '--session', text, '--force');
      expect({ code, text }).toEqual({ code: 1, text });
      expect(stderr).toBe(`Error: session not found: ${text.replace('\x1b[31m', '')}\n`);
    }
    expect(repo.stateFiles()).toEqual([`${session.id}.json`]);
  });

  variation('without --force and without a terminal nothing happens', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    for (const args of [['reset'], ['reset', '--session', session.id]]) {
      const { code, stdout, stderr } = repo.tryEntire(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(
        'Error: cannot ask for confirmation: this is not an interactive terminal\nHint: ',
      );
    }
    expect(repo.state(session.id).checkpoint_count).toBe(1);
    expect(repo.shadowBranches()).toHaveLength(1);
  });

  variation('in a terminal a yes resets, and anything else does not', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    const session = turn(repo, 'a.txt');
    for (const keys of ['n\n', '\n', '\x04']) {
      const { code, stdout } = inTerminal(repo, `reset --session ${session.id}`, keys);
      expect(code, stdout).toBe(0);
      expect(stdout).toContain(`Reset session ${session.id}? [y/N]`);
      expect(stdout).toContain('Phase: idle, Checkpoints: 1');
      expect(repo.stateFiles()).toHaveLength(1);
    }
    const { stdout } = inTerminal(repo, 'reset', 'y\n');
    expect(stdout).toContain(`Session state: ${session.id}`);
    expect(stdout).toContain('Reset session data? [y/N]');
    expect(stdout).toContain(`Cleared session state for ${session.id}`);
    expect(repo.stateFiles()).toEqual([]);
  });

  variation('a state that cannot be read is set aside, and only with --force', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
    writeFileSync(file, '{"session_id":');
    const refused = repo.tryEntire('reset', '--session', session.id);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Error: failed to load session: ');
    repo.entire('reset', '--session', session.id, '--force');
    const left = readdirSync(join(repo.commonDir, 'entire-sessions'));
    expect(left).toEqual([expect.stringMatching(new RegExp(`^${session.id}\\.json\\.corrupt-\\d+$`))]);
  });
});

variation('a branch stays while a session whose state cannot be read has steps on it', (repo) => {
  repo.ready();
  const [one, two] = [turn(repo, 'a.txt'), turn(repo, 'b.txt')];
  const branch = repo.shadowBranches()[0] as string;
  const file = stateFile(repo, one.id);
  const state = readFileSync(file, 'utf8');
  writeFileSync(file, ''); // as a full disk leaves it, or one that cannot be read for a moment
  repo.commit('Add b', 'b.txt');
  expect(repo.shadowBranches()).toContain(branch);
  repo.git('reset', '--hard', '--quiet', 'HEAD^');
  const reset = repo.entire('reset', '--force');
  expect(reset.stderr).not.toContain(`Deleted step branch ${branch}`);
  expect(repo.shadowBranches()).toContain(branch);
  writeFileSync(file, state);
  repo.write('a.txt', 'a.txt\n');
  const id = repo.commit('Add a', 'a.txt') as string;
  expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(one.id);
  expect(two.id).not.toBe(one.id);
});
