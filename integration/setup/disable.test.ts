import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, withWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { settings, withCommit } from '../support/repository/set-up.ts';

describe('disable', () => {
  onBothBuilds('writes the local file, the project file with --project, and is idempotent', (repo) => {
    withCommit(repo).entire('enable', '--agent', 'claude-code');
    const project = repo.read('.entire/settings.json');
    expect(repo.entire('disable').stdout).toBe('Entire is now disabled.\n');
    expect(repo.entire('disable').stdout).toBe('Entire is now disabled.\n');
    expect(repo.read('.entire/settings.json')).toBe(project);
    expect(settings(repo, 'settings.local.json')).toEqual({
      enabled: false,
      strategy_options: { push_sessions: false },
    });
    const { stdout } = repo.entire('enable', '--agent', 'claude-code');
    expect(stdout).toContain('Info: .entire/settings.local.json had switched Entire off');
    expect(repo.entire('disable', '--project').stdout).toBe(
      'Entire is now disabled in .entire/settings.json, but .entire/settings.local.json still enables it in this worktree.\n',
    );
    expect(settings(repo).enabled).toBe(false);
  });

  variation('outside of a repository refuses and creates nothing', (repo) => {
    expect(repo.tryEntire('disable')).toMatchObject({ code: 1, stdout: '' });
    expect(repo.tryEntire('disable', '--uninstall').stderr).toContain(
      'Not a git repository. Nothing to uninstall.',
    );
    expect(repo.exists('.entire')).toBe(false);
  });

  variation('--uninstall leaves the repository as it was, but for the metadata branch', (repo) => {
    const mine = '{\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}';
    withCommit(repo)
      .write('.claude/settings.json', mine)
      .write('.git/hooks/commit-msg', '#!/bin/sh\nexit 0\n');
    chmodSync(join(repo.dir, '.git/hooks/commit-msg'), 0o755);
    const config = repo.read('.git/config');
    repo.entire('enable', '--push-sessions');
    expect(repo.read('.git/config')).not.toBe(config);
    const head = repo.git('rev-parse', 'HEAD');
    repo.git('branch', `entire/${head.slice(0, 7)}-e3b0c4`);
    repo.git('branch', 'entire/my-own');
    repo.write('.git/entire-sessions/a.json', '{}').write('.git/entire-sessions/a.files', 'x\n');

    const refused = repo.tryEntire('disable', '--uninstall');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toMatchInlineSnapshot(`
      "
      This will completely remove Entire from this repository:
        - .entire/ directory
        - Git hooks (prepare-commit-msg, commit-msg, post-commit, pre-push, post-rewrite, post-merge)
        - Session state files (1)
        - Step branches (1)
        - Agent hooks (Claude Code)
        - Your answer about session logs in git's configuration

      "
    `);
    expect(refused.stderr).toContain('--force');
    expect(repo.exists('.entire/settings.json')).toBe(true);

    expect(repo.entire('disable', '--uninstall', '--force').stdout).toMatchInlineSnapshot(`
      "
      Uninstalling Entire CLI...
        Removed Claude Code hooks
        Removed git hooks (6)
        Removed session states (1)
        Removed .entire directory
        Removed 1 step branch
        Removed your answer about session logs from git's configuration

      Entire CLI uninstalled successfully.
      "
    `);
    expect(repo.read('.claude/settings.json')).toBe(mine);
    expect(repo.read('.git/config')).toBe(config);
    expect(repo.read('.git/hooks/commit-msg')).toBe('#!/bin/sh\nexit 0\n');
    for (const gone of ['.entire', '.git/entire', '.git/entire-sessions', '.git/hooks/post-commit'])
      expect(repo.exists(gone), gone).toBe(false);
    expect(repo.branches()).toEqual(['entire/checkpoints/v1', 'entire/my-own', 'main']);
    expect(repo.entire('disable', '--uninstall').stdout).toBe(
      'Entire is not installed in this repository.\n',
    );
  });

  variation('--uninstall takes what it wrote into a folder of Husky, and nothing of others', (repo) => {
    withCommit(repo).git('config', 'core.hooksPath', '.husky/_');
    const round = () => {
      repo.entire('enable', '--agent', 'claude-code');
      expect(repo.exists('.husky/_/post-commit')).toBe(true);
      const ignored = repo.read('.husky/_/.gitignore');
      repo.entire('disable', '--uninstall', '--force');
      expect(repo.exists('.husky/_/post-commit')).toBe(false);
      return ignored;
    };
    expect(round()).toBe('*\n');
    expect(repo.exists('.husky/_')).toBe(false);
    repo.write('.husky/_/.gitignore', '*').write('.husky/_/h', '# Husky\n');
    expect(round()).toBe('*');
    expect(repo.read('.husky/_/.gitignore')).toBe('*');
    // Somebody else's, with the same text.
    repo.write('.husky/_/.gitignore', '*\n');
    expect(round()).toBe('*\n');
    expect(repo.read('.husky/_/h')).toBe('# Husky\n');
    expect(repo.read('.husky/_/.gitignore')).toBe('*\n');
    rmSync(join(repo.dir, '.husky/_/h'));
    repo.git('add', '--force', '.husky/_/.gitignore');
    round();
    expect(repo.read('.husky/_/.gitignore')).toBe('*\n');
  });

  variation('--uninstall goes on past what it cannot remove, and says so', (repo) => {
    withCommit(repo).entire('enable');
    repo.write('.claude/settings.json', '{ broken');
    const result = repo.tryEntire('disable', '--uninstall', '--force');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(
      'Warning: failed to remove Claude Code hooks: .claude/settings.json, line 1',
    );
    expect(result.stderr).toContain('Error: Entire CLI is uninstalled, except for what the warnings name.');
    expect(repo.exists('.entire')).toBe(false);
    expect(repo.read('.claude/settings.json')).toBe('{ broken');
  });
});

variation('--uninstall names what is stored nowhere else before it takes it away', (repo) => {
  withWork(repo);
  const refused = repo.tryEntire('disable', '--uninstall');
  expect(refused.stdout).toContain('  - What undo keeps (1 session)\n');
  expect(repo.entire('undo', '--dry-run').stdout).toContain('a.txt');
  expect(repo.entire('disable', '--uninstall', '--force').stdout).toContain(
    'Removed what undo kept (1 session)',
  );
  expect(repo.exists('.git/entire')).toBe(false);
  expect(repo.read('a.txt')).toBe('one\n');
});

variation('--uninstall takes the folder away in all worktrees of the repository, and names them', (repo) => {
  withWork(repo);
  repo.git('worktree', 'add', '--quiet', '-b', 'topic', '../tree');
  repo.git('worktree', 'add', '--quiet', '-b', 'gone', '../gone');
  const main = repo.dir;
  // Something else lies there now.
  const gone = join(repo.scratch, 'gone');
  repo.run('rm', ['-r', gone]);
  repo.gitWith({ cwd: repo.scratch }, 'init', '--quiet', gone);
  repo.run('mkdir', ['-p', join(gone, '.entire')]);
  repo.dir = join(repo.scratch, 'tree');
  addWork(repo, { 'b.txt': 'two\n' });
  expect(existsSync(join(repo.dir, '.entire/metadata'))).toBe(true);
  for (const [here, other] of [
    [main, repo.dir],
    [repo.dir, main],
  ] as const) {
    repo.dir = here;
    expect(repo.tryEntire('disable', '--uninstall').stdout).toContain(`  - .entire/ directory of ${other}\n`);
  }
  repo.entire('disable', '--uninstall', '--force');
  for (const dir of [main, repo.dir]) expect(existsSync(join(dir, '.entire')), dir).toBe(false);
  expect(existsSync(join(gone, '.entire'))).toBe(true);
  repo.dir = main;
});
