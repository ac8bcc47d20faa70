import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, commitWithoutPostCommit, expectLinked, owed, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A branch beside main with one commit of the user's, made from main's parent; main is checked out again. */
function makeBase(repo: TestRepo): void {
  repo.git('switch', '--quiet', '--create', 'base', 'HEAD~1');
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--allow-empty', '-m', 'Base');
  repo.git('switch', '--quiet', 'main');
}

const filesOf = (repo: TestRepo, id: string) => repo.storedJson(id, '0/metadata.json').files_touched;

describe('a commit whose hook was killed is found again', () => {
  scenario('on a branch that the user has left', (repo) => {
    const session = withWork(repo);
    repo.git('switch', '--quiet', '--create', 'topic');
    const id = commitWithoutPostCommit(repo, 'a.txt');
    repo.git('switch', '--quiet', 'main');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Mine');
    expect(filesOf(repo, id)).toEqual(['a.txt']);
    expect(owed(repo)).toEqual([]);
    addWork(repo, { 'b.txt': 'two\n' }, session);
    const next = repo.commit('Add b', 'b.txt') as string;
    expect(filesOf(repo, next)).toEqual(['b.txt']);
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('amended', (repo) => {
    const session = withWork(repo);
    const id = commitWithoutPostCommit(repo, 'a.txt');
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Add a and mine');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(filesOf(repo, id)).toEqual(['a.txt']);
    expect(owed(repo)).toEqual([]);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation('rebased, with the rest of the work in a stash', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' });
    const id = commitWithoutPostCommit(repo, 'a.txt');
    repo.git('stash', '--quiet', '--include-untracked');
    makeBase(repo);
    repo.git('rebase', '--quiet', 'base');
    repo.git('stash', 'pop', '--quiet');
    const second = repo.commit('Add b', 'b.txt') as string;
    expect(filesOf(repo, id)).toEqual(['a.txt']);
    expect(filesOf(repo, second)).toEqual(['b.txt']);
    expect(owed(repo)).toEqual([]);
    const third = repo.commit('Add c', 'c.txt') as string;
    expect(filesOf(repo, third)).toEqual(['c.txt']);
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(repo.shadowBranches()).toEqual([]);
  });
});

variation(
  'a commit of somebody else is not taken for that of the agent whose command completes it',
  (repo) => {
    const session = withWork(repo);
    const other = repo.session();
    other.prompt('run a command');
    const id = commitWithoutPostCommit(repo, 'a.txt');
    repo.write('made.txt', 'made\n').git('add', 'made.txt');
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: other.id };
    repo.gitWith({ env }, 'commit', '--quiet', '-m', 'By the other agent');
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [other.id] });
    const { sessions } = repo.storedJson(id, 'metadata.json');
    expect(sessions).toHaveLength(1);
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(session.id);
  },
);

variation("an agent's own commit is completed as its own, when its turn is over and others work", (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('run a command');
  session.shell(() => repo.write('made.txt', 'made\n'));
  repo.variables = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session.id };
  const id = commitWithoutPostCommit(repo, 'made.txt');
  repo.variables = {};
  // The client died; the session is taken up by nobody, and another one begins.
  const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
  writeFileSync(file, JSON.stringify({ ...repo.state(session.id), phase: 'idle' }));
  repo.session().prompt('something else');
  expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
  expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
    session_id: session.id,
    files_touched: ['made.txt'],
  });
});

variation('an amend that was refused owes nothing when its commit is rebased', (repo) => {
  const session = withWork(repo);
  const id = repo.commit('Add a', 'a.txt') as string;
  makeBase(repo);
  addWork(repo, { 'a.txt': 'one\ntwo\n' }, session);
  const hook = join(repo.commonDir, 'hooks', 'commit-msg');
  const ours = readFileSync(hook, 'utf8');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n');
  repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
  expect(repo.tryGit('commit', '--amend', '-m', 'Refused').code).toBe(1);
  writeFileSync(hook, ours);
  expect(owed(repo)).toEqual([`${id}.json`]);
  repo.git('stash', '--quiet', '--include-untracked');
  repo.git('rebase', '--quiet', 'base');
  repo.git('stash', 'pop', '--quiet');
  const next = repo.commit('Change a', 'a.txt') as string;
  expect(next).not.toBe(id);
  expect(filesOf(repo, next)).toEqual(['a.txt']);
  expect(owed(repo)).toEqual([]);
});

variation('commits that were given up in the editor owe nothing', (repo) => {
  withWork(repo);
  repo.git('add', 'a.txt');
  for (let count = 0; count < 5; count++)
    expect(repo.run('git', ['commit'], { env: { GIT_EDITOR: 'false' } }).code).toBe(1);
  expect(owed(repo)).toHaveLength(5);
  const id = repo.commit('Add a') as string;
  expect(filesOf(repo, id)).toEqual(['a.txt']);
  expect(owed(repo)).toEqual([]);
});

describe('what a commit left is left also when its hook was killed', () => {
  for (const file of ['new.txt', 'README.md']) {
    variation(`${file}, in a stash before anybody looks`, (repo) => {
      const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', [file]: 'of the agent\n' });
      commitWithoutPostCommit(repo, 'a.txt');
      repo.git('stash', 'push', '--quiet', '--include-untracked', '--', file);
      repo.commit('Add b', 'b.txt');
      repo.git('stash', 'pop', '--quiet');
      repo.commit('The rest', file);
      expectLinked(repo, session, file);
    });
  }

  variation('in a stash, and HEAD has moved on before anybody looks', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    commitWithoutPostCommit(repo, 'a.txt');
    repo.git('stash', 'push', '--quiet', '--include-untracked', '--', 'c.txt');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--allow-empty', '-m', 'No hooks');
    repo.commit('Add b', 'b.txt');
    repo.git('stash', 'pop', '--quiet');
    repo.commit('Add c', 'c.txt');
    expectLinked(repo, session, 'c.txt');
  });

  variation('the other half of a file', (repo) => {
    const session = withWork(repo, { 'a.txt': 'a1\na2\n', 'b.txt': 'b\n' });
    repo.write('a.txt', 'a1\n').git('add', 'a.txt');
    repo.write('a.txt', 'a1\na2\n');
    commitWithoutPostCommit(repo);
    repo.commit('The rest', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('an edit made since then of a file that it took', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a and b');
    session.edit('a.txt', 'a\n');
    session.edit('b.txt', 'b\n');
    commitWithoutPostCommit(repo, 'a.txt');
    session.edit('a.txt', 'a\nmore\n');
    repo.commit('More of a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });
});
