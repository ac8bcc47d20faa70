import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { locateRepo, type Repo } from '../../src/git/locate.ts';
import { writeCommit } from '../../src/git/object/objects.ts';
import { gitFor } from '../../src/git/run.ts';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { autoReady, changesOf, expectAutoCommit } from '../support/command/auto.ts';
import { expectLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What a git process leaves that dies in our hands. */

const LOCK = ['refs', 'heads', 'entire', 'checkpoints', 'v1.lock'];

function pendingWork(repo: TestRepo): void {
  const session = repo.ready().session('s1');
  session.prompt('create a.txt');
  session.edit('a.txt', 'one\n');
  session.stop();
}

/** What happens while git cannot read a file. */
function withUnreadable(repo: TestRepo, path: string, happens: () => void): void {
  repo.write('.git/info/attributes', `${path} filter=broken\n`);
  repo.git('config', 'filter.broken.clean', 'false');
  repo.git('config', 'filter.broken.required', 'true');
  happens();
  repo.git('config', '--remove-section', 'filter.broken');
}

variation('a lock that a killed git left at our branch does not stand in the way for ever', (repo) => {
  pendingWork(repo);
  const lock = join(repo.commonDir, ...LOCK);
  writeFileSync(lock, '');
  const time = new Date(Date.now() - 11 * 60_000);
  utimesSync(lock, time, time);
  const id = repo.commit('Add a', 'a.txt') ?? '';
  expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
});

variation('a lock at our branch that somebody may hold is left alone, and named', (repo) => {
  pendingWork(repo);
  const lock = join(repo.commonDir, ...LOCK);
  writeFileSync(lock, '');
  const commit = repo.run('git', [
    'commit',
    '--quiet',
    '--all',
    '-m',
    'Nothing of a session',
    '--allow-empty',
  ]);
  expect(commit.code).toBe(0);
  repo.git('add', 'a.txt');
  expect(repo.tryGit('commit', '--quiet', '-m', 'Add a').stderr).toContain('v1.lock is held');
  expect(repo.verdict().reason).toBe('condense-failed');
  repo.run('rm', [lock]);
});

variation(
  'a step that could not be saved loses no file: the next commit takes what it should have held',
  (repo) => {
    pendingWork(repo);
    const session = repo.session('s1');
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.shell(() => repo.write('c.txt', 'three\n'));
    const [shadow = ''] = repo.shadowBranches();
    const lock = join(repo.commonDir, 'refs', 'heads', `${shadow}.lock`);
    writeFileSync(lock, '');
    session.stop();
    repo.run('rm', [lock]);
    expect(repo.logText()).toContain('.lock is held');

    const id = repo.commit('Add all', 'a.txt', 'b.txt', 'c.txt') ?? '';
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt', 'c.txt']);
  },
);

variation('a file that git could not read at the stop is the sessions all the same', (repo) => {
  pendingWork(repo);
  const session = repo.session('s1');
  session.prompt('create b.txt');
  session.edit('b.txt', 'two\n');
  withUnreadable(repo, 'b.txt', () => session.stop());
  expect(repo.logText()).toContain('file left out of the step');

  const id = repo.commit('Add both', 'a.txt', 'b.txt') ?? '';
  expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
});

variation(
  'a file that git could not read when it was carried forward is the sessions all the same',
  (repo) => {
    pendingWork(repo);
    const session = repo.session('s1');
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    withUnreadable(repo, 'b.txt', () => repo.commit('Add a', 'a.txt'));

    const id = repo.commit('Add b', 'b.txt') ?? '';
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['b.txt']);
  },
);

variation('a file that git could not read when its task was done is the sessions all the same', (repo) => {
  pendingWork(repo);
  const session = repo.session('s1');
  session.prompt('ask a sub-agent');
  const task = new SubAgent(session);
  task.start();
  session.shell(() => repo.write('b.txt', 'two\n').write('c.txt', 'three\n'));
  withUnreadable(repo, 'b.txt', () => task.finish());
  repo.commit('Add b', 'b.txt');
  expectLinked(repo, session, 'b.txt');
});

variation('auto-commit: when git can read none of the files, they wait for the next stop', (repo) => {
  autoReady(repo);
  const session = repo.session();
  session.prompt('write b.txt');
  session.edit('b.txt', 'two\n');
  withUnreadable(repo, 'b.txt', () => {
    expect(session.stop().stderr).toContain('not committed, since b.txt could not be read');
  });
  expect(repo.state(session.id).files_touched).toEqual(['b.txt']);
  session.prompt('go on');
  session.stop();
  expectAutoCommit(repo, session, 'A\tb.txt');
});

variation('auto-commit: a file of a task that git could not read waits for the stop', (repo) => {
  autoReady(repo);
  const session = repo.session();
  session.prompt('ask a sub-agent');
  const task = new SubAgent(session);
  task.start();
  task.edit('a.txt', 'one\n');
  task.edit('b.txt', 'two\n');
  withUnreadable(repo, 'b.txt', () => task.finish());
  expect(changesOf(repo)).toEqual(['A\ta.txt']);
  session.stop();
  expectAutoCommit(repo, session, 'A\tb.txt');
});

variation('a fast-import that gives up leaves no report in .git', (repo) => {
  repo.ready();
  const git = gitFor(locateRepo(repo.dir) as Repo);
  const author = { name: 'Ada', email: 'ada@example.com' };
  const changes = [{ path: 'a//b', mode: '100644', data: 'x' } as const];
  const commit = { ref: 'refs/heads/entire/x', parent: undefined, changes, message: 'x', author };
  expect(() => writeCommit(git, commit)).toThrow(/fast-import failed/);
  expect(readdirSync(repo.commonDir).filter((name) => name.startsWith('fast_import_crash'))).toEqual([]);
});
