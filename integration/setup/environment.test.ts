import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const hooksOf = (repo: TestRepo) => join(repo.dir, '.git', 'hooks');

describe('surroundings', () => {
  onBothBuilds('hooks fired in a sub-directory work at the root only', (repo) => {
    repo.ready();
    const sub = join(repo.dir, 'packages', 'web');
    mkdirSync(sub, { recursive: true });
    const session = repo.session();
    session.hook(
      'user-prompt-submit',
      'UserPromptSubmit',
      { cwd: sub, prompt: 'create a.txt' },
      { cwd: sub },
    );
    expect(repo.exists(`.entire/tmp/pre-prompt-${session.id}.json`)).toBe(true);
    expect(existsSync(join(sub, '.entire'))).toBe(false);
    session.edit('packages/web/a.txt', 'one\n');
    session.hook('stop', 'Stop', { cwd: sub }, { cwd: sub });
    expect(repo.state(session.id)).toMatchObject({
      checkpoint_count: 1,
      files_touched: ['packages/web/a.txt'],
    });
    expect(repo.exists(`.entire/tmp/pre-prompt-${session.id}.json`)).toBe(false);
    expect(existsSync(join(sub, '.entire'))).toBe(false);
  });

  scenario(
    'git hooks deleted or overwritten come back at the next prompt, foreign ones are kept and run',
    (repo) => {
      repo.ready();
      const session = repo.session();
      rmSync(join(hooksOf(repo), 'post-commit'));
      const marker = join(repo.scratch, 'foreign-ran');
      writeFileSync(join(hooksOf(repo), 'commit-msg'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
      session.prompt('create a.txt');
      expect(readFileSync(join(hooksOf(repo), 'post-commit'), 'utf8')).toContain('Entire CLI hooks');
      expect(readFileSync(join(hooksOf(repo), 'commit-msg'), 'utf8')).toContain('Entire CLI hooks');
      expect(readFileSync(join(hooksOf(repo), 'commit-msg.pre-entire'), 'utf8')).toContain(marker);
      session.edit('a.txt', 'one\n');
      session.stop();
      expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
      expect(existsSync(marker)).toBe(true);
    },
  );

  scenario('disabled, a prompt writes no snapshot and a commit gets no trailer', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.entire('disable');
    session.prompt('more');
    expect(repo.exists(`.entire/tmp/pre-prompt-${session.id}.json`)).toBe(false);
    expect(repo.commit('Add a', 'a.txt')).toBeUndefined();
    expect(repo.entire('status').stdout).toContain('Disabled (manual-commit)');
  });

  onBothBuilds(
    'with log level debug a git hook writes JSON lines, without a session without session_id',
    (repo) => {
      repo.ready();
      repo.write('a.txt', 'mine\n').git('add', 'a.txt');
      repo.gitWith({ env: { ENTIRE_LOG_LEVEL: 'debug' } }, 'commit', '--quiet', '-m', 'Mine');
      const lines = repo
        .logText()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const ours = lines.filter((line) => line.hook === 'post-commit');
      expect(ours.length).toBeGreaterThan(0);
      for (const line of ours) {
        expect(line).toMatchObject({ component: 'hooks', hook_type: 'git', level: 'DEBUG' });
        expect(line).not.toHaveProperty('session_id');
      }
    },
  );

  scenario('without a git identity nothing is blocked', (repo) => {
    repo.ready();
    repo.git('config', '--unset', 'user.name');
    repo.git('config', '--unset', 'user.email');
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const [branch] = repo.shadowBranches();
    expect(repo.git('log', '-1', '--format=%an <%ae>', branch as string)).toBe('Unknown <unknown@local>');
    repo.git('add', 'a.txt');
    repo.git(
      '-c',
      'user.name=Somebody',
      '-c',
      'user.email=s@example.com',
      'commit',
      '--quiet',
      '-m',
      'Add a',
    );
    expect(repo.checkpointOf('HEAD')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('a linked worktree without settings of its own follows the main worktree', (repo) => {
    repo.init().write('README.md', 'base\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code'); // the set-up stays untracked
    const linked = join(repo.scratch, 'linked');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    repo.dir = linked;
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('a repository that is not enabled is left untouched, even with our hooks in it', (repo) => {
    repo.ready();
    repo.run('rm', ['-r', join(repo.dir, '.entire')]);
    repo.git('commit', '--quiet', '-am', 'Remove the set-up');
    const session = repo.session();
    session.start();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    expect(repo.commit('Add a', 'a.txt')).toBeUndefined();
    expect(repo.exists('.entire')).toBe(false);
    expect(existsSync(join(repo.commonDir, 'entire-sessions'))).toBe(false);
  });

  variation(
    "a captured transcript of the real client goes through unchanged, with what the real client's tools did",
    (repo) => {
      repo.ready();
      const session = repo.session('f947edb3-1e50-4344-8bf1-34bcf22d5471');
      session.hook('user-prompt-submit', 'UserPromptSubmit');
      repo.write('src/hello.txt', 'hello from the mock\nsecond line\n');
      session.hook('post-file-edit', 'PostToolUse-Write-create');
      repo.write('README.md', '# demo\n\nbase line, edited by the agent\n');
      session.hook('post-file-edit', 'PostToolUse-Edit');
      session.useCaptured('basic');
      session.hook('stop', 'Stop');
      const id = repo.commit('Add hello', 'src/hello.txt', 'README.md') as string;
      expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
        files_touched: ['README.md', 'src/hello.txt'],
      });
      expect(repo.stored(id, '0/prompt.txt').split('\n\n---\n\n')[0]).toBe(
        'TURN-ONE: please create hello.txt',
      );
      expect(repo.stored(id, '0/full.jsonl')).toBe(session.read().trimEnd());
    },
  );

  variation('a clone goes on from the checkpoints that its origin has', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt') as string;
    const origin = repo.dir;
    repo.dir = join(repo.scratch, 'clone');
    repo.gitWith({ cwd: origin }, 'clone', '--quiet', origin, repo.dir);
    repo.session().prompt('hello');
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(
      repo.git('rev-parse', 'origin/entire/checkpoints/v1'),
    );
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(session.id);
  });
});
