import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, expectLinked, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const shadowOf = (commit: string, suffix = 'e3b0c4') => `entire/${commit.slice(0, 7)}-${suffix}`;

/** A commit of somebody else's, as a pull brings it. Returns the new HEAD. */
function pull(repo: TestRepo, path = 'theirs.txt'): string {
  repo.write(path, 'theirs\n').git('add', path);
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Theirs');
  return repo.git('rev-parse', 'HEAD');
}

const subjects = (repo: TestRepo, branch: string) => repo.git('log', '--format=%s', branch).split('\n');

describe('HEAD moves', () => {
  scenario('between prompts: the branch follows at the prompt, and the next step goes on', (repo) => {
    const session = withWork(repo);
    const before = repo.git('rev-parse', 'HEAD');
    expect(repo.shadowBranches()).toEqual([shadowOf(before)]);
    const head = pull(repo);
    session.prompt('go on');
    expect(repo.shadowBranches()).toEqual([shadowOf(head)]);
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({
      base_commit: head,
      checkpoint_count: 2,
      agent_type: 'Claude Code',
      files_touched: ['a.txt', 'b.txt'],
    });
    repo.commit('Both', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('during a turn: the branch follows at the stop, with both steps', (repo) => {
    const session = withWork(repo);
    const before = repo.git('rev-parse', 'HEAD');
    session.prompt('rebase, and create b.txt');
    session.shell(() => pull(repo));
    session.edit('b.txt', 'two\n');
    session.stop();
    const branch = shadowOf(repo.git('rev-parse', 'HEAD'));
    expect(repo.shadowBranches()).toEqual([branch]);
    expect(branch).not.toBe(shadowOf(before));
    expect(subjects(repo, branch)).toEqual(['Rebase, and create b.txt', 'Write a.txt']);
    expect(repo.state(session.id)).toMatchObject({ checkpoint_count: 2 });
    repo.commit('Both', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
  });

  variation(
    'a commit, then a rebase within the session: the next stop starts on the rebased HEAD',
    (repo) => {
      repo.ready();
      repo.git('branch', 'upstream');
      const session = addWork(repo, { 'a.txt': 'one\n' });
      const id = repo.commit('Add a', 'a.txt');
      repo.git('switch', '--quiet', 'upstream');
      pull(repo);
      repo.git('switch', '--quiet', 'main');
      session.prompt('rebase and go on');
      session.shell(() => repo.git('rebase', '--quiet', 'upstream'));
      session.edit('b.txt', 'two\n');
      session.stop();
      const head = repo.git('rev-parse', 'HEAD');
      expect(repo.checkpointOf(head)).toBe(id);
      expect(repo.shadowBranches()).toEqual([shadowOf(head)]);
      expect(repo.state(session.id)).toMatchObject({
        base_commit: head,
        checkpoint_count: 1,
        files_touched: ['b.txt'],
      });
      repo.commit('Add b', 'b.txt');
      expectLinked(repo, session, 'b.txt');
    },
  );

  variation('a linked worktree has a branch suffix of its own', (repo) => {
    repo.ready();
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', side);
    const main = addWork(repo, { 'a.txt': 'one\n' });
    const mainDir = repo.dir;
    repo.dir = side;
    const linked = addWork(repo, { 'b.txt': 'two\n' });
    const branches = repo.shadowBranches();
    const head = repo.git('rev-parse', 'HEAD');
    expect(branches).toHaveLength(2);
    expect(branches).toContain(shadowOf(head));
    expect(new Set(branches.map((name) => name.slice(0, -6)))).toEqual(new Set([shadowOf(head, '')]));
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, linked, 'b.txt');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('side');
    repo.dir = mainDir;
    expect(repo.shadowBranches()).toEqual([shadowOf(head)]);
    expect(repo.state(main.id).files_touched).toEqual(['a.txt']);
  });
});

describe('HEAD moves and others are there', () => {
  variation('migration leaves the steps of a session that is already at the new HEAD', (repo) => {
    const first = withWork(repo);
    const head = pull(repo);
    const second = addWork(repo, { 'b.txt': 'two\n' }); // its branch stands at the new HEAD
    first.prompt('go on');
    first.edit('c.txt', 'three\n');
    first.stop();
    expect(repo.shadowBranches()).toEqual([shadowOf(head)]);
    const files = repo.git('ls-tree', '--name-only', shadowOf(head)).split('\n');
    expect(files).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'c.txt']));
    expect(repo.state(second.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['b.txt'] });
    repo.commit('Second', 'b.txt');
    expectLinked(repo, second, 'b.txt');
    repo.commit('First', 'a.txt', 'c.txt');
    expectLinked(repo, first, 'a.txt', 'c.txt');
  });

  variation('migration leaves the old branch to a session that is still on it', (repo) => {
    const first = withWork(repo);
    const second = addWork(repo, { 'b.txt': 'two\n' });
    const before = repo.git('rev-parse', 'HEAD');
    const head = pull(repo);
    first.prompt('go on');
    expect(repo.shadowBranches().sort()).toEqual([shadowOf(before), shadowOf(head)].sort());
    repo.commit('Second', 'b.txt');
    expectLinked(repo, second, 'b.txt');
    repo.commit('First', 'a.txt');
    expectLinked(repo, first, 'a.txt');
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('shared branch: condensing one session keeps what an idle or ended one has on it', (repo) => {
    const first = withWork(repo);
    const [idle, ended] = ['b.txt', 'c.txt'].map((path) => addWork(repo, { [path]: `${path}\n` }));
    ended?.end();
    const branch = repo.shadowBranches();
    repo.commit('First', 'a.txt');
    expectLinked(repo, first, 'a.txt');
    expect(repo.shadowBranches()).toEqual(branch);
    repo.commit('Others', 'b.txt', 'c.txt');
    const id = repo.checkpointOf('HEAD') as string;
    const sessions = repo.verdict().sessions;
    expect([...sessions].sort()).toEqual([idle?.id, ended?.id].sort());
    expect(repo.storedJson(id, 'metadata.json').files_touched).toEqual(['b.txt', 'c.txt']);
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('base of a session that a commit passes by: neither base nor branch moves', (repo) => {
    const session = withWork(repo);
    const state = repo.state(session.id);
    const branches = repo.shadowBranches();
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Named', '-m', 'Entire-Checkpoint: 0123456789ab');
    expect(repo.state(session.id)).toEqual(state);
    expect(repo.shadowBranches()).toEqual(branches);
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('listing deletes no states: commits, prompts of others and status leave every file', (repo) => {
    repo.ready();
    const quiet = repo.session();
    quiet.prompt('only talk');
    quiet.stop();
    const gone = addWork(repo, { 'a.txt': 'one\n' });
    for (const branch of repo.shadowBranches()) repo.git('branch', '-qD', branch);
    const names = repo.stateFiles().sort();
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    repo.entire('status');
    repo.session().start();
    expect(repo.stateFiles().sort()).toEqual(names);
    rmSync(gone.transcript);
    repo.commit('Add a', 'a.txt'); // without branch and transcript its work is still known
    expectLinked(repo, gone, 'a.txt');
  });
});
