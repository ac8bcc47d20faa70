import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const FIRST = '3a6edbc9-58dd-4892-8e75-8c5fe1567bcd';
const SECOND = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';

/** What a client writes to the status line's stdin. @see https://code.claude.com/docs/en/statusline */
const told = (repo: TestRepo, session: string, more: object = {}): string =>
  JSON.stringify({
    ...{ session_id: session, cwd: repo.dir, transcript_path: '/nowhere.jsonl', version: '2.1.330' },
    model: { id: 'claude-opus-5-5', display_name: 'Opus' },
    workspace: { current_dir: repo.dir, project_dir: repo.dir },
    output_style: { name: 'default' },
    ...more,
  });

const line = (repo: TestRepo, input: string, ...args: string[]): string => {
  const { code, stdout, stderr } = repo.run('entire', ['statusline', ...args], { input });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

onBothBuilds('one line says what is recorded, what no commit has, and whose it is', (repo) => {
  expect(line(repo, '')).toBe('');
  repo.ready();
  expect(line(repo, '')).toBe('entire: recording\n');
  const first = repo.session(FIRST);
  first.prompt('write');
  first.edit('a.js', 'a\n');
  first.edit('b.js', 'b\n');
  expect(line(repo, '')).toBe('entire: recording · 2 files uncommitted · Claude 3a6edbc9\n');
  first.stop();
  expect(line(repo, '', '--format', '%n files, %t')).toBe('2 files, 1 step\n');
  addWork(repo, { 'c.js': 'c\n' }, repo.session(SECOND));
  expect(line(repo, '')).toBe('entire: recording · 1 file uncommitted · Claude bee76f83\n');
  expect(line(repo, told(repo, FIRST), '--stdin')).toBe(
    'entire: recording · 2 files uncommitted · Claude 3a6edbc9\n',
  );
  expect(line(repo, told(repo, FIRST, { cwd: '/' }), '--stdin', '--format', '%m %b %w')).toBe(
    'Opus main repo\n',
  );
  repo.commit('Both', 'a.js', 'b.js', 'c.js');
  expect(line(repo, '')).toBe('entire: recording · Claude bee76f83\n');
  expect(line(repo, told(repo, FIRST), '--stdin')).toBe('entire: recording · Claude 3a6edbc9\n');
});

scenario('it says why nothing is recorded, and prints nothing where nothing is set up', (repo) => {
  repo.init();
  expect(line(repo, '')).toBe('');
  repo.ready();
  repo.entire('pause');
  expect(line(repo, '')).toBe('entire: paused\n');
  repo.entire('pause', '--end');
  rmSync(join(repo.dir, '.git/hooks/post-commit'));
  expect(line(repo, '')).toBe('entire: git hooks missing\n');
  repo.git('config', 'core.hooksPath', '.husky');
  expect(line(repo, '')).toBe('entire: recording\n');
  repo.git('config', '--unset', 'core.hooksPath');
  rmSync(join(repo.dir, '.claude/settings.json'));
  expect(line(repo, told(repo, FIRST), '--stdin')).toBe('entire: Claude Code hooks missing\n');
  repo.entire('disable');
  expect(line(repo, '')).toBe('entire: disabled\n');
});

variation(
  'it answers at once, whatever stdin and stdout are, and whatever lies in the files it reads',
  (repo) => {
    repo.ready();
    addWork(repo, { 'a.js': 'a\n' }, repo.session(FIRST));
    const usual = 'entire: recording · 1 file uncommitted · Claude 3a6edbc9\n';
    const shell = (script: string): string =>
      execFileSync('sh', ['-c', script], { cwd: repo.dir, env: repo.env, encoding: 'utf8', timeout: 10_000 });
    expect(shell('entire statusline </dev/null')).toBe(usual);
    expect(shell('entire statusline <&-')).toBe(usual);
    expect(shell('sleep 5 | timeout 2 entire statusline')).toBe(usual);
    expect(shell('entire statusline >&-; echo $?')).toBe('0\n');
    expect(shell('entire statusline | true; echo done')).toBe('done\n');
    for (const input of [
      '{',
      '[]',
      'null',
      '{"session_id":"../../x"}',
      '{"workspace":7,"cwd":[]}',
      '\0'.repeat(9),
    ])
      expect(line(repo, input, '--stdin')).toBe(usual);
    expect(line(repo, told(repo, 'unknown-session'), '--stdin')).toBe('entire: recording\n');
    const hostile = { model: { display_name: '\x1b[31mred\x07\nnext' } };
    expect(line(repo, told(repo, FIRST, hostile), '--stdin', '--format', '%m|%i')).toBe(
      'red next|3a6edbc9\n',
    );
    const own = join(repo.dir, '.git/entire');
    writeFileSync(join(own, 'newest/@'), '\0'.repeat(100));
    expect(line(repo, '')).toBe('entire: recording\n');
    rmSync(join(own, 'newest/@'));
    mkdirSync(join(own, 'newest/@'));
    expect(line(repo, '')).toBe('entire: recording\n');
    rmSync(join(own, 'newest'), { recursive: true });
    writeFileSync(
      join(repo.dir, `.git/entire-sessions/${FIRST}.json`),
      '{"agent_type":7,"files_touched":"x"',
    );
    expect(line(repo, told(repo, FIRST), '--stdin')).toBe('entire: recording\n');
    writeFileSync(join(own, 'paused.json'), '{');
    expect(line(repo, '')).toBe('entire: paused\n');
    rmSync(join(own, 'paused.json'));
  },
);

variation('each worktree tells its own newest session; HEAD may be detached', (repo) => {
  repo.ready();
  addWork(repo, { 'a.js': 'a\n' }, repo.session(FIRST));
  const tree = join(repo.scratch, 'tree');
  repo.git('worktree', 'add', '--quiet', '--detach', tree);
  const { stdout } = repo.run('entire', ['statusline', '--format', '%s%{ · %i} %b %w'], { cwd: tree });
  expect(stdout).toBe(`recording ${repo.git('rev-parse', '--short=7', 'HEAD').trim()} tree\n`);
  repo.git('worktree', 'remove', tree);
});

variation('a session that was reset is told no more', (repo) => {
  repo.ready();
  addWork(repo, { 'a.js': 'a\n' }, repo.session(FIRST));
  repo.entire('reset', '--force');
  expect(line(repo, '')).toBe('entire: recording\n');
});
