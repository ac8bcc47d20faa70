import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { withWork } from '../support/command/work.ts';
import { withProgram } from '../support/process/programs.ts';
import { freeze } from '../support/repository/frozen.ts';
import { lookAtAll } from '../support/repository/look.ts';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const temporary = (repo: TestRepo): string => join(repo.scratch, 'tmp');

function selfTest(repo: TestRepo, env: Record<string, string> = {}, options: { cwd?: string } = {}) {
  mkdirSync(temporary(repo), { recursive: true });
  const program = join(repo.build.bin, 'entire'); // also where it is not on PATH
  const all = { TMPDIR: temporary(repo), ...env };
  const result = repo.run(program, ['doctor', '--self-test'], { env: all, ...options });
  expect(readdirSync(temporary(repo)), 'left in the folder for temporary files').toEqual([]);
  return result;
}

/** The test names the step, the finding that explains it, and fails; nothing is left in the repository. */
function expectFailure(repo: TestRepo, step: string, code: string, env: Record<string, string> = {}): void {
  const before = lookAtAll(repo);
  const { stdout, stderr, code: status } = selfTest(repo, env);
  expect(stdout.match(/^FAILED {2}([\w-]+)/m)?.[1], stdout + stderr).toBe(step);
  expect(stdout.match(/^Cause:\n. .* \[([\w-]+)\]$/m)?.[1], stdout).toBe(code);
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(lookAtAll(repo)).toEqual(before);
}

describe('doctor --self-test', () => {
  onBothBuilds('passes where all is well, and leaves no trace', (repo) => {
    withWork(repo);
    const before = lookAtAll(repo);
    const { stdout, stderr, code } = selfTest(repo);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => !/^ok {6}[\w-]+: \w/.test(line))).toEqual([
      '',
      'The self-test passed.',
      '',
    ]);
    expect(stdout.match(/^ok/gm)).toHaveLength(11);
    expect(lookAtAll(repo)).toEqual(before);
  });

  for (const [hook, step] of [
    ['prepare-commit-msg', 'commit'],
    ['post-commit', 'checkpoint'],
    ['commit-msg', 'git-hooks'],
    ['pre-push', 'git-hooks'],
  ] as const)
    (hook === 'prepare-commit-msg' ? scenario : variation)(`sabotage: ${hook} is removed`, (repo) => {
      repo.ready();
      repo.run('rm', [join('.git', 'hooks', hook)]);
      expectFailure(repo, step, 'git-hooks-missing');
    });

  variation('sabotage: the program is off PATH', (repo) => {
    repo.ready();
    expectFailure(repo, 'session-start', 'not-on-path', { PATH: '/usr/bin:/bin' });
  });

  variation('sabotage: the git folder is read-only', (repo, skip) => {
    repo.ready();
    const thaw = freeze(repo, skip);
    expectFailure(repo, 'git-folder', 'not-writable');
    thaw();
    expect(selfTest(repo).code).toBe(0);
  });

  variation('sabotage: the state of a session is corrupt', (repo) => {
    const session = withWork(repo);
    writeFileSync(join(repo.commonDir, 'entire-sessions', `${session.id}.json`), '');
    expectFailure(repo, 'records', 'state-unreadable');
  });

  variation('sabotage: core.hooksPath leads to a folder of somebody else', (repo) => {
    repo.ready();
    const folder = join(repo.home, 'githooks');
    mkdirSync(folder);
    repo.git('config', '--global', 'core.hooksPath', folder);
    expectFailure(repo, 'commit', 'hooks-folder-foreign');
    expect(readdirSync(folder)).toEqual([]);
  });

  variation('sabotage: Entire is disabled', (repo) => {
    repo.ready();
    repo.entire('disable');
    expectFailure(repo, 'session-start', 'disabled');
  });
});

describe('doctor --self-test names what else can be wrong', () => {
  variation('nothing is set up', (repo) => {
    repo.init().git('commit', '--quiet', '--allow-empty', '-m', 'init');
    expectFailure(repo, 'session-start', 'not-set-up');
  });

  variation('ENTIRE=0 in the shell', (repo) => {
    repo.ready();
    expectFailure(repo, 'session-start', 'switched-off', { ENTIRE: '0' });
  });

  variation('settings that cannot be read', (repo) => {
    repo.ready().write('.entire/settings.local.json', '{"enabled": ');
    expectFailure(repo, 'git-hooks', 'settings-unreadable'); // they permit nothing, and stop no recording
  });

  variation('no hook in the settings of the agent; one missing; settings that cannot be read', (repo) => {
    repo.ready();
    const text = repo.read('.claude/settings.json');
    repo.write('.claude/settings.json', '{}');
    expectFailure(repo, 'session-start', 'agent-hooks-missing');
    repo.write('.claude/settings.json', text.replaceAll('entire hooks claude-code post-file-edit', 'true'));
    expectFailure(repo, 'edit', 'agent-hooks-incomplete');
    repo.write('.claude/settings.json', '{"hooks": ');
    expectFailure(repo, 'session-start', 'agent-settings-unreadable');
  });

  variation('all hooks of the agent are switched off', (repo) => {
    repo.ready().write('.claude/settings.local.json', '{"disableAllHooks": true}');
    expectFailure(repo, 'session-start', 'agent-hooks-switched-off');
    mkdirSync(join(repo.home, '.claude'));
    writeFileSync(join(repo.home, '.claude', 'settings.json'), '{"disableAllHooks": true}');
    repo.write('.claude/settings.local.json', '{"disableAllHooks": false}'); // nearer, and it wins
    expect(selfTest(repo).code).toBe(0);
    repo.run('rm', ['.claude/settings.local.json']);
    expectFailure(repo, 'session-start', 'agent-hooks-switched-off');
  });

  variation('a program on PATH that does not run', (repo) => {
    repo.ready();
    const env = withProgram(repo, 'entire', 'echo broken >&2', 'exit 127');
    expectFailure(repo, 'session-start', 'path-program-broken', env);
  });

  variation('hooks that are overwritten, not executable, or switched off', (repo) => {
    repo.ready();
    const hook = join(repo.dir, '.git', 'hooks', 'prepare-commit-msg');
    chmodSync(hook, 0o644);
    expectFailure(repo, 'commit', 'git-hooks-not-executable');
    writeFileSync(hook, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    chmodSync(hook, 0o755);
    expectFailure(repo, 'commit', 'git-hooks-overwritten');
    repo.git('config', 'core.hooksPath', '/dev/null');
    expectFailure(repo, 'commit', 'hooks-folder-unusable');
  });
});

describe('doctor --self-test runs', () => {
  variation('with auto-commit, and does not ask for signatures', (repo) => {
    repo.ready();
    repo.entire('enable', '--strategy', 'auto-commit', '--project');
    repo.git('config', '--global', 'commit.gpgSign', 'true');
    repo.git('config', '--global', 'gpg.program', 'false');
    const before = lookAtAll(repo);
    expect(selfTest(repo)).toMatchObject({ code: 0, stderr: '' });
    expect(lookAtAll(repo)).toEqual(before);
  });

  variation('in a linked worktree, in a sub-directory, and from a git hook', (repo) => {
    repo.ready();
    const linked = join(repo.scratch, 'linked');
    repo.git('worktree', 'add', '--quiet', linked);
    mkdirSync(join(linked, 'sub'));
    const before = lookAtAll(repo);
    const GIT_DIR = join(repo.dir, '.git');
    const env = { GIT_DIR, GIT_INDEX_FILE: join(GIT_DIR, 'index'), CLAUDE_PROJECT_DIR: repo.dir };
    expect(selfTest(repo, env, { cwd: join(linked, 'sub') })).toMatchObject({ code: 0 });
    expect(lookAtAll(repo)).toEqual(before);
  });

  variation('in a repository with SHA-256', (repo) => {
    repo.init('--object-format=sha256').git('commit', '--quiet', '--allow-empty', '-m', 'init');
    repo.entire('enable');
    expect(selfTest(repo)).toMatchObject({ code: 0, stderr: '' });
  });

  variation('with chained hooks in a folder of the repository; not the pre-commit hook', (repo) => {
    repo.init().git('commit', '--quiet', '--allow-empty', '-m', 'init');
    repo.git('config', 'core.hooksPath', '.githooks');
    repo.write('.githooks/pre-commit', `#!/bin/sh\ntouch ${repo.scratch}/ran\nexit 1\n`);
    repo.write('.githooks/post-commit', `#!/bin/sh\ntouch ${repo.scratch}/chained\n`);
    for (const hook of ['pre-commit', 'post-commit']) chmodSync(join(repo.dir, '.githooks', hook), 0o755);
    repo.entire('enable');
    expect(selfTest(repo)).toMatchObject({ code: 0 });
    expect(existsSync(join(repo.scratch, 'ran'))).toBe(false);
    expect(existsSync(join(repo.scratch, 'chained'))).toBe(true);
  });

  variation(
    'stopped by a signal, and takes away what it made; what a killed one left goes a day later',
    async (repo) => {
      repo.ready();
      const [started, old] = [join(repo.scratch, 'started'), join(temporary(repo), 'entire-self-test-old')];
      const { PATH } = withProgram(repo, 'entire', `touch ${started}`, 'exec sleep 2');
      mkdirSync(old, { recursive: true });
      utimesSync(old, 0, 0);
      const child = spawn(join(repo.build.bin, 'entire'), ['doctor', '--self-test'], {
        cwd: repo.dir,
        env: { ...repo.env, PATH, TMPDIR: temporary(repo) },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.on('exit', resolve));
      while (!readdirSync(temporary(repo)).some((name) => name !== 'entire-self-test-old'))
        await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill('SIGTERM');
      expect(await ended).toBe(143);
      expect(readdirSync(temporary(repo))).toEqual([]);
    },
  );

  variation('alone: not together with what repairs', (repo) => {
    repo.ready();
    expect(repo.tryEntire('doctor', '--self-test', '--fix')).toMatchObject({
      code: 2,
      stderr: 'Error: cannot specify both --self-test and --fix\n',
    });
  });

  variation('with --json', (repo) => {
    repo.ready();
    const report = JSON.parse(repo.entire('doctor', '--self-test', '--json').stdout);
    expect(report).toMatchObject({ passed: true, failed_step: null, cause: null });
    expect(report.steps.map(({ step }: { step: string }) => step)).toEqual([
      ...['git-folder', 'records', 'scratch', 'session-start', 'prompt', 'edit', 'stop', 'commit'],
      ...['checkpoint', 'git-hooks', 'clean-up'],
    ]);
    repo.entire('disable');
    const failed = repo.tryEntire('doctor', '--self-test', '--json');
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      passed: false,
      failed_step: 'session-start',
      cause: { code: 'disabled', items: ['.entire/settings.local.json'] },
    });
  });
});
