import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commitAt as commit, MESSAGE, SYSTEM_PATH, script, withProbe } from '../support/command/probe.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { withCommit } from '../support/repository/set-up.ts';

describe('git hooks', () => {
  onBothBuilds('call us with the arguments of git, and never block, whatever we do', (repo) => {
    withCommit(repo).entire('enable');
    const { env, calls } = withProbe(repo);
    expect(commit(repo, env, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    repo.git('init', '--quiet', '--bare', '../remote.git');
    expect(repo.run('git', ['push', '--quiet', '../remote.git', 'main'], { env }).code).toBe(0);
    commit(repo, env, '--quiet', '--amend', '--no-edit');
    repo.git('branch', 'topic', 'HEAD~1');
    expect(repo.run('git', ['rebase', '--quiet', '--force-rebase', 'topic'], { env }).code).toBe(0);
    repo.git('switch', '--quiet', 'topic');
    expect(repo.run('git', ['merge', '--quiet', 'main'], { env })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(calls().filter((call) => !call.includes('commit'))).toEqual([
      'entire pre-push ../remote.git',
      'entire post-rewrite amend',
      'entire post-rewrite rebase',
      'entire post-merge 0',
    ]);
    expect(calls().slice(0, 3)).toEqual([
      `entire prepare-commit-msg ${MESSAGE} message`,
      `entire commit-msg ${MESSAGE}`,
      'entire post-commit',
    ]);
  });

  variation('with ENTIRE=0 do not call us, and whatever else is chained runs', (repo) => {
    withCommit(repo);
    script(repo, '.git/hooks/post-commit', 'echo "theirs" >>"$LOG"');
    repo.entire('enable');
    const { env, calls } = withProbe(repo);
    expect(commit(repo, { ...env, ENTIRE: '0' }, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(calls()).toEqual(['theirs']);
    expect(repo.verdict()).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), reason: 'switched-off' });
    repo.entire('enable', '--absolute-git-hook-path');
    expect(commit(repo, { ...env, ENTIRE: '0' }, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(calls()).toEqual(['theirs', 'theirs']);
  });

  variation('with ENTIRE=0 write the verdict into nothing but a file', (repo) => {
    withCommit(repo).entire('enable');
    const verdicts = join(repo.commonDir, 'entire', 'verdicts.jsonl');
    mkdirSync(join(repo.commonDir, 'entire'), { recursive: true });
    repo.run('mkfifo', [verdicts]);
    expect(commit(repo, { ENTIRE: '0' }, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    repo.run('rm', [verdicts]);
    repo.run('ln', ['-s', join(repo.dir, 'elsewhere'), verdicts]);
    expect(commit(repo, { ENTIRE: '0' }, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(repo.exists('elsewhere')).toBe(false);
    repo.run('rm', [verdicts]);
  });

  variation('are silent on a machine without entire', (repo) => {
    withCommit(repo).entire('enable');
    expect(commit(repo, { PATH: SYSTEM_PATH }, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    repo.entire('disable');
    expect(commit(repo, {}, '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  onBothBuilds('run what was there: prepare-commit-msg before us, the others after', (repo) => {
    withCommit(repo);
    const hooks = ['prepare-commit-msg', 'commit-msg', 'post-commit'];
    for (const hook of hooks) script(repo, `.git/hooks/${hook}`, `echo "mine ${hook} $*" >>"$LOG"`);
    expect(repo.entire('enable').stderr).toContain(
      '[entire] Backed up existing commit-msg to commit-msg.pre-entire\n',
    );
    const { env, calls } = withProbe(repo);
    commit(repo, env);
    expect(calls()).toEqual([
      `mine prepare-commit-msg ${MESSAGE} message`,
      `entire prepare-commit-msg ${MESSAGE} message`,
      `entire commit-msg ${MESSAGE}`,
      `mine commit-msg ${MESSAGE}`,
      'entire post-commit',
      'mine post-commit ',
    ]);
  });

  variation('what was there decides whether the commit goes through', (repo) => {
    for (const hook of ['prepare-commit-msg', 'commit-msg']) {
      withCommit(repo);
      script(repo, `.git/hooks/${hook}`, 'echo no >&2', 'exit 7');
      repo.entire('enable');
      expect(commit(repo, {}), hook).toMatchObject({ code: 1, stderr: 'no\n' });
      repo.entire('disable', '--uninstall', '--force');
      expect(repo.read(`.git/hooks/${hook}`)).toContain('exit 7');
      repo.git('config', 'core.hooksPath', '.git/hooks');
      expect(commit(repo, {}), hook).toMatchObject({ code: 1, stderr: 'no\n' });
      repo.run('rm', [`.git/hooks/${hook}`]);
    }
  });

  onBothBuilds('pre-push hands its stdin to everything that was there, untouched', (repo) => {
    withCommit(repo);
    const keep = (n: number) => `{ echo "hook ${n} $1"; cat; } >>"$LOG"`;
    script(repo, '.git/hooks/pre-push', keep(1));
    repo.entire('enable');
    const { env, calls } = withProbe(repo);
    repo.git('init', '--quiet', '--bare', '../remote.git');
    const head = repo.git('rev-parse', 'HEAD');
    const line = (ref: string) => `refs/heads/main ${head} refs/heads/${ref} ${'0'.repeat(40)}`;
    expect(repo.run('git', ['push', '-q', '../remote.git', 'main', 'main:two'], { env }).code).toBe(0);
    expect(calls()).toEqual([
      'entire pre-push ../remote.git',
      'hook 1 ../remote.git',
      line('main'),
      line('two'),
    ]);

    script(repo, '.git/hooks/pre-push', keep(2)); // a hook manager came by
    repo.entire('enable');
    writeFileSync(env.LOG as string, '');
    expect(repo.run('git', ['push', '-q', '../remote.git', 'main:three'], { env }).code).toBe(0);
    expect(calls().slice(1)).toEqual([
      'hook 1 ../remote.git',
      line('three'),
      'hook 2 ../remote.git',
      line('three'),
    ]);
  });

  variation('several processes that install at once keep what was there, once', (repo) => {
    withCommit(repo);
    script(repo, '.git/hooks/commit-msg', 'echo mine');
    const mine = repo.read('.git/hooks/commit-msg');
    repo.run('sh', ['-c', 'for n in 1 2 3 4 5 6; do entire enable & done; wait']);
    expect(repo.read('.git/hooks/commit-msg.pre-entire')).toBe(mine);
    expect(repo.exists('.git/hooks/commit-msg.pre-entire.1')).toBe(false);
    expect(repo.read('.claude/settings.json').match(/entire hooks claude-code/g)).toHaveLength(15);
    expect(repo.entire('enable').stdout).toContain('Already enabled');
    repo.entire('disable', '--uninstall', '--force');
    expect(repo.read('.git/hooks/commit-msg')).toBe(mine);
    expect(repo.exists('.claude/settings.json')).toBe(false);
  });

  variation('a script that git did not run is kept, not run, and named', (repo) => {
    withCommit(repo).write('.git/hooks/commit-msg', '#!/bin/sh\nexit 1\n');
    expect(repo.entire('enable').stderr).toContain('Warning: commit-msg.pre-entire is not executable');
    expect(commit(repo, {}).code).toBe(0);
  });

  onBothBuilds('are installed where Husky has them, and Husky still finds its own by name', (repo) => {
    withCommit(repo);
    script(
      repo,
      '.husky/_/h', // as Husky 9 writes it, without its comments
      'n=$(basename "$0")',
      's=$(dirname "$(dirname "$0")")/$n',
      '[ ! -f "$s" ] && exit 0',
      'sh -e "$s" "$@"',
      'c=$?',
      '[ $c != 0 ] && echo "husky - $n script failed (code $c)"',
      'exit $c',
    );
    for (const hook of ['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-push'])
      repo.write(`.husky/_/${hook}`, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"');
    for (const hook of ['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-push'])
      chmodSync(join(repo.dir, `.husky/_/${hook}`), 0o755);
    repo.write('.husky/prepare-commit-msg', 'echo "husky prepare $*" >>"$LOG"');
    repo.write('.husky/commit-msg', 'echo "husky $1" >>"$LOG"; grep -q work "$1"');
    repo.git('config', 'core.hooksPath', '.husky/_');
    repo.entire('enable');
    expect(repo.exists('.git/hooks/commit-msg')).toBe(false);
    const { env, calls } = withProbe(repo);
    expect(commit(repo, env).code).toBe(0);
    expect(calls()).toEqual([
      `husky prepare ${MESSAGE} message`,
      `entire prepare-commit-msg ${MESSAGE} message`,
      `entire commit-msg ${MESSAGE}`,
      `husky ${MESSAGE}`,
      'entire post-commit',
    ]);
    const refused = repo.run('git', ['commit', '--allow-empty', '-m', 'play'], { env });
    expect(refused.code).toBe(1);
    repo.run('cp', ['.husky/_/commit-msg.pre-entire', '.husky/_/commit-msg']); // npm install
    expect(repo.entire('enable').stderr).toBe('');
    repo.entire('disable', '--uninstall', '--force');
    expect(repo.read('.husky/_/commit-msg')).toBe('#!/usr/bin/env sh\n. "$(dirname "$0")/h"');
    expect(repo.git('config', 'core.hooksPath')).toBe('.husky/_');
  });

  variation('a folder of all repositories is not written to without being told', (repo) => {
    withCommit(repo).git('config', '--global', 'core.hooksPath', '~/.githooks');
    const refused = repo.tryEntire('enable');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `git takes its hooks from ${repo.home}/.githooks, outside of this repository`,
    );
    const lines = Array.from(refused.stderr.matchAll(/^ {2}(\S+):\n {6}(.*)$/gm), ([, hook, line]) => [
      hook,
      line,
    ]);
    expect(lines.map(([hook]) => hook)).toEqual([
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
      'pre-push',
      'post-rewrite',
      'post-merge',
    ]);
    expect(repo.git('status', '--porcelain')).toBe('');

    for (const [hook, line] of lines)
      script(repo, `../home/.githooks/${hook}`, `${line}`, 'echo mine >/dev/null');
    expect(repo.entire('enable').stdout).toContain('Ready.');
    expect(repo.entire('enable').stdout).toContain('Already enabled');
    const { env, calls } = withProbe(repo);
    commit(repo, env);
    expect(calls()).toHaveLength(3);
    repo.entire('disable', '--uninstall', '--force');
    expect(readFileSync(join(repo.home, '.githooks/commit-msg'), 'utf8')).toContain('echo mine');

    repo.git('config', '--global', 'core.hooksPath', '~/.others');
    expect(repo.tryEntire('enable').code).toBe(1);
    repo.entire('enable', '--force');
    expect(readFileSync(join(repo.home, '.others/commit-msg'), 'utf8')).toContain('Entire CLI hooks');
  });

  variation('work in a linked worktree and from a sub-directory', (repo) => {
    withCommit(repo).entire('enable');
    repo.git('worktree', 'add', '--quiet', '../tree');
    const cwd = join(repo.scratch, 'tree', 'sub');
    mkdirSync(cwd);
    const { env, calls } = withProbe(repo);
    repo.gitWith({ cwd, env }, 'commit', '--quiet', '--allow-empty', '-m', 'work');
    expect(calls().map((call) => call.split(' ')[1])).toEqual([
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
    ]);
  });

  variation('with --absolute-git-hook-path they need no PATH', (repo) => {
    withCommit(repo).entire('enable', '--agent', 'claude-code', '--absolute-git-hook-path');
    expect(JSON.parse(repo.read('.entire/settings.json')).absolute_git_hook_path).toBe(true);
    const [, command] =
      /then (.*) hooks git post-commit \|\| true$/m.exec(repo.read('.git/hooks/post-commit')) ?? [];
    const { stdout } = repo.run('sh', ['-c', `${command} version`], { env: { PATH: SYSTEM_PATH } });
    expect(stdout).toContain('Entire CLI');
    expect(repo.entire('enable').stdout).toContain('Already enabled');
    repo.entire('enable', '--absolute-git-hook-path=false', '--project');
    expect(repo.read('.git/hooks/post-commit')).not.toContain(`${command} hooks`);
  });
});
