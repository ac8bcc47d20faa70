import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { GIT_HOOKS } from '../../src/hooks/git/shims.ts';
import { diagnose, diagnoseIn, expectFixed } from '../support/command/doctor.ts';
import { withWork } from '../support/command/work.ts';
import { withProgram } from '../support/process/programs.ts';
import { freeze } from '../support/repository/frozen.ts';
import { lookAtAll } from '../support/repository/look.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { expectGolden } from '../support/runner/golden.ts';

describe('doctor: what keeps hooks from being called', () => {
  onBothBuilds('a healthy repository has nothing, and a look writes nothing', (repo) => {
    withWork(repo);
    writeFileSync(join(repo.commonDir, 'entire-sessions', 'torn.json.1-0123456789ab.tmp'), '');
    const before = lookAtAll(repo);
    const { stdout, code } = repo.tryEntire('doctor');
    expect(stdout).toMatch(/^No stuck sessions found\.\n/);
    expect(stdout).not.toMatch(/^[✕!]/m);
    expect(code).toBe(0);
    expect([...diagnose(repo).keys()]).toEqual([]);
    expect(lookAtAll(repo)).toEqual(before);
    repo.run('rm', [join(repo.commonDir, 'entire-sessions', 'torn.json.1-0123456789ab.tmp')]);
  });

  variation(
    'git hooks: missing, overwritten, not executable; --fix installs them and keeps what stood there',
    (repo) => {
      repo.ready();
      const hook = (name: string) => join(repo.dir, '.git', 'hooks', name);
      repo.run('rm', [hook('post-commit')]);
      writeFileSync(hook('pre-push'), `#!/bin/sh\ntouch ${repo.scratch}/pushed\n`, { mode: 0o755 });
      chmodSync(hook('commit-msg'), 0o644);
      const found = diagnose(repo);
      expect(
        [...found].map(([code, { items, severity, fixable }]) => [code, items, severity, fixable]),
      ).toEqual([
        ['git-hooks-missing', [hook('post-commit')], 'error', true],
        ['git-hooks-overwritten', [hook('pre-push')], 'error', true],
        ['git-hooks-not-executable', [hook('commit-msg')], 'error', true],
      ]);
      const { stdout, code } = repo.tryEntire('doctor', '--fix');
      expect(stdout.match(/✓ Fixed/g)).toHaveLength(3);
      expect(stdout).toContain('pre-push is kept as pre-push.pre-entire');
      expect(code).toBe(0);
      expect([...diagnose(repo).keys()]).toEqual([]);
      repo.run(hook('pre-push'), ['origin']);
      expect(statSync(join(repo.scratch, 'pushed')).isFile()).toBe(true);
    },
  );

  variation('hooks with lines of your own keep no repair of others from being told as done', (repo) => {
    repo.ready();
    const hook = (name: string) => join(repo.dir, '.git', 'hooks', name);
    const extended = `${readFileSync(hook('post-commit'), 'utf8')}echo mine\n`;
    writeFileSync(hook('post-commit'), extended);
    expect([...diagnose(repo).keys()]).toEqual([]);
    repo.run('rm', [hook('pre-push')]);
    expectFixed(repo, 'git-hooks-missing');
    expect(readFileSync(hook('post-commit'), 'utf8')).toBe(extended);
    // One that cannot run is the person's to make whole.
    repo.run('rm', [hook('pre-push')]);
    chmodSync(hook('post-commit'), 0o644);
    const { stdout } = repo.tryEntire('doctor', '--fix');
    expect(stdout.match(/✓ Fixed/g)).toHaveLength(1);
    expect(stdout.match(/git hooks installed/g)).toHaveLength(2);
    expect(stdout).toContain(`left: ${hook('post-commit')}: has lines of your own`);
    expect([...diagnose(repo).keys()]).toEqual(['git-hooks-not-executable']);
  });

  variation('what it says', (repo) => {
    repo.ready();
    repo.entire('enable', '--absolute-git-hook-path');
    repo.run('rm', ['.git/hooks/post-commit', '.git/hooks/pre-push']);
    repo.write('.entire/settings.local.json', '{"enbaled": true, "absolute_git_hook_path": true}');
    repo.git('config', '--global', 'core.hooksPath', join(repo.dir, '.git', 'hooks'));
    expectGolden(repo, 'doctor.txt', repo.tryEntire('doctor').stdout);
    expectGolden(repo, 'doctor-fix.txt', repo.tryEntire('doctor', '--fix').stdout);
    expectGolden(repo, 'doctor-json.txt', repo.tryEntire('doctor', '--json').stdout);
    expectGolden(repo, 'doctor-self-test.txt', repo.tryEntire('doctor', '--self-test').stdout);
  });

  variation('git hooks of another release', (repo) => {
    repo.ready();
    const hook = join(repo.dir, '.git', 'hooks', 'post-commit');
    writeFileSync(hook, '#!/bin/sh\n# Entire CLI hooks\nentire hooks git post-commit 2>/dev/null || true\n');
    expect(expectFixed(repo, 'git-hooks-outdated').severity).toBe('warning');
  });

  variation('core.hooksPath: global, local, to nothing; never written to', (repo) => {
    repo.ready();
    const folder = join(repo.home, 'githooks');
    mkdirSync(folder);
    repo.git('config', '--global', 'core.hooksPath', folder);
    const found = diagnose(repo).get('hooks-folder-foreign');
    expect(found).toMatchObject({ items: [folder], fixable: false });
    expect(found?.detail).toMatch(/^global \(file:.*\.gitconfig\)$/);
    expect(repo.tryEntire('doctor').stdout).toContain('prepare-commit-msg: if command -v entire');
    expect(diagnose(repo, '--fix').get('hooks-folder-foreign')?.repair).toBeNull();
    expect(repo.run('ls', [folder]).stdout).toBe('');
    repo.entire('enable', '--force');
    expect([...diagnose(repo).keys()]).toEqual([]); // they call us now
    repo.git('config', 'core.hooksPath', '/dev/null');
    expect(diagnose(repo).get('hooks-folder-unusable')?.detail).toMatch(/^local/);
    repo.git('config', 'core.hooksPath', '.husky/_'); // of the repository: ours to repair
    expectFixed(repo, 'git-hooks-missing', ['hook-manager']);
    expect(readFileSync(join(repo.dir, '.husky/_/post-commit'), 'utf8')).toContain('entire hooks git');
  });

  variation('a hook manager is told of, and what Lefthook wrote over ours', (repo) => {
    repo.ready().write('lefthook.yml', '');
    expect(diagnose(repo).get('hook-manager')).toMatchObject({ severity: 'info', detail: 'Lefthook' });
    const hook = join(repo.dir, '.git', 'hooks', 'prepare-commit-msg');
    writeFileSync(hook, '#!/bin/sh\n\ncall_lefthook run "prepare-commit-msg" "$@"\n');
    expect(diagnose(repo).get('git-hooks-overwritten')?.detail).toBe('Lefthook');
    diagnose(repo, '--fix');
    expect([...diagnose(repo).keys()]).toEqual(['hook-manager']);
  });

  variation('lines in the hooks of Husky are as good', (repo) => {
    repo.ready();
    repo.git('config', 'core.hooksPath', '.husky/_');
    for (const hook of GIT_HOOKS) {
      repo.write(`.husky/${hook}`, `entire hooks git ${hook} "$@" || true\n`);
      repo.write(`.husky/_/${hook}`, '#!/bin/sh\n. "$(dirname "$0")/h"\n');
      chmodSync(join(repo.dir, '.husky', '_', hook), 0o755);
    }
    expect([...diagnose(repo).keys()]).toEqual(['hook-manager']);
    repo.run('rm', ['.husky/post-commit']);
    expect(diagnose(repo).get('git-hooks-overwritten')?.items).toHaveLength(1);
  });

  variation('agent hooks: missing, a part of them, doubled, of another release, unreadable', (repo) => {
    repo.ready();
    const text = repo.read('.claude/settings.json');
    repo.write('.claude/settings.json', '{"model": "opus"}');
    expect(expectFixed(repo, 'agent-hooks-missing').severity).toBe('error');
    expect(JSON.parse(repo.read('.claude/settings.json')).model).toBe('opus');
    repo.write('.claude/settings.json', text.replace('entire hooks claude-code stop', 'true'));
    expect(expectFixed(repo, 'agent-hooks-incomplete').detail).toBe('14 of 15');
    const stop = { hooks: [{ type: 'command', command: 'entire hooks claude-code stop || true' }] };
    const settings = JSON.parse(text);
    settings.hooks.Stop.push(stop);
    repo.write('.claude/settings.json', JSON.stringify(settings));
    expect(expectFixed(repo, 'agent-hooks-doubled').severity).toBe('warning');
    repo.write('.claude/settings.json', text.replaceAll(' || true', ''));
    expect(expectFixed(repo, 'agent-hooks-outdated').severity).toBe('info');
    repo.write(
      '.claude/settings.json',
      text.replace('{', '{"permissions": {"deny": ["Read(./.entire/metadata/**)"]},'),
    );
    expectFixed(repo, 'agent-settings-obsolete');
    repo.write('.claude/settings.json', '{');
    expect(diagnose(repo, '--fix').get('agent-settings-unreadable')).toMatchObject({ repair: null });
    expect(repo.read('.claude/settings.json')).toBe('{');
  });

  variation('the program is not on PATH, does not run, or is another one', (repo) => {
    repo.ready();
    const doctor = (env: Record<string, string>) => {
      const { stdout } = repo.run(join(repo.build.bin, 'entire'), ['doctor', '--json'], { env });
      return JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
    };
    expect(doctor({ PATH: '/usr/bin:/bin' })).toEqual(['not-on-path']);
    expect(doctor(withProgram(repo, 'entire', 'echo oh >&2', 'exit 3'))).toEqual(['path-program-broken']);
    const other = withProgram(repo, 'entire', 'echo "Entire CLI 0.4.4 (abc)"');
    expect(doctor(other)).toContain('path-other-version');
    // What npm puts on PATH is there for programs it starts, not for an agent.
    const bin = join(repo.scratch, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    repo.run('ln', ['-s', join(repo.build.bin, 'entire'), join(bin, 'entire')]);
    expect(doctor({ PATH: `${bin}:/usr/bin:/bin`, npm_execpath: '/npm' })).toEqual(['not-on-path']);
  });

  variation('settings: not set up, disabled, switched off, unreadable, misspelt', (repo) => {
    repo.init().git('commit', '--quiet', '--allow-empty', '-m', 'init');
    const codes = () => [...diagnose(repo).keys()];
    expect(codes()).toEqual(['not-set-up']);
    repo.entire('enable');
    expect([...diagnoseIn(repo, { env: { ENTIRE: '0' } }).keys()]).toEqual(['switched-off']);
    repo.entire('disable');
    expect(diagnose(repo).get('disabled')?.items).toEqual(['.entire/settings.local.json']);
    repo.entire('disable', '--project');
    repo.run('rm', ['.entire/settings.local.json']);
    expect(diagnose(repo).get('disabled')?.items).toEqual(['.entire/settings.json']);
    repo.write('.entire/settings.json', '{"enabled": true,}');
    expect(codes()).toEqual(['settings-unreadable']);
    repo.write('.entire/settings.json', '{"enabled": true, "enbaled": 1, "strategy": "other"}');
    expect(codes()).toEqual(['settings-unknown-key', 'strategy-unknown']);
    repo.write('.entire/settings.json', '{"enabled": true, "strategy_options": {"push_sessions": true}}');
    repo.git('config', '--unset', 'entire.pushSessions');
    repo.git('config', 'entire.pushSession', 'true');
    const found = diagnose(repo);
    expect(found.get('settings-not-heard')?.items).toEqual([
      '.entire/settings.json: strategy_options.push_sessions',
    ]);
    expect(found.get('settings-unknown-key')?.items).toEqual(['git config: entire.pushsession']);
    repo.git('config', 'entire.pushSessions', 'true');
    repo.git('config', '--unset', 'entire.pushSession');
    repo.write('.entire/settings.json', '{"strategy_options": {"checkpoint_remote": "github:a/b"}}');
    expect(codes()).toEqual(['checkpoint-remote-not-agreed']);
    repo.git('config', 'entire.pushSessions', 'false');
    repo.write('.entire/settings.json', '{"enabled": true, "log_level": 3}');
    expect(codes()).toEqual(['settings-unreadable']); // hooks can, commands cannot
  });

  variation('rules for redaction that cannot be used', (repo) => {
    repo.ready().write('.entire/settings.local.json', '{"redaction": {"custom_redactions": {"x": "("}}}');
    expect([...diagnose(repo).keys()]).toEqual(['redaction-rule-unusable']);
  });

  variation('a git folder that is read-only', (repo, skip) => {
    repo.ready();
    freeze(repo, skip);
    const found = diagnose(repo).get('not-writable');
    expect(found?.items).toContain(join(repo.dir, '.git'));
    expect(found).toMatchObject({ severity: 'error', fixable: false });
  });

  variation('files of somebody else', (repo, skip) => {
    if (process.getuid?.() !== 0) skip('only root can give files away');
    const session = withWork(repo);
    const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
    repo.run('chown', ['1234', file]);
    expect(diagnose(repo).get('wrong-owner')?.items).toEqual([file]);
  });

  variation('a repository that git refuses', (repo, skip) => {
    if (process.getuid?.() !== 0) skip('only root can give folders away');
    repo.ready();
    repo.run('chown', ['-R', '1234', repo.dir]);
    const found = diagnose(repo);
    repo.run('chown', ['-R', '0', repo.dir]);
    expect([...found.keys()]).toContain('check-failed');
    expect(found.get('check-failed')?.detail).toContain('dubious ownership');
  });

  variation('--fix that fails says so, and the exit status too', (repo, skip) => {
    repo.ready();
    repo.run('rm', ['.git/hooks/post-commit']);
    freeze(repo, skip);
    const { stdout, code } = repo.tryEntire('doctor', '--fix');
    expect(stdout).toMatch(/✕ Not fixed\n {4}failed: failed to install git hooks: post-commit: /);
    expect(code).toBe(1);
  });
});
