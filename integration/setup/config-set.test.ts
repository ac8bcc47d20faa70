import { readFileSync } from 'node:fs';
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

describe('set and unset', () => {
  onBothBuilds('in each file, and back; nothing else in them changes', (repo) => {
    repo.ready();
    const mine = '{\n    "mine": [1,2], "strategy_options": {"other": 7}\n}';
    for (const file of [PROJECT, LOCAL]) repo.write(file, mine);
    putUser(repo, mine);
    const key = 'strategy_options.snapshots.budget_mb';
    for (const [place, file, value] of [
      ['--global', userFile(repo), '128'],
      ['--project', join(repo.dir, PROJECT), '256'],
      ['--local', join(repo.dir, LOCAL), '512'],
    ] as const) {
      expect(set(repo, key, value, place)).toContain(`✓ ${key} set to ${value} (`);
      expect(get(repo, key)).toBe(value);
      expect(readFileSync(file, 'utf8')).toBe(
        mine.replace('"other": 7', `"other": 7, "snapshots": {"budget_mb":${value}}`),
      );
    }
    expect(repo.entire('config', 'unset', key).stdout).toBe(
      `✓ ${key} is no longer set in ${LOCAL}\n  In effect: 256 MiB (${PROJECT})\n`,
    );
    repo.entire('config', 'unset', key, '--project');
    expect(get(repo, key)).toBe('128');
    repo.entire('config', 'unset', key, '--global');
    expect(get(repo, key)).toBe('1024');
    for (const file of [join(repo.dir, PROJECT), join(repo.dir, LOCAL), userFile(repo)])
      expect(readFileSync(file, 'utf8')).toBe(mine);
    expect(repo.entire('config', 'unset', key).stdout).toBe(
      `${key} is not set in ${LOCAL}; nothing changed.\n  In effect: 1024 MiB (default)\n`,
    );
  });

  scenario(
    'the local file by default; empty objects go; a value that is there is not written again',
    (repo) => {
      repo.ready();
      repo.write(LOCAL, '{"strategy": "manual-commit"}\n');
      set(repo, 'strategy_options.compaction.enabled', 'false');
      const written = repo.read(LOCAL);
      expect(set(repo, 'strategy_options.compaction.enabled', 'false')).toBe(
        `strategy_options.compaction.enabled is already false in ${LOCAL}; nothing changed.\n`,
      );
      expect(repo.read(LOCAL)).toBe(written);
      expect(JSON.parse(written)).toEqual({
        ...{ strategy: 'manual-commit', strategy_options: { compaction: { enabled: false } } },
      });
      repo.entire('config', 'unset', 'strategy_options.compaction.enabled');
      expect(json(repo, LOCAL)).toEqual({ strategy: 'manual-commit' });
      expect(repo.git('status', '--porcelain')).toBe('');
    },
  );

  variation('what is set does what it says', (repo) => {
    repo.ready();
    set(repo, 'strategy', 'auto-commit');
    expect(repo.entire('status').stdout).toContain('Enabled (auto-commit)');
    set(repo, 'enabled', 'false');
    expect(repo.entire('status').stdout).toContain('Disabled');
  });

  variation('says where another place still wins', (repo) => {
    repo.ready();
    set(repo, 'log_level', 'debug');
    expect(repo.entire('config', 'set', 'log_level', 'warn', '--project').stderr).toBe(
      `Warning: debug is still in effect, from ${LOCAL}, which wins.\n`,
    );
    expect(json(repo, PROJECT).log_level).toBe('warn');
  });

  variation('wrong values name the right ones, and write nothing', (repo) => {
    repo.ready();
    const before = [repo.read(PROJECT), repo.exists(LOCAL) ? repo.read(LOCAL) : ''];
    for (const [key, value, right] of [
      ['strategy', 'auto', 'manual-commit or auto-commit'],
      ['enabled', 'yes', 'true or false'],
      ['log_level', 'loud', 'one of debug, info, warn, error'],
      ['strategy_options.snapshots.budget_mb', '12', 'a number of MiB, 64 or more'],
      ['strategy_options.push_timeout_seconds', '1h', 'a number of seconds, up to 600'],
      ['strategy_options.checkpoint_remote', 'nowhere', 'github:owner/name or gitlab:owner/name'],
      ['redaction.custom_redactions', '[1]', 'an expression behind its label, or all of them as JSON'],
    ] as const) {
      const { code, stderr } = refused(repo, 'set', key, value);
      expect(code).toBe(2);
      expect(stderr).toContain(`Error: ${key} takes ${right}`);
      expect(stderr).toContain(`not ${value}\n`);
    }
    expect(refused(repo, 'set', 'strategy', 'auto-commit', '--local', '--global').code).toBe(2);
    expect(refused(repo, 'set', 'strategy').code).toBe(2);
    expect([repo.read(PROJECT), repo.exists(LOCAL) ? repo.read(LOCAL) : '']).toEqual(before);
  });

  variation('numbers with a unit, expressions by label, a repository as text', (repo) => {
    repo.ready();
    set(repo, 'strategy_options.snapshots.budget_mb', '2GiB');
    set(repo, 'strategy_options.push_timeout_seconds', '2 min');
    set(repo, 'redaction.custom_redactions.ticket.v1', 'AB-\\d+', '--project');
    set(repo, 'redaction.custom_redactions', '{"key": "k-[0-9]+"}');
    set(repo, 'strategy_options.checkpoint_remote', 'gitlab:ada/logs');
    expect(json(repo, LOCAL)).toMatchObject({
      strategy_options: {
        ...{ snapshots: { budget_mb: 2048 }, push_timeout_seconds: 120 },
        checkpoint_remote: { provider: 'gitlab', repo: 'ada/logs' },
      },
    });
    expect(get(repo, 'strategy_options.checkpoint_remote')).toBe('gitlab:ada/logs');
    expect(JSON.parse(get(repo, 'redaction.custom_redactions'))).toEqual({
      ...{ 'ticket.v1': 'AB-\\d+', key: 'k-[0-9]+' },
    });
    expect(get(repo, 'redaction.custom_redactions.ticket.v1')).toBe('AB-\\d+');
    repo.entire('config', 'unset', 'redaction.custom_redactions.ticket.v1', '--project');
    expect(json(repo, PROJECT)).not.toHaveProperty('redaction');
  });
});

describe("git's configuration", () => {
  scenario('its keys by their own names, here and for all repositories', (repo) => {
    repo.ready();
    repo.git('remote', 'add', 'origin', 'https://example.com/a.git');
    expect(set(repo, 'entire.pushSessions', 'true')).toContain(
      "✓ entire.pushSessions set to true (git's entire.pushSessions)\n  Session logs: go along with your pushes to origin",
    );
    expect(repo.git('config', '--local', 'entire.pushSessions')).toBe('true');
    set(repo, 'entire.summarize', 'true', '--global');
    expect(repo.git('config', '--global', 'entire.summarize')).toBe('true');
    expect(get(repo, 'strategy_options.summarize.enabled')).toBe('true');
    expect(refused(repo, 'set', 'entire.summarize', 'true', '--project')).toMatchObject({ code: 2 });
    repo.entire('config', 'unset', 'entire.summarize', '--global');
    expect(repo.tryGit('config', '--global', 'entire.summarize').code).toBe(1);
    expect(get(repo, 'entire.summarize')).toBe('false');
  });

  variation('the local file and the answer that `enable` left there are changed together', (repo) => {
    repo.ready();
    repo.git('remote', 'add', 'origin', 'https://example.com/a.git');
    repo.entire('enable', '--push-sessions', '--agent', 'claude-code');
    expect(repo.git('config', 'entire.shownPlace')).not.toBe('');
    const { stdout, stderr } = repo.entire('config', 'set', PUSH, 'false');
    expect(stdout).toContain(
      `(${LOCAL} and git's entire.pushSessions)\n  Session logs: stay on this machine`,
    );
    expect(stderr).toBe('');
    expect(repo.git('config', 'entire.pushSessions')).toBe('false');
    expect(repo.tryGit('config', 'entire.shownPlace').code).toBe(1);
    expect(json(repo, LOCAL)).toMatchObject({ strategy_options: { push_sessions: false } });
    expect(set(repo, PUSH, 'false')).toContain(' is already ');
    repo.entire('config', 'unset', PUSH);
    expect(repo.tryGit('config', 'entire.pushSessions').code).toBe(1);
    expect(json(repo, LOCAL)).not.toHaveProperty('strategy_options');
  });
});
