import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUILDS, root } from '../support/process/builds.ts';
import { inTerminal, needsTerminal } from '../support/process/terminal.ts';
import { onBothBuilds } from '../support/repository/scenario.ts';
import { settings, withCommit } from '../support/repository/set-up.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('the command line', () => {
  onBothBuilds('help, version and wrong usage', (repo) => {
    expect(repo.entire().stdout).toBe(repo.entire('help').stdout);
    expect(repo.entire('--help').stdout).toBe(repo.entire('help').stdout);
    expect(repo.entire('--help', 'enable').stdout).toBe(repo.entire('help', 'enable').stdout);
    expect(repo.entire('help', 'environment').stdout).toContain('ENTIRE_LOG_LEVEL');
    expect(repo.entire('help', 'enable').stdout).toContain('--absolute-git-hook-path');
    expect(repo.entire('help', '-t').stdout).toMatch(/^entire\n├── agent - .*\n[\s\S]*└── worktree - .*\n$/);
    expect(repo.entire('version').stdout).toMatch(
      /^Entire CLI \d+\.\d+\.\d+ \(\w+\)\n(Node|Bun): v[\d.]+\nOS\/Arch: \w+\/\w+\n$/,
    );
    expect(repo.entire('--version').stdout).toBe(repo.entire('version').stdout);
    for (const args of [['bogus'], ['help', 'bogus'], ['--bogus'], ['version', 'extra']]) {
      const { code, stdout, stderr } = repo.tryEntire(...args);
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: Invalid usage: unknown \w+.*\nHint: See `entire help( version)?`\.\n$/);
    }
    expect(repo.entire('help', 'undo', '--help').stdout).toBe(repo.entire('undo', '-h').stdout);
    expect(repo.entire('help', 'session', 'list').stdout).toBe(repo.entire('session', 'list', '-h').stdout);
    expect(repo.entire('help', 'help').stdout).toMatch(/^entire help \[<command>\.\.\.\] \[flags\]\n/);
    for (const [args, what] of [
      [['status', '--jsn'], 'unknown flag: --jsn; did you mean --json?'],
      [['blame', '--wyh', 'a.txt'], 'unknown flag: --wyh; did you mean --why?'],
      [['blame', '--rve=HEAD'], 'unknown flag: --rve; did you mean --rev?'],
      [['blame', '--why'], 'missing argument: <file>'],
      [['session', 'lst'], 'unknown command "lst" for "entire session"; did you mean "list"?'],
      [['session', 'list', '--since'], '--since takes a value'],
      [['worktree', '--json', 'list'], 'flags go after the command: entire worktree list [flags]'],
      [['agent', 'add'], 'missing argument: <agent>...'],
      [['undo', '--dry-run=yes'], '--dry-run takes no value'],
      [['undo', '--list='], '--list takes no value'],
      [['push', '--timeout', 'abc'], '--timeout takes a number'],
      [['forget', 'x', '--dry-run=1', '-y'], '--dry-run takes no value'],
      [['forget', 'x', '--dry-run', '-y=no'], '--yes takes no value'],
      [['log', '--color', 'purple'], '--color takes auto, always or never, not "purple"'],
      [['search', 'x', '--kind', 'prompts'], '--kind takes prompt, answer, command or file, not "prompts"'],
      [['search', 'x', '--kind'], '--kind takes a value'],
      [['session', 'export', 'x', '--format', 'pdf'], '--format takes json, md or html, not "pdf"'],
      [['session', 'list', '--all-clis=maybe'], '--everywhere takes no value'],
    ] as const)
      expect(repo.tryEntire(...args), args.join(' ')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`Error: Invalid usage: ${what}\nHint: See \`entire help `),
      });
    expect(repo.tryEntire('--json', 'status').stderr).toContain(
      'flags go after the command: entire status [flags]\n',
    );
    expect(repo.tryEntire('session', 'list', '--agent', 'cluade-code').stderr).toContain(
      'Error: unknown agent: cluade-code; did you mean claude-code?\n',
    );
    expect(repo.entire('hooks').stdout).toContain('entire hooks git <hook>');
    expect(repo.tryEntire('hooks', 'bogus', 'x')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('in a terminal', () => {
  onBothBuilds('help says where the manual is, and says nothing of it in a pipe', (repo, skip) => {
    needsTerminal(skip);
    if (spawnSync('man', ['--version']).error) skip('there is no man on this machine');
    const page = join(root, 'dist/man/entire-session.1');
    expect(inTerminal(repo, 'help session list', '').stdout.trimEnd().split(/\r?\n/).at(-1)).toBe(
      `Manual: \`man ${page}\`.`,
    );
    expect(repo.entire('help', 'session', 'list').stdout).not.toContain('Manual');
    expect(repo.run('man', [page]).stdout).toContain('entire session list');
  });

  const asked = (repo: TestRepo, command: string, keys: string, env: Record<string, string> = {}) =>
    repo.run(
      'script',
      ['--quiet', '--return', '--command', `sleep 0.3; exec entire ${command}`, '/dev/null'],
      {
        input: keys,
        env,
      },
    );
  onBothBuilds('asks whether to push session logs; anything but a yes is a no', (repo, skip) => {
    needsTerminal(skip);
    withCommit(repo);
    for (const [keys, answer] of [
      ['y\n', true],
      ['n\n', false],
      ['\n', false],
      ['\x04', false],
    ] as const) {
      const { stdout, code } = asked(repo, 'enable', keys, { ACCESSIBLE: '1' });
      expect(code, stdout).toBe(0);
      expect(stdout).toContain('Push session logs along with your own pushes? [y/N]');
      expect(stdout).toContain('would go to: ');
      expect(settings(repo, 'settings.local.json').strategy_options, JSON.stringify(keys)).toEqual({
        push_sessions: answer,
      });
      expect(repo.git('config', '--local', 'entire.pushSessions')).toBe(String(answer));
      const { stdout: gone } = asked(repo, 'disable --uninstall', 'y\n', { ACCESSIBLE: '1' });
      expect(gone).toContain('Entire CLI uninstalled successfully.');
    }
    const { stdout } = asked(repo, 'enable', '', { CLAUDECODE: '1' }); // an agent's terminal: nobody would answer
    expect(stdout).toContain('Ready.');
    expect(settings(repo, 'settings.local.json').strategy_options).toEqual({ push_sessions: false });
    expect(asked(repo, 'disable --uninstall', 'n\n', { ACCESSIBLE: '1' }).stdout).toContain(
      'Uninstall cancelled.',
    );
  });
});

test('a program that reads only part of the help is no failure', () => {
  const [build] = BUILDS;
  const { stderr, stdout } = spawnSync('sh', ['-c', `'${build?.bin}/entire' help | head -1; echo done`], {
    encoding: 'utf8',
  });
  expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'entire <command> [flags]\ndone\n' });
});
