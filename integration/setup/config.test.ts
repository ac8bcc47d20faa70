import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import {
  get,
  json,
  LOCAL,
  PROJECT,
  PUSH,
  putUser,
  refused,
  set,
  userFile,
} from '../support/command/config.ts';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import { expectGolden } from '../support/runner/golden.ts';

describe('list', () => {
  onBothBuilds('says of each setting what holds, from where, and what it does', (repo) => {
    repo.ready();
    repo.write(
      LOCAL,
      '{"log_level": "debug", "strategy_options": {"push_sessions": false}, "redaction": {"pii": {"enabled": true}}, "mine": 1}\n',
    );
    repo.git('config', '--global', 'entire.summarize', 'true');
    repo.git('config', 'entire.colour', 'red');
    const listed = repo.entire('config', 'list').stdout;
    expectGolden(repo, 'config-list.txt', listed);
    expect(repo.entire('config').stdout).toBe(listed);
    expect(repo.entire('config', '--json').stdout).toBe(repo.entire('config', 'list', '--json').stdout);
  });

  scenario('as JSON, with every place that sets a key', (repo) => {
    repo.ready();
    repo.write(
      PROJECT,
      '{"enabled": true, "strategy": "manual-commit", "strategy_options": {"push_sessions": true}}',
    );
    repo.write(LOCAL, '{"strategy": "auto-commit", "typo": {}, "strategy_options": {"snapshot": 1}}');
    const { settings, unknown_keys } = JSON.parse(repo.entire('config', 'list', '--json').stdout);
    const find = (key: string) => settings.find((one: { key: string }) => one.key === key);
    expect(find('strategy')).toEqual({
      ...{ key: 'strategy', git_key: null, value: 'auto-commit', from: [LOCAL], default: 'manual-commit' },
      ...{ type: 'word', values: ['manual-commit', 'auto-commit'], unit: null },
      description: 'Who makes commits: you, or Entire after each turn of an agent',
      set: [
        { where: PROJECT, value: 'manual-commit', not_heard: null },
        { where: LOCAL, value: 'auto-commit', not_heard: null },
      ],
    });
    expect(find(PUSH)).toMatchObject({ value: false, git_key: 'entire.pushSessions' });
    expect(find(PUSH).set).toContainEqual({ where: PROJECT, value: true, not_heard: 'shared' });
    expect(unknown_keys).toEqual([
      { key: 'typo', where: LOCAL },
      { key: 'strategy_options.snapshot', where: LOCAL },
    ]);
    expect(repo.entire('config').stdout).toContain(
      `${PUSH} = true: set in ${PROJECT}, ignored there: each person decides that, and what a repository has committed cannot\n`,
    );
  });

  variation('what holds where nothing is set up, and outside of a repository', (repo) => {
    repo.init();
    expect(get(repo, 'enabled')).toBe('false');
    expect(refused(repo, 'set', 'log_level', 'debug').stderr).toBe(
      'Error: Entire is not set up in this repository.\nHint: Run `entire enable` first. With --global a setting holds in all repositories.\n',
    );
    expect(repo.exists('.entire')).toBe(false);
    const { code, stderr } = repo.run('entire', ['config'], { cwd: repo.scratch });
    expect(code).toBe(1);
    expect(stderr).toContain("Please run 'entire config' from within a git repository.");
  });

  variation('a value that is none is said, and what holds then', (repo) => {
    repo.ready();
    putUser(repo, '{"commit_linking": "prompt"}');
    expect(repo.entire('config').stdout).toContain(`prompt         ${userFile(repo)}  Link commits`);
    repo.write(LOCAL, '{"log_level": "loud", "strategy_options": {"push_timeout_seconds": 900}}');
    expect(get(repo, 'log_level')).toBe('info');
    expect(get(repo, 'strategy_options.push_timeout_seconds')).toBe('30');
    expect(repo.entire('config').stdout).toContain(
      `log_level = loud: set in ${LOCAL}, ignored there: it is nothing that the key takes\n`,
    );
    repo.variables = { ENTIRE_LOG_LEVEL: 'error' };
    expect(JSON.parse(repo.entire('config', 'get', 'log_level', '--json').stdout)).toMatchObject({
      ...{ value: 'error', from: ['ENTIRE_LOG_LEVEL'] },
    });
  });

  variation('a key of other releases is listed, and cannot be set', (repo) => {
    repo.ready();
    repo.write(LOCAL, '{"telemetry": false}');
    expect(repo.entire('config').stdout).toContain(
      `telemetry = false: set in ${LOCAL}; it is kept for other releases, and has no effect in this one\n`,
    );
    expect(refused(repo, 'set', 'telemetry', 'true').code).toBe(2);
    expect(repo.entire('config', 'unset', 'telemetry').stdout).toBe(
      `✓ telemetry is no longer set in ${LOCAL}\n`,
    );
  });
});

describe('get', () => {
  scenario('prints the value alone, and knows which key was meant', (repo) => {
    repo.ready();
    expect(repo.entire('config', 'get', 'strategy')).toEqual({
      code: 0,
      stdout: 'manual-commit\n',
      stderr: '',
    });
    expect(get(repo, 'entire.PUSHSESSIONS')).toBe('false');
    expect(get(repo, 'strategy_options.snapshots.budget_mb')).toBe('1024');
    expect(get(repo, 'strategy_options.checkpoint_remote')).toBe('');
    expect(refused(repo, 'get', 'stratgey')).toEqual({
      code: 1,
      stderr:
        'Error: no such setting: stratgey; did you mean strategy?\nHint: `entire config list` shows all of them.\n',
    });
    expect(refused(repo, 'get', 'push_sessions').stderr).toContain(`did you mean ${PUSH}?`);
    expect(refused(repo, 'get', 'redaction.pii').stderr).toContain('Below it are redaction.pii.enabled, ');
    expect(refused(repo, 'get', '__proto__').code).toBe(1);
  });
});

variation('a linked worktree begins with the settings that it followed', (repo) => {
  repo.init().write('README.md', '# demo\n').commit('init', 'README.md');
  repo.entire('enable', '--agent', 'claude-code');
  set(repo, 'commit_linking', 'prompt');
  const tree = join(repo.scratch, 'tree');
  repo.git('worktree', 'add', '--quiet', tree);
  const main = repo.dir;
  repo.dir = tree;
  expect(get(repo, 'commit_linking')).toBe('prompt');
  expect(set(repo, 'commit_linking', 'prompt')).toContain(' is already ');
  expect(existsSync(join(tree, '.entire'))).toBe(false);
  expect(set(repo, 'log_level', 'warn')).toContain(
    `This worktree has settings of its own now; they begin with those of ${main}, which it followed.`,
  );
  expect(json(repo, LOCAL)).toMatchObject({ commit_linking: 'prompt', log_level: 'warn' });
  expect(repo.exists(PROJECT)).toBe(true);
  repo.dir = main;
  expect(get(repo, 'log_level')).toBe('info');
});
