import { readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { freeze } from '../support/repository/frozen.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('what a repository may not decide', () => {
  scenario('is refused in its file, where a no is heard', (repo) => {
    repo.ready();
    const before = repo.read(PROJECT);
    for (const key of [PUSH, 'strategy_options.summarize.enabled', 'external_agents']) {
      const { code, stderr } = refused(repo, 'set', key, 'true', '--project');
      expect(code).toBe(2);
      expect(stderr).toContain(
        `${key} is ignored in ${PROJECT}: what a repository has committed cannot allow it`,
      );
      expect(stderr).toContain('--global) and in git');
    }
    expect(repo.read(PROJECT)).toBe(before);
    set(repo, PUSH, 'false', '--project');
    expect(repo.entire('config', 'set', PUSH, 'true').stderr).toBe(
      `Warning: false is still in effect, from ${PROJECT}, which wins.\n`,
    );
  });

  variation('a local file that git has: what is asked for goes into the configuration of git', (repo) => {
    repo.ready();
    repo.write(LOCAL, '{"external_agents": true}\n');
    repo.git('add', '--force', LOCAL);
    repo.git('commit', '--quiet', '-m', 'Local');
    expect(get(repo, 'external_agents')).toBe('false');
    expect(repo.entire('config').stdout).toContain(`external_agents = true: set in ${LOCAL}, ignored there`);
    expect(refused(repo, 'set', 'external_agents', 'true', '--local').code).toBe(2);
    expect(set(repo, 'external_agents', 'true')).toContain("(git's entire.externalAgents)");
    expect(get(repo, 'external_agents')).toBe('true');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  variation('a clone whose tracked file asks for more', (repo) => {
    repo.ready();
    repo.write(
      PROJECT,
      '{"enabled": true, "external_agents": true, "strategy_options": {"summarize": {"enabled": true}, "checkpoint_remote": "github:x/y"}}',
    );
    repo.commit('Ask for more', PROJECT);
    const origin = repo.dir;
    repo.dir = join(repo.scratch, 'clone');
    repo.run('git', ['clone', '--quiet', origin, repo.dir], { cwd: repo.scratch });
    for (const key of ['external_agents', 'entire.summarize']) expect(get(repo, key)).toBe('false');
    expect(get(repo, 'strategy_options.checkpoint_remote')).toBe('');
    const notes = repo.entire('config').stdout.split('\nNot in effect:\n')[1];
    expect(notes?.match(/ignored there/g)).toHaveLength(3);
  });
});

describe('what goes wrong', () => {
  scenario('a file with a mistake is named with its line, and nothing is written', (repo) => {
    repo.ready();
    for (const file of [PROJECT, LOCAL]) {
      const kept = repo.exists(file) ? repo.read(file) : '{}';
      repo.write(file, '{\n  "enabled": true,\n}\n');
      for (const args of [
        ['list'],
        ['get', 'strategy'],
        ['set', 'log_level', 'debug'],
        ['unset', 'strategy'],
      ]) {
        const { code, stderr } = refused(repo, ...args);
        expect(code).toBe(1);
        expect(stderr).toContain(`Error: ${file}, line 3: not valid JSON`);
      }
      expect(repo.read(file)).toBe('{\n  "enabled": true,\n}\n');
      repo.write(file, kept);
    }
    putUser(repo, '[]');
    expect(refused(repo, 'set', 'log_level', 'debug').stderr).toContain(
      'settings.json, line 1: not a JSON object',
    );
  });

  variation('a value of the wrong kind is put right', (repo) => {
    repo.ready();
    repo.write(LOCAL, '{"enabled": "yes"}');
    expect(refused(repo, 'list').stderr).toContain(`Error: ${LOCAL}: "enabled"`);
    set(repo, 'enabled', 'true');
    expect(json(repo, LOCAL)).toEqual({ enabled: true });
  });

  variation('a folder that cannot be written', (repo, skip) => {
    repo.ready();
    const thaw = freeze(repo, skip, join(repo.dir, '.entire'));
    const { code, stderr } = refused(repo, 'set', 'log_level', 'debug', '--project');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: .*settings\.json .*\nHint: /);
    thaw();
    expect(json(repo, PROJECT)).not.toHaveProperty('log_level');
  });

  variation('a link to elsewhere is followed for the file of the person alone', (repo) => {
    repo.ready();
    const dotfile = join(repo.scratch, 'dotfile.json');
    putUser(repo, '{}');
    rmSync(userFile(repo));
    writeFileSync(dotfile, '{}\n');
    repo.run('ln', ['-s', dotfile, userFile(repo)]);
    set(repo, 'log_level', 'warn', '--global');
    expect(JSON.parse(readFileSync(dotfile, 'utf8'))).toEqual({ log_level: 'warn' });
    rmSync(join(repo.dir, PROJECT));
    repo.run('ln', ['-s', dotfile, join(repo.dir, PROJECT)]);
    expect(refused(repo, 'set', 'log_level', 'debug', '--project').stderr).toContain(
      'a link to outside of the repository',
    );
    expect(JSON.parse(readFileSync(dotfile, 'utf8'))).toEqual({ log_level: 'warn' });
  });

  variation('many at once: all values are there afterwards', async (repo) => {
    repo.ready();
    const wishes = [
      ...[
        ['log_level', 'debug'],
        ['commit_linking', 'prompt'],
        ['strategy', 'auto-commit'],
      ],
      ...[
        ['redaction.pii.email', 'true'],
        ['strategy_options.push_timeout_seconds', '9'],
      ],
      ...[
        ['strategy_options.snapshots.budget_mb', '100'],
        ['strategy_options.compaction.enabled', 'false'],
      ],
      ['entire.summarize', 'true'],
    ];
    await Promise.all(wishes.map((wish) => repo.inBackground('entire', ['config', 'set', ...wish])));
    expect(json(repo, LOCAL)).toMatchObject({
      ...{ log_level: 'debug', commit_linking: 'prompt', strategy: 'auto-commit' },
      redaction: { pii: { email: true } },
      strategy_options: {
        ...{ push_timeout_seconds: 9, snapshots: { budget_mb: 100 }, compaction: { enabled: false } },
      },
    });
    expect(get(repo, 'entire.summarize')).toBe('true');
  });

  variation('beside `enable`, and from two repositories for all of them', async (repo) => {
    repo.ready();
    const other = join(repo.scratch, 'other');
    repo.run('git', ['clone', '--quiet', repo.dir, other], { cwd: repo.scratch });
    const config = (...args: string[]) => ['config', 'set', ...args];
    await Promise.all([
      repo.inBackground('entire', [
        'enable',
        '--local',
        '--agent',
        'claude-code',
        '--strategy',
        'auto-commit',
      ]),
      repo.inBackground('entire', config('commit_linking', 'prompt')),
      repo.inBackground('entire', config('log_level', 'warn', '--global')),
      repo.inBackground('entire', config('redaction.pii.email', 'true', '--global'), { cwd: other }),
    ]);
    expect(json(repo, LOCAL)).toMatchObject({
      ...{ enabled: true, strategy: 'auto-commit', commit_linking: 'prompt' },
      strategy_options: { push_sessions: false },
    });
    expect(JSON.parse(readFileSync(userFile(repo), 'utf8'))).toEqual({
      ...{ log_level: 'warn', redaction: { pii: { email: true } } },
    });
  });
});
