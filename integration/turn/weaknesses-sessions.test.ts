import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { payload } from '../support/agent/payloads.ts';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { realGit, withProgram } from '../support/process/programs.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A PATH whose git fails at one of its commands. */
const failingGit = (repo: TestRepo, command: string) =>
  withProgram(
    repo,
    'git',
    `for arg; do [ "$arg" = ${command} ] && exit 128; done`,
    `exec "${realGit(repo)}" "$@"`,
  );

const stopPayload = (repo: TestRepo, session: AgentSession) =>
  JSON.stringify({
    ...payload('Stop', repo.places),
    session_id: session.id,
    transcript_path: session.transcript,
    cwd: repo.dir,
    last_assistant_message: 'Done.',
  });

// Each is a weakness that v0.4.4 has.
describe('nothing gets lost', () => {
  variation('lost updates: a stop, an edit and a commit of one session at the same moment', async (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a and b');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    session.say('Done.');
    repo.git('add', 'a.txt');
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' };
    await Promise.all([
      repo.inBackground('git', ['commit', '--quiet', '-m', 'Add a'], { env }),
      repo.inBackground('entire', ['hooks', 'claude-code', 'stop'], { input: stopPayload(repo, session) }),
    ]);
    const id = expectLinked(repo, session, 'a.txt');
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['b.txt'] });
    expect(repo.stored(id, '0/full.jsonl')).toContain('Done.');
    expect(
      readdirSync(join(repo.commonDir, 'entire-sessions')).filter((name) => /tmp|claim/.test(name)),
    ).toEqual([]);
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
  });

  variation('unfinalised turns: the next prompt completes what a turn without stop committed', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create and commit a.txt');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    session.say('And then the client crashed.');
    expect(repo.stored(id, '0/full.jsonl')).not.toContain('crashed');
    session.prompt('go on');
    expect(repo.stored(id, '0/full.jsonl')).toContain('crashed');
    expect(repo.state(session.id).turn_checkpoint_ids).toBeUndefined();
  });

  variation('unfinalised turns: so does the end of the session', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create and commit a.txt');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    session.say('And then the window was closed.');
    session.end();
    expect(repo.stored(id, '0/full.jsonl')).toContain('window was closed');
    expect(repo.state(session.id).turn_checkpoint_ids).toBeUndefined();
  });

  for (const command of ['fast-import', 'status']) {
    variation(`stuck ACTIVE: a stop whose git ${command} fails ends the turn all the same`, (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      const options = { cwd: repo.dir, env: failingGit(repo, command) };
      repo.hook('stop', stopPayload(repo, session), options);
      expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['a.txt'] });
      repo.write('mine.txt', 'mine\n');
      expect(repo.agentCommit('Mine', 'mine.txt')).toBeUndefined();
      repo.commit('Add a', 'a.txt');
      expectLinked(repo, session, 'a.txt');
    });
  }

  variation('stuck ACTIVE: a stop without a transcript', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    rmSync(session.transcript);
    mkdirSync(session.transcript);
    session.hook('stop', 'Stop');
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['a.txt'] });
  });

  variation('lost trailer after mid-turn commit: what the turn left uncommitted is linked later', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a and b, commit a');
    session.edit('a.txt', 'one\n');
    session.edit('b.txt', 'two\n');
    const first = repo.agentCommit('Add a', 'a.txt');
    session.stop();
    repo.commit('Add b', 'b.txt');
    expect(expectLinked(repo, session, 'b.txt')).not.toBe(first);
  });
});

describe('whose work a turn is', () => {
  variation('misattributed deletions: what the user deleted or made before is the user’s', (repo) => {
    repo.ready();
    for (const name of ['mine', 'yours']) repo.write(`${name}.txt`, `${name}\n`);
    repo.commit('Files', 'mine.txt', 'yours.txt');
    rmSync(join(repo.dir, 'mine.txt'));
    repo.write('new.txt', 'by hand\n');
    const [session, other] = [repo.session('session-1'), repo.session('session-2')];
    session.prompt('delete yours.txt');
    other.prompt('create other.txt');
    session.deleteFile('yours.txt');
    other.edit('other.txt', 'by the other\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['yours.txt']);
    repo.git('commit', '--quiet', '-m', 'Delete mine', '--', 'mine.txt');
    expectNotLinked(repo, 'no-overlap');
    repo.git('commit', '--quiet', '-m', 'Delete yours', '--', 'yours.txt');
    expectLinked(repo, session, 'yours.txt');
  });

  variation('stale files: a later step has what commands made of a file, and of one put back', (repo) => {
    const session = withWork(repo, { 'README.md': '# first\n', 'a.txt': 'one\n' });
    const [branch = ''] = repo.shadowBranches();
    session.prompt('change it by a command, and put the readme back');
    session.shell(() => repo.write('a.txt', 'by a command\n'));
    session.shell(() => repo.git('checkout', '--quiet', 'README.md'));
    session.stop();
    expect(repo.git('show', `${branch}:a.txt`)).toBe('by a command');
    expect(repo.git('show', `${branch}:README.md`)).toBe(repo.git('show', 'HEAD:README.md'));
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    expect(repo.state(session.id).files_touched).toBeUndefined();
    repo.write('README.md', '# by hand\n');
    repo.commit('By hand', 'README.md');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('stale files: a turn that only puts back leaves nothing to link', (repo) => {
    const session = withWork(repo, { 'README.md': '# first\n' });
    session.prompt('undo that');
    session.edit('README.md', '# demo\n\nbase line\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toBeUndefined();
    repo.write('README.md', '# by hand\n');
    repo.commit('By hand', 'README.md');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('a turn that stashes its work keeps it: also what it had not saved before', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n' });
    session.prompt('change the readme, and put all of it aside');
    session.edit('README.md', '# changed\n');
    session.shell(() => repo.git('stash', 'push', '--quiet', '--include-untracked'));
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['README.md', 'a.txt']);
    repo.git('stash', 'pop', '--quiet');
    repo.commit('All of it', 'README.md', 'a.txt');
    expectLinked(repo, session, 'README.md', 'a.txt');
  });

  variation('a mid-turn commit of what an old stash holds, too, is done with', (repo) => {
    repo.ready();
    repo.write('README.md', '# put aside long ago\n');
    repo.git('stash', 'push', '--quiet');
    const env = { GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' };
    const parents = ['-p', 'stash^1', '-p', 'stash^2'];
    const old = repo.gitWith({ env }, 'commit-tree', ...parents, '-m', 'old', 'stash^{tree}');
    repo.git('stash', 'clear');
    repo.git('stash', 'store', '-m', 'old', old);
    const session = repo.session();
    session.prompt('change and commit the readme');
    session.edit('README.md', '# changed\n');
    repo.agentCommit('Change the readme', 'README.md');
    session.stop();
    expectLinked(repo, session, 'README.md');
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });

  variation('agent commit not condensed: a command’s work, committed before the transcript tells', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('generate and commit');
    repo.write('made.txt', 'by a command\n');
    repo.agentCommit('Add made', 'made.txt');
    expectLinked(repo, session, 'made.txt');
    session.stop();
    expect(repo.state(session.id).files_touched).toBeUndefined();
  });
});

describe('which sessions a commit is linked to', () => {
  variation('an ended session is not swallowed by a commit of another’s files', (repo) => {
    const ended = withWork(repo);
    ended.end();
    const other = addWork(repo, { 'b.txt': 'two\n' });
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, other, 'b.txt');
    expect(repo.state(ended.id)).toMatchObject({ checkpoint_count: 1, files_touched: ['a.txt'] });
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, ended, 'a.txt');
  });

  variation('of several active sessions only those are linked whose files are in the commit', (repo) => {
    repo.ready();
    const [first, second] = [repo.session('session-1'), repo.session('session-2')];
    first.prompt('create a.txt');
    second.prompt('create b.txt');
    first.edit('a.txt', 'one\n');
    second.edit('b.txt', 'two\n');
    repo.agentCommit('Add b', 'b.txt');
    expectLinked(repo, second, 'b.txt');
    expect(repo.tracked(first.id)).toEqual(['a.txt']);
    expect(repo.state(first.id).last_checkpoint_id).toBeUndefined();
    repo.agentCommit('Add a', 'a.txt');
    expectLinked(repo, first, 'a.txt');
  });

  variation('new lines in an idle session’s transcript are no reason to link a commit', (repo) => {
    const session = withWork(repo);
    session.say('A later thought.');
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('a tracked file that the commit did not change is no overlap', (repo) => {
    const session = withWork(repo, { 'README.md': '# by the agent\n' });
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    expectNotLinked(repo, 'no-overlap');
    expect(repo.state(session.id).files_touched).toEqual(['README.md']);
  });

  variation('phantom carry-forward: a file the user changed and committed whole is done with', (repo) => {
    const session = withWork(repo, { 'README.md': '# by the agent\n' });
    repo.write('README.md', '# by both\n');
    repo.commit('Readme', 'README.md');
    expectLinked(repo, session, 'README.md');
    expect(repo.state(session.id).files_touched).toBeUndefined();
    expect(repo.shadowBranches()).toEqual([]);
    repo.write('README.md', '# by hand\n');
    repo.commit('By hand', 'README.md');
    expectNotLinked(repo, 'no-overlap');
  });
});
