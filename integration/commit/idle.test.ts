import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { VerdictReason } from '../../src/session/record/verdicts.ts';
import { addWork, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { scenario, type TestRepo, variation } from '../support/repository/test-repo.ts';

/** A ready repository in which nobody has been at work for a minute, and a commit since: the scripts may leave the program alone. */
function idle(repo: TestRepo): TestRepo {
  repo.ready();
  return settle(repo);
}

/** As a minute later: settings and sessions have not changed since, and a commit was made that is nobody's. */
function settle(repo: TestRepo, reason: VerdictReason = 'no-session'): TestRepo {
  const sessions = join(repo.commonDir, 'entire-sessions');
  mkdirSync(sessions, { recursive: true });
  setBack(sessions, 60);
  for (const name of readdirSync(join(repo.dir, '.entire'))) setBack(join(repo.dir, '.entire', name), 120);
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'Nobody is at work');
  expectNotLinked(repo, reason);
  expect(left(repo)).toBe(200);
  return repo;
}

function setBack(path: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(path, at, at);
}

/** How many commits the scripts may pass over yet; `undefined` without a mark. */
function left(repo: TestRepo, name = '@'): number | undefined {
  const folder = join(repo.commonDir, 'entire/idle', name);
  if (!existsSync(join(folder, 'mark'))) return undefined;
  return Number(readFileSync(join(folder, 'head'), 'utf8').split(' ')[1]);
}

function commitByHand(repo: TestRepo, path = 'mine.txt'): void {
  repo.write(path, `${Math.random()}\n`);
  repo.git('add', '--', path);
  repo.git('commit', '--quiet', '-m', 'By hand');
}

describe('a commit while nobody is at work', () => {
  scenario('starts no program, and leaves its verdict', (repo) => {
    idle(repo);
    commitByHand(repo);
    expect(left(repo)).toBe(199);
    expectNotLinked(repo, 'no-session');
    repo.gitWith({ env: { GIT_EDITOR: 'true' } }, 'commit', '--quiet', '--allow-empty', '-m', 'Again', '-e');
    expect(left(repo)).toBe(198);
    expect(repo.entire('why', 'HEAD').stdout).toContain('no agent session was known');
    expect(repo.tryEntire('doctor').stdout).not.toContain('verdict');
    repo.expectSound();
  });

  variation('is looked at again after many of them, so that what they append stays small', (repo) => {
    idle(repo);
    const head = repo.git('rev-parse', 'HEAD');
    repo.write('.git/entire/idle/@/head', `${head} 0 no-session\n`);
    commitByHand(repo);
    expect(left(repo)).toBe(200);
  });

  variation('that a hook of the user’s refuses leaves nothing', (repo) => {
    idle(repo);
    const before = repo.git('rev-parse', 'HEAD');
    expect(repo.tryGit('commit', '--allow-empty', '-m', '').code).not.toBe(0);
    expect(repo.git('rev-parse', 'HEAD')).toBe(before);
    commitByHand(repo);
    expect(left(repo)).toBe(199);
  });
});

describe('the program is started for a commit', () => {
  scenario('of what an agent wrote since, whose turn goes on', (repo) => {
    const session = idle(repo).session();
    session.prompt('write a');
    session.edit('a.txt', 'one\n');
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('of an edit of which nothing but the edit hook told', (repo) => {
    const session = idle(repo).session();
    session.edit('a.txt', 'one\n');
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('of what a session wrote that was over, and goes on', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    session.end();
    settle(repo, 'no-overlap');
    commitByHand(repo);
    expect(left(repo)).toBe(199);
    expectNotLinked(repo, 'no-overlap');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
  });

  variation('where the clock was set back before an agent began', (repo) => {
    const session = idle(repo).session();
    session.edit('a.txt', 'one\n');
    setBack(join(repo.commonDir, 'entire-sessions'), 7200);
    repo.commit('Add a', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('that amends one with a link, whatever HEAD was when nobody was at work', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    const id = expectLinked(repo, session, 'a.txt');
    session.end();
    settle(repo, 'no-overlap');
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    repo.git('commit', '--quiet', '--amend', '-m', 'Add a, said better');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id });
  });

  variation('that replays one with a link', (repo) => {
    const session = withWork(repo);
    const id = repo.commit('Add a', 'a.txt');
    const linked = repo.git('rev-parse', 'HEAD');
    session.end();
    repo.git('checkout', '--quiet', '-b', 'other', 'HEAD~1');
    settle(repo, 'no-overlap');
    repo.git('cherry-pick', linked);
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.verdict()).toMatchObject({ reason: 'sequence' });
  });

  variation('that takes one back', (repo) => {
    idle(repo);
    commitByHand(repo);
    repo.git('revert', '--no-edit', 'HEAD');
    expectNotLinked(repo, 'sequence');
  });

  variation('whose message is too long for a shell to read', (repo) => {
    idle(repo);
    repo.git('commit', '--quiet', '--allow-empty', '-m', `Long\n\n${'a line\n'.repeat(400)}`);
    expect(left(repo)).toBe(200);
  });

  variation('whose message names a checkpoint', (repo) => {
    idle(repo);
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Copied\n\nEntire-Checkpoint: 0123456789ab');
    expect(repo.verdict()).toMatchObject({ reason: 'unknown-checkpoint' });
  });

  variation('made in a pause', (repo) => {
    idle(repo);
    repo.entire('pause');
    commitByHand(repo);
    expectNotLinked(repo, 'paused');
  });

  variation('in the shell of an agent that says so', (repo) => {
    idle(repo);
    const env = { CLAUDE_CODE_SESSION_ID: '3f0c8c5e-2f5b-4a8e-9a55-0d1f6a4d7e11' };
    repo.gitWith({ env }, 'commit', '--quiet', '--allow-empty', '-m', 'By an agent');
    expect(left(repo)).toBe(200);
  });

  variation('where it is switched off: then nothing is said of the commit', (repo) => {
    idle(repo);
    const before = repo.verdict();
    repo.entire('disable');
    commitByHand(repo);
    expect(repo.verdict()).toEqual(before);
  });

  variation('where the mark cannot be read, or is none of ours', (repo) => {
    idle(repo);
    repo.write('.git/entire/idle/@/head', '');
    commitByHand(repo);
    expectNotLinked(repo, 'no-session');
    expect(left(repo)).toBe(200);
  });
});

variation('a linked worktree has a mark of its own', (repo) => {
  idle(repo);
  repo.git('worktree', 'add', '--quiet', '../beside');
  const cwd = join(repo.scratch, 'beside');
  setBack(join(cwd, '.entire/settings.json'), 120);
  const commit = () => repo.gitWith({ cwd }, 'commit', '--quiet', '--allow-empty', '-m', 'There');
  commit();
  commit();
  expect([left(repo, 'beside'), left(repo)]).toEqual([199, 200]);
  repo.git('worktree', 'remove', '../beside');
  repo.entire('clean', '--force');
  expect(statSync(join(repo.commonDir, 'entire/idle/@')).isDirectory()).toBe(true);
});
