import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitWithout } from '../support/command/why.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { LIBRARY } from '../support/going-back/library.ts';
import { root } from '../support/process/builds.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

describe('status', () => {
  onBothBuilds('outside a repository, in a bare one, and where nothing is set up', (repo) => {
    const inFolder = (...args: string[]) => {
      const { stdout, code } = repo.tryEntire('status', ...args);
      return { stdout, code };
    };
    expect(inFolder()).toEqual({ stdout: '✕ not a git repository\n', code: 1 });
    const nothing = inFolder('--json');
    expect(nothing.code).toBe(1);
    expect(JSON.parse(nothing.stdout)).toEqual({ enabled: false, reason: 'not-a-repository' });
    const work = repo.dir;
    repo.dir = join(repo.scratch, 'bare.git');
    repo.run('git', ['init', '--quiet', '--bare', repo.dir], { cwd: repo.scratch });
    expect(inFolder()).toEqual({
      stdout: '✕ a bare repository: there is no working tree for an agent to work in\n',
      code: 1,
    });
    expect(JSON.parse(inFolder('--json').stdout)).toEqual({ enabled: false, reason: 'bare-repository' });
    expect(repo.tryEntire('doctor').stderr).toContain('This is a bare repository');
    repo.dir = work;
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

    const [mine, linked] = ['HEAD', 'HEAD~1'].map((commit) => repo.git('rev-parse', '--short=7', commit));
    expect(repo.entire('status').stdout.trimEnd().split('\n')).toEqual([
      'Enabled (manual-commit)',
      '',
      'Recording: Claude Code',
      'Session logs: stay on this machine (no, by git config entire.pushSessions)',
      '',
      'Active Sessions:',
      '  [Claude Code] aaaaaaa   started just now',
      '    "create a.txt and b.txt"',
      '    not committed yet: b.txt',
      '',
      'Last commit:',
      `  ${mine}  not linked: holds no work of a session`,
      '',
      'Next: commit, review (`entire diff`), or undo the last turn (`entire undo`).',
      'More: `entire status --detailed`',
    ]);
    const lines = repo.entire('status', '--detailed').stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      'Enabled (manual-commit)',
      '',
      'Project, enabled (manual-commit)',
      'Local, enabled (manual-commit)',
      '',
      `Settings: ${repo.dir}/.entire/settings.json`,
      `Settings: ${repo.dir}/.entire/settings.local.json`,
      'Claude Code: 15 hooks',
      'git: 6 hooks',
      'Session logs: stay on this machine (no, by git config entire.pushSessions)',
      '',
      'Active Sessions:',
      `  ${repo.dir} (main)`,
      '    [Claude Code] aaaaaaa   started just now',
      '      "create a.txt and b.txt"',
      '      not committed yet: b.txt',
      '',
      'Last commits:',
      `  ${mine}  not linked: holds no work of a session`,
      `  ${linked}  linked (${id}, aaaaaaaa)`,
      expect.stringMatching(/^ {2}[0-9a-f]{7} {2}not linked: no session was open in this worktree$/),
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

  variation('ids that begin alike are shown as long as it takes for other commands to know them', (repo) => {
    repo.ready();
    // As Codex counts them: by the time of their beginning.
    const over = addWork(repo, { 'a.txt': 'one\n' }, repo.session('0199a0b1-c2d3-7000-8000-000000000001'));
    over.end();
    repo.commit('Add a', 'a.txt');
    const session = addWork(repo, { 'b.txt': 'two\n' }, repo.session('0199a0b1-c2d9-7111-8000-000000000002'));
    const { stdout } = repo.entire('status');
    const [, shown = ''] = /\[Claude Code\] (\S+)/.exec(stdout) ?? [];
    expect(shown).toBe('0199a0b1-c2d9');
    expect(stdout).toMatch(/ linked \([0-9a-f]{12}, 0199a0b1-c2d3\)\n/);
    expect(repo.entire('explain', '--session', shown, '--json').stdout).toContain(session.id);
    expect(repo.entire('undo', '--session', shown).stdout).toContain('b.txt');
  });

  variation('but not for a file that git ignores, and no commit will take', (repo) => {
    repo.ready().write('.gitignore', '*.log\n');
    repo.commit('Ignore', '.gitignore');
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('write a log');
    session.edit('x.log', 'one\n');
    session.stop();
    expect(repo.entire('status', '--detailed').stdout).toContain('aaaaaaa');
    expect(repo.entire('status', '--detailed').stdout).not.toContain('x.log');
    session.end();
    expect(repo.entire('status', '--detailed').stdout).not.toContain('aaaaaaa');
  });

  variation('which is asked of the worktree that the session lives in', (repo) => {
    repo.ready();
    repo.git('worktree', 'add', '--quiet', '../tree');
    writeFileSync(join(repo.scratch, 'tree', '.gitignore'), '*.log\n');
    const session = repo.session('aaaaaaaa-1111');
    session.prompt('write a log');
    session.edit('x.log', 'one\n');
    session.end();
    const { stdout } = repo.run('entire', ['status', '--detailed'], { cwd: join(repo.scratch, 'tree') });
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

  variation('a file that is undone, put back, gone, or in a commit is not “not committed yet”', (repo) => {
    repo.ready().write('old.txt', 'old\n').write('away.txt', 'away\n');
    repo.commit('Files', 'old.txt', 'away.txt');
    const session = addWork(repo, {
      ...{ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' },
      ...{ 'old.txt': 'new\n', 'away.txt': 'stashed\n' },
    });
    const waiting = () =>
      /not committed yet: (.*)/.exec(repo.entire('status').stdout)?.[1]?.split(', ').sort().join(' ');
    expect(waiting()).toBe('a.txt away.txt b.txt c.txt old.txt');
    repo.git('restore', 'old.txt');
    expect(waiting()).toBe('a.txt away.txt b.txt c.txt');
    rmSync(join(repo.dir, 'b.txt'));
    expect(waiting()).toBe('a.txt away.txt c.txt');
    repo.git('stash', 'push', '--quiet', 'away.txt');
    expect(waiting()).toBe('a.txt c.txt');
    expect(repo.entire('status').stdout).toContain('\n    in a stash: away.txt\n');
    expect(JSON.parse(repo.entire('status', '--json').stdout).sessions[0].files_touched.toSorted()).toEqual([
      ...['a.txt', 'away.txt', 'c.txt'], // it comes back, and is the session's work then
    ]);
    repo.git('stash', 'pop', '--quiet');
    commitWithout(repo, 'Add c', 'c.txt');
    expect(waiting()).toBe('a.txt away.txt');
    commitWithout(repo, 'Add the rest', 'a.txt', 'away.txt');
    expect(waiting()).toBeUndefined();
    addWork(repo, { 'd.txt': 'four\n' }, session);
    expect(waiting()).toBe('d.txt');
    repo.entire('undo', '--session', session.id);
    expect(waiting()).toBeUndefined();
    expect(JSON.parse(repo.entire('status', '--json').stdout).sessions[0].files_touched).toEqual([]);
    session.end();
    expect(repo.entire('status').stdout).not.toContain('Active Sessions');
  });

  variation('a new file that the user gave another name waits under that, as a commit knows it', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'old.txt': 'one\ntwo\nthree\n' });
    const waiting = () => /not committed yet: (.*)/.exec(repo.entire('status').stdout)?.[1];
    renameSync(join(repo.dir, 'old.txt'), join(repo.dir, 'new.txt'));
    repo.write('own.txt', 'mine\n');
    expect(waiting()).toBe('new.txt');
    repo.commit('Theirs', 'new.txt');
    expectLinked(repo, session, 'new.txt');
    expect(waiting()).toBeUndefined();
  });

  variation('new files that are too large to be read, or that a filter fails at, hide nothing', (repo) => {
    repo.ready();
    repo.git('config', 'filter.big.clean', 'false');
    repo.git('config', 'filter.big.required', 'true');
    repo.write('.gitattributes', '*.bin filter=big\n').commit('Attributes', '.gitattributes');
    addWork(repo, { 'mine.txt': 'one\ntwo\n', 'gone.txt': 'three\nfour\n' });
    rmSync(join(repo.dir, 'gone.txt'));
    const trace = join(repo.scratch, 'trace');
    const status = () => repo.run('entire', ['status'], { env: { GIT_TRACE: trace } }).stdout;
    const waiting = () => /not committed yet: (.*)/.exec(status())?.[1];
    repo.write('new.bin', 'x\n');
    expect(waiting()).toBe('mine.txt');
    expect(readFileSync(trace, 'utf8')).toContain('hash-object');
    rmSync(trace);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) repo.write(name, 'a line of text\n'.repeat(200_000));
    expect(waiting()).toBe('mine.txt');
    expect(readFileSync(trace, 'utf8')).not.toContain('hash-object');
  });

  variation('of a worktree that is gone nothing waits', (repo) => {
    repo.ready();
    const [main, linked] = [repo.dir, join(repo.scratch, 'tree')];
    repo.git('worktree', 'add', '--quiet', linked);
    repo.dir = linked;
    addWork(repo, { 'a.txt': 'one\n' });
    repo.dir = main;
    expect(repo.entire('status', '--detailed').stdout).toContain('not committed yet: a.txt');
    rmSync(linked, { recursive: true });
    expect(repo.entire('status', '--detailed').stdout).not.toContain('not committed yet');
  });

  variation('a worktree on a branch from before Entire: first of all, that nothing is recorded', (repo) => {
    repo.init().write('a.txt', 'a\n');
    commitWithout(repo, 'Before', 'a.txt');
    repo.git('branch', 'old');
    repo.entire('enable', '--agent', 'claude-code');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Enable entire');
    repo.git('worktree', 'add', '--quiet', '../tree', 'old');
    repo.dir = join(repo.scratch, 'tree');
    const [first, second] = repo.entire('status').stdout.split('\n');
    expect(first).toBe('Enabled (manual-commit)');
    expect(second).toBe(
      '✕ Nothing is recorded in this worktree: no agent hooks are installed. Run `entire enable` here.',
    );
    repo.entire('enable', '--agent', 'claude-code');
    expect(repo.entire('status').stdout).not.toContain('✕');
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
