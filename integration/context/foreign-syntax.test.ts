import { expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import { withCommit } from '../support/repository/set-up.ts';

variation(
  'refuses settings that only we could read: Claude Code passes over a file with a comment',
  (repo) => {
    const commented = '{\n  // mine\n  "model": "opus"\n}\n';
    const reason = '.claude/settings.json, line 2: a comment; Claude Code does not read a file with one';
    withCommit(repo).write('.claude/settings.json', commented);
    expect(repo.tryEntire('enable')).toMatchObject({ code: 1, stdout: '' });
    expect(repo.tryEntire('enable', '--agent', 'claude-code').stderr).toContain(`Error: ${reason}`);
    expect(repo.read('.claude/settings.json')).toBe(commented);
    // It came later: nothing says that hooks are installed, and everything says why.
    repo.write('.claude/settings.json', '{}\n').entire('enable');
    const installed = repo.read('.claude/settings.json');
    repo.write('.claude/settings.json', installed.replace('\n', '\n  // mine\n'));
    const { stdout } = repo.entire('status');
    expect(stdout).toContain(reason);
    expect(stdout).not.toContain('Claude Code: 15');
    for (const args of [['doctor'], ['doctor', '--self-test']]) {
      const found = repo.tryEntire(...args);
      expect(found.code).toBe(1);
      expect(found.stdout).toContain('settings cannot be read [agent-settings-unreadable]');
    }
    expect(repo.tryEntire('doctor').stdout).toContain(reason);
    repo.entire('disable', '--uninstall', '--force');
    expect(repo.read('.claude/settings.json')).not.toContain('entire');
  },
);
