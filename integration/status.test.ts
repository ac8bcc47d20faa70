import { spawnSync } from 'node:child_process';
import { realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/builds.ts';
import { LIBRARY } from './support/going-back/library.ts';
import { scenario, variation } from './support/test-repo.ts';

describe('status', () => {
  scenario('outside a repository, and where nothing is set up', (repo) => {
    expect(repo.entire('status').stdout).toBe('✕ not a git repository\n');
    repo.init();
    expect(repo.entire('status').stdout).toBe('○ not set up (run `entire enable` to get started)\n');
    expect(JSON.parse(repo.entire('status', '--json').stdout)).toEqual({
      enabled: false,
      reason: 'not-set-up',
    });
  });

  variation('names hooks, live sessions with their files, and the verdicts of the last commits', (repo) => {
    repo.ready();
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('create a.txt and b.txt');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    session.stop();
    const id = repo.commit('Add a', 'a.txt');
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');

    const lines = repo.entire('status').stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      'Enabled (manual-commit)',
      '',
      `Settings: ${repo.dir}/.entire/settings.json`,
      `Settings: ${repo.dir}/.entire/settings.local.json`,
      'Claude Code: 15 hooks',
      'git: 4 hooks',
      "Session logs: stay on this machine (refused by git's entire.pushSessions)",
      '',
      'Active Sessions:',
      `  ${repo.dir} (main)`,
      '    [Claude Code] aaaaaaa   started just now',
      '      "create a.txt and b.txt"',
      '      not committed yet: b.txt',
      '',
      'Last Commits:',
      `  ${repo.git('rev-parse', '--short=7', 'HEAD')}  not linked: no session touched what was committed`,
      `  ${repo.git('rev-parse', '--short=7', 'HEAD~1')}  linked (${id}, aaaaaaaa)`,
      expect.stringMatching(/^ {2}[0-9a-f]{7} {2}not linked: no session lives in this worktree$/),
    ]);

    const report = JSON.parse(repo.entire('status', '--json').stdout);
    expect(report).toMatchObject({
      enabled: true,
      strategy: 'manual-commit',
      local: { enabled: true, strategy: 'manual-commit' },
      session_logs: { leave: false, reason: 'refused', decided_by: "git's entire.pushSessions" },
      agents: [{ name: 'claude-code', hooks: 15, expected: 15 }],
      sessions: [
        {
          session_id: session.id,
          phase: 'idle',
          files_touched: ['b.txt'],
          branch: 'main',
          this_worktree: true,
        },
      ],
    });
    expect(report.verdicts[1]).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
  });

  variation('a session that is over is shown as long as its work waits for a commit', (repo) => {
    repo.ready();
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    session.end();
    expect(repo.entire('status').stdout).toContain('aaaaaaa   started just now, ended just now');
    repo.commit('Add a', 'a.txt');
    expect(repo.entire('status').stdout).not.toContain('started');
  });

  variation('and where its last edits are only on record, because its turn never ended', (repo) => {
    repo.ready();
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.end();
    expect(repo.state(session.id).files_touched ?? []).toEqual([]);
    expect(repo.entire('status').stdout).toContain('aaaaaaa   started just now, ended just now');
  });

  variation('but not for a file that git ignores, and no commit will take', (repo) => {
    repo.ready().write('.gitignore', '*.log\n');
    repo.commit('Ignore', '.gitignore');
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('write a log');
    session.edit('x.log', 'one\n');
    session.stop();
    expect(repo.entire('status').stdout).toContain('not committed yet: x.log');
    session.end();
    expect(repo.entire('status').stdout).not.toContain('aaaaaaa');
  });

  variation('which is asked of the worktree that the session lives in', (repo) => {
    repo.ready();
    repo.git('worktree', 'add', '--quiet', '../tree');
    writeFileSync(join(repo.scratch, 'tree', '.gitignore'), '*.log\n');
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('write a log');
    session.edit('x.log', 'one\n');
    session.end();
    const { stdout } = repo.run('entire', ['status'], { cwd: join(repo.scratch, 'tree') });
    expect(stdout).toContain('not committed yet: x.log');
  });

  variation('and of nothing that git cannot tell about any more', (repo) => {
    repo.ready().write('.gitignore', '*.log\n').write('d/keep', '');
    repo.commit('Ignore', '.gitignore', 'd/keep');
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('write a log');
    session.edit('dir/x.log', 'one\n');
    session.end();
    rmSync(join(repo.dir, 'dir'), { recursive: true });
    symlinkSync('d', join(repo.dir, 'dir'));
    expect(repo.entire('status').stdout).not.toContain('aaaaaaa');
  });

  variation('says what is missing, and what hooks complained about', (repo) => {
    repo.ready();
    repo.run('rm', [join(repo.dir, '.git', 'hooks', 'post-commit')]);
    repo.hook('stop', 'no json');
    const { stdout } = repo.entire('status');
    expect(stdout).toContain("git: 3 of 4 hooks, run 'entire enable'");
    expect(stdout).toMatch(/Problems:\n {2}just now: hook failed: stop: failed to parse hook input/);
  });

  variation('settings that do not parse are named, and permit nothing', (repo) => {
    repo.ready();
    repo.write('.entire/settings.json', '{"enabled": tru');
    const { stdout } = repo.entire('status');
    expect(stdout).toMatch(/\.entire\/settings\.json is not read, and permits nothing: /);
    expect(stdout).toContain('Enabled');
  });

  variation('text from prompts and file names cannot steer the terminal', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make \u001b[2Jit \u001b]0;owned\u0007red');
    session.edit('a\u001b[31m.txt', 'one\n');
    session.stop();
    expect(repo.entire('status').stdout).not.toContain('\u001b');
  });
});

test('the package entry reads a record and prints nothing of its own', () => {
  const program = `import { listStates, locateRepo, resolveFilesTouched } from ${JSON.stringify(LIBRARY)};
    console.log(JSON.stringify([
      locateRepo(process.cwd())?.worktreeRoot,
      resolveFilesTouched({ fromState: [], fromTrackingFile: [], fromTranscript: () => [] }),
      listStates('dist/nowhere'),
    ]));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toEqual([realpathSync(root), [], { states: [], unreadable: [] }]);
});
