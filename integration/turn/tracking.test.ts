import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { payload } from '../support/agent/payloads.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs the edit hook with a captured payload, some values replaced. */
function edit(
  repo: TestRepo,
  captured: string,
  more: Record<string, unknown>,
  cwd = repo.dir,
  env: Record<string, string> = {},
) {
  const values = { ...payload(captured, repo.places), session_id: 's1', cwd, ...more };
  return repo.hook('post-file-edit', JSON.stringify(values), { cwd, env });
}

describe('post-file-edit', () => {
  onBothBuilds('records every tool that names what it changed, and prints nothing', (repo) => {
    repo.ready();
    for (const captured of [
      'PostToolUse-Write-create',
      'PostToolUse-Write-update',
      'PostToolUse-Edit',
      'PostToolUse-NotebookEdit',
    ]) {
      const result = edit(repo, captured, {});
      expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    edit(repo, 'PostToolUse-Edit', {
      tool_name: 'MultiEdit',
      tool_input: { file_path: join(repo.dir, 'multi.txt') },
    });
    expect(repo.tracked('s1')).toEqual(['src/hello.txt', 'a.txt', 'README.md', 'nb.ipynb', 'multi.txt']);
  });

  variation(
    'records what a shell command changed, when the client says so, and nothing that was only read',
    (repo) => {
      repo.ready();
      edit(repo, 'PostToolUse-Bash-with-edit-diff', {});
      expect(repo.tracked('s1')).toEqual(['.claude/settings.local.json']);
      edit(repo, 'PostToolUse-Bash', {});
      edit(repo, 'PostToolUse-Read', {});
      edit(repo, 'PostToolUse-TodoWrite', {});
      expect(repo.tracked('s1')).toHaveLength(1);
    },
  );

  variation('resolves relative paths against the folder the agent is in', (repo) => {
    repo.ready();
    const sub = join(repo.dir, 'packages', 'web');
    mkdirSync(sub, { recursive: true });
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: 'index.ts' } }, sub);
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: '../api/main.ts' } }, sub);
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(repo.dir, 'top.ts') } }, sub);
    edit(repo, 'PostToolUse-Write-relative', {}, sub);
    expect(repo.tracked('s1')).toEqual([
      'packages/web/index.ts',
      'packages/api/main.ts',
      'top.ts',
      'sub/dir/rel-in-sub.txt',
    ]);
    expect(repo.exists('packages/web/.entire')).toBe(false);
  });

  variation('ignores paths outside the repository, in .git and in .entire', (repo) => {
    repo.ready();
    const outside = [
      join(repo.scratch, 'x.txt'),
      '/etc/hosts',
      join(repo.dir, '.git', 'config'),
      join(repo.dir, '.entire', 'a'),
      '../x.txt',
      repo.dir,
    ];
    for (const path of outside) edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: path } });
    expect(repo.tracked('s1')).toEqual([]);
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(repo.dir, '..foo') } });
    expect(repo.tracked('s1')).toEqual(['..foo']);
  });

  variation('refuses a path that does not fit on one line, and says so', (repo) => {
    repo.ready();
    for (const name of ['a\nb', 'a\rb', 'a\0b']) {
      edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(repo.dir, name) } });
    }
    expect(repo.tracked('s1')).toEqual([]);
    expect(repo.logText().match(/"level":"WARN"/g)).toHaveLength(3);
  });

  variation('finds the repository behind a link, whichever name the agent uses', (repo) => {
    repo.ready();
    const link = join(repo.scratch, 'link');
    symlinkSync(repo.dir, link);
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(link, 'src', 'a.ts') } }, link);
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(repo.dir, 'b.ts') } }, link);
    edit(
      repo,
      'PostToolUse-Write-create',
      { tool_input: { file_path: join(link, 'c.ts') } },
      realpathSync(repo.dir),
    );
    expect(repo.tracked('s1')).toEqual(['src/a.ts', 'b.ts', 'c.ts']);
  });

  variation('a path is tracked in the worktree it belongs to', (repo) => {
    repo.ready();
    const linked = join(repo.scratch, 'linked');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    const env = { CLAUDE_PROJECT_DIR: repo.dir };
    edit(
      repo,
      'PostToolUse-Write-create',
      { tool_input: { file_path: join(repo.dir, 'main.ts') } },
      repo.dir,
      env,
    );
    edit(
      repo,
      'PostToolUse-Write-create',
      { tool_input: { file_path: join(linked, 'side.ts') } },
      linked,
      env,
    );
    expect(repo.tracked('s1')).toEqual(['main.ts']);
    expect(repo.tracked('s1@linked')).toEqual(['side.ts']);

    edit(
      repo,
      'PostToolUse-Write-create',
      { session_id: 's2', tool_input: { file_path: join(linked, 'own.ts') } },
      linked,
    );
    expect(repo.tracked('s2')).toEqual(['own.ts']);
  });

  variation(
    'a session in a linked worktree has its own shadow branch, and its commits are linked',
    (repo) => {
      repo.ready();
      const linked = join(repo.scratch, 'linked');
      repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
      const main = repo.dir;
      repo.dir = linked;
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.stop();
      expect(repo.shadowBranches()[0]).not.toMatch(/-e3b0c4$/);
      expect(repo.state(session.id)).toMatchObject({ worktree_path: linked, worktree_id: 'linked' });
      expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
      expect(repo.shadowBranches()).toEqual([]);
      repo.dir = main;
      repo.write('mine.txt', 'mine\n');
      expect(repo.commit('Mine', 'mine.txt')).toBeUndefined();
      expect(repo.verdict().reason).toBe('no-session');
    },
  );

  variation('follows each file to its own repository', (repo) => {
    repo.ready();
    const other = join(repo.scratch, 'other');
    mkdirSync(join(other, '.entire'), { recursive: true });
    repo.run('git', ['init', '--quiet', other]);
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(other, 'x.ts') } });
    expect(repo.run('ls', [join(other, '.git')]).stdout).not.toContain('entire-sessions'); // not enabled there
    writeFileSync(join(other, '.entire', 'settings.json'), '{"enabled":true}');
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(other, 'x.ts') } });
    expect(repo.run('cat', [join(other, '.git', 'entire-sessions', 's1.files')]).stdout).toBe('x.ts\n');
    expect(repo.tracked('s1')).toEqual([]);
  });

  variation('does nothing while disabled, with ENTIRE=0, and where nothing is set up', (repo) => {
    repo.ready();
    const path = { tool_input: { file_path: join(repo.dir, 'a.txt') } };
    edit(repo, 'PostToolUse-Write-create', path, repo.dir, { ENTIRE: '0' });
    repo.entire('disable');
    edit(repo, 'PostToolUse-Write-create', path);
    repo.run('rm', ['-r', join(repo.dir, '.entire')]);
    edit(repo, 'PostToolUse-Write-create', path);
    expect(repo.tracked('s1')).toEqual([]);
    expect(repo.exists('.entire')).toBe(false);
  });

  variation('with ENTIRE=0 no hook of an agent reads its payload', (repo) => {
    repo.ready();
    const hooks = ['post-file-edit', 'post-file-read', 'user-prompt-submit', 'stop', 'session-end'];
    const names = [...hooks.map((verb) => `claude-code ${verb}`), 'of-nobody stop'];
    writeFileSync(join(repo.scratch, 'payload'), '{"session_id":"s1"}\n');
    // Who comes behind a hook reads on from where it stopped in the file that both were given.
    const lines = names.map((name) => `{ entire hooks ${name}; cat; } <../payload`);
    const left = (env: Record<string, string>) => repo.run('sh', ['-c', lines.join('\n')], { env }).stdout;
    expect(left({ ENTIRE: '0' })).toBe('{"session_id":"s1"}\n'.repeat(names.length));
    expect(left({})).toBe('');
  });

  variation('an edit is on record also where the settings cannot be read', (repo) => {
    repo.ready();
    repo.write('.entire/settings.local.json', '{"enabled": tru');
    edit(repo, 'PostToolUse-Write-create', { tool_input: { file_path: join(repo.dir, 'a.txt') } });
    expect(repo.tracked('s1')).toEqual(['a.txt']);
    expect(repo.logText()).toContain('settings are not read, and permit nothing');
    const { stdout } = repo.entire('status');
    expect(stdout).toMatch(/settings\.local\.json is not read, and permits nothing: /);
    expect(stdout).toContain('Enabled');
  });
});
