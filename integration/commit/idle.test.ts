import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { VerdictReason } from '../../src/session/record/verdicts.ts';
import { addWork, editor, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
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
  for (const name of ['', ...readdirSync(join(repo.dir, '.entire'))])
    setBack(join(repo.dir, '.entire', name), 120);
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

/** As {@link settle}, after a session whose work is committed: its checkpoint. HEAD is a commit behind that one. */
function workThatIsOver(repo: TestRepo): string {
  const session = withWork(repo);
  repo.commit('Add a', 'a.txt');
  const id = expectLinked(repo, session, 'a.txt');
  session.end();
  settle(repo, 'no-overlap');
  return id;
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

  variation('whose message says that it takes one back, by whomever it was written', (repo) => {
    idle(repo);
    const message = `This reverts commit ${repo.git('rev-parse', 'HEAD')}.`;
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Back', '-m', message);
    expectNotLinked(repo, 'sequence');
  });

  variation('whose message names a checkpoint below what looks like git’s scissors', (repo) => {
    const id = workThatIsOver(repo);
    const message = `Copied\n\n# --- >8 ---\n\nEntire-Checkpoint: ${id}`;
    repo.git('commit', '--quiet', '--allow-empty', '-m', message);
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id });
    repo.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'Said better');
    expect(repo.checkpointOf('HEAD')).toBe(id);
  });

  variation('whose message names a checkpoint that no hook has read', (repo) => {
    const id = workThatIsOver(repo);
    const typing = editor(repo, `printf '\\nEntire-Checkpoint: ${id}\\n' >>"$1"`);
    const args = ['commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'Typed', '-e'];
    repo.gitWith({ env: { GIT_EDITOR: typing } }, ...args);
    expect(repo.verdict()).toMatchObject({ checkpoint: id });
    repo.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'Said better');
    expect(repo.checkpointOf('HEAD')).toBe(id);
  });

  variation('that amends one which a note has given a link since', (repo) => {
    const id = workThatIsOver(repo);
    repo.git('notes', '--ref', 'entire', 'add', '-m', `Entire-Checkpoint: ${id}`, 'HEAD');
    repo.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'Said better');
    expect(repo.checkpointOf('HEAD')).toBe(id);
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

  variation('where settings are gone, or older ones came in their place', (repo) => {
    idle(repo);
    const older = join(repo.scratch, 'older.json');
    writeFileSync(older, '{ "enabled": false }');
    setBack(older, 86_400);
    renameSync(older, join(repo.dir, '.entire/settings.local.json'));
    const before = repo.verdict();
    commitByHand(repo);
    expect(repo.verdict()).toEqual(before);
    renameSync(join(repo.dir, '.entire'), join(repo.scratch, 'away'));
    commitByHand(repo);
    expect(repo.verdict()).toEqual(before);
  });

  variation('where the settings of the person switch it off', (repo) => {
    idle(repo);
    const before = repo.verdict();
    const folder = join(repo.home, '.config/entire');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), '{ "enabled": false }');
    rmSync(join(repo.dir, '.entire/settings.json'));
    setBack(join(repo.dir, '.entire'), 120);
    writeFileSync(join(repo.dir, '.entire/settings.local.json'), '{}');
    setBack(join(repo.dir, '.entire/settings.local.json'), 120);
    commitByHand(repo);
    expect(repo.verdict()).toEqual(before);
  });

  variation('where settings cannot be read', (repo) => {
    repo.ready();
    repo.write('.entire/settings.local.json', '{');
    expect(() => settle(repo)).toThrow(/expected undefined to be 200/);
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: no shell is to expand it
  for (const rest of ['', '0200 no-session\n', 'x[$(touch${IFS}ran)] no-session\n', '200 "\n'])
    variation(`where the mark is none of ours: ${JSON.stringify(rest)}`, (repo) => {
      idle(repo);
      repo.write('.git/entire/idle/@/head', `${repo.git('rev-parse', 'HEAD')} ${rest}`);
      commitByHand(repo);
      expectNotLinked(repo, 'no-session');
      expect([left(repo), existsSync(join(repo.dir, 'ran'))]).toEqual([200, false]);
    });

  variation('after so many, also where the hooks before the commit are somebody else’s', (repo) => {
    idle(repo);
    for (const hook of ['prepare-commit-msg', 'commit-msg']) repo.write(`.git/hooks/${hook}`, '#!/bin/sh\n');
    repo.write('.git/entire/idle/@/head', `${repo.git('rev-parse', 'HEAD')} 1 no-session\n`);
    commitByHand(repo);
    expect(left(repo)).toBe(0);
    commitByHand(repo);
    expect(left(repo)).toBe(200);
  });
});

variation(
  'a linked worktree whose folder has a name of two lines gets its verdicts where the others are',
  (repo) => {
    idle(repo);
    repo.git('worktree', 'add', '--quiet', '-b', 'two', '../two\nlines');
    const cwd = join(repo.scratch, 'two\nlines');
    for (const name of ['.entire', '.entire/settings.json']) setBack(join(cwd, name), 120);
    const commit = (env = {}) =>
      repo.gitWith({ cwd, env }, 'commit', '--quiet', '--allow-empty', '-m', 'There');
    const head = () => repo.gitWith({ cwd }, 'rev-parse', 'HEAD').trim();
    commit();
    commit();
    expect(repo.verdict()).toMatchObject({ commit: head(), reason: 'no-session' });
    commit({ ENTIRE: '0' });
    expect(repo.verdict()).toMatchObject({ commit: head(), reason: 'switched-off' });
    expect(readdirSync(repo.scratch).filter((name) => /^(?:two|lines)/.test(name))).toEqual(['two\nlines']);
  },
);

variation(
  'a linked worktree that follows the settings of the main one gets none: its scripts know nothing of them',
  (repo) => {
    idle(repo);
    repo.git('rm', '--quiet', '--cached', '.entire/settings.json');
    repo.git('commit', '--quiet', '-m', 'Settings of my own');
    repo.git('worktree', 'add', '--quiet', '../beside');
    const commit = () =>
      repo.gitWith(
        { cwd: join(repo.scratch, 'beside') },
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'There',
      );
    commit();
    const before = repo.verdict();
    expect([before.reason, left(repo, 'beside')]).toEqual(['no-session', undefined]);
    repo.entire('disable');
    commit();
    expect(repo.verdict()).toEqual(before);
  },
);

variation('a linked worktree has a mark of its own', (repo) => {
  idle(repo);
  repo.git('worktree', 'add', '--quiet', '../beside');
  const cwd = join(repo.scratch, 'beside');
  for (const name of ['.entire', '.entire/settings.json']) setBack(join(cwd, name), 120);
  const commit = () => repo.gitWith({ cwd }, 'commit', '--quiet', '--allow-empty', '-m', 'There');
  commit();
  commit();
  expect([left(repo, 'beside'), left(repo)]).toEqual([199, 200]);
  repo.git('worktree', 'remove', '../beside');
  repo.entire('clean', '--force');
  expect(statSync(join(repo.commonDir, 'entire/idle/@')).isDirectory()).toBe(true);
});
