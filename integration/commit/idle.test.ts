import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commitByHand, idle, left, setBack, settle, workThatIsOver } from '../support/command/idle.ts';
import { addWork, editor, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('a commit while nobody is at work', () => {
  onBothBuilds('starts no program, and leaves its verdict', (repo) => {
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
    repo.write('.git/entire/idle/@/head', headLine(repo, '0 no-session HOME\n'));
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

  for (const [how, ...after] of [
    ['has given a link since'],
    [
      'has given a link since, and is packed with the other refs',
      ['pack-refs', '--all'],
      ['checkout', '--quiet', '-b', 'topic'],
    ],
  ] as const)
    variation(`that amends one which a note ${how}`, (repo) => {
      const id = workThatIsOver(repo);
      repo.git('notes', '--ref', 'entire', 'add', '-m', `Entire-Checkpoint: ${id}`, 'HEAD');
      for (const command of after) repo.git(...command);
      repo.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'Said better');
      expect(repo.checkpointOf('HEAD')).toBe(id);
    });

  variation('that amends one in whose place another stands, with a link', (repo) => {
    const id = workThatIsOver(repo);
    const message = ['-m', 'x', '-m', `Entire-Checkpoint: ${id}`];
    repo.git('replace', 'HEAD', repo.git('commit-tree', '-p', 'HEAD~1', ...message, 'HEAD^{tree}'));
    repo.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'Said better');
    expect(repo.checkpointOf('HEAD')).toBe(id);
  });

  variation('where a hook of ours is gone, which comes back', (repo) => {
    idle(repo);
    rmSync(join(repo.commonDir, 'hooks/post-commit'));
    commitByHand(repo);
    expectNotLinked(repo, 'no-session');
    expect([left(repo), existsSync(join(repo.commonDir, 'hooks/post-commit'))]).toEqual([200, true]);
  });

  variation('of somebody else, with settings of their own', (repo) => {
    idle(repo);
    const HOME = join(repo.scratch, 'other');
    mkdirSync(join(HOME, '.config/entire'), { recursive: true });
    for (const name of ['settings.json', '.'])
      setBack(write(join(HOME, '.config/entire', name), '{ "enabled": false }'), 86_400);
    writeFileSync(join(repo.dir, '.entire/settings.json'), '{}');
    for (const name of ['settings.json', '.']) setBack(join(repo.dir, '.entire', name), 120);
    const before = repo.verdict();
    repo.gitWith({ env: { HOME } }, 'commit', '--quiet', '--allow-empty', '-m', 'By another');
    expect(repo.verdict()).toEqual(before);
  });

  variation('and no program of the worktree, where the path leads there', (repo) => {
    idle(repo);
    for (const name of ['date', 'grep'])
      chmodSync(write(join(repo.dir, name), '#!/bin/sh\ntouch ran\n'), 0o755);
    const env = { PATH: `.:${repo.env.PATH}` };
    repo.gitWith({ env }, 'commit', '--quiet', '--allow-empty', '-m', 'Here');
    expect([left(repo), existsSync(join(repo.dir, 'ran'))]).toEqual([199, false]);
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
  for (const rest of ['', '0200 no-session HOME\n', 'x[$(touch${IFS}ran)] no-session HOME\n', '200 " HOME\n'])
    variation(`where the mark is none of ours: ${JSON.stringify(rest)}`, (repo) => {
      idle(repo);
      repo.write('.git/entire/idle/@/head', headLine(repo, rest));
      commitByHand(repo);
      expectNotLinked(repo, 'no-session');
      expect([left(repo), existsSync(join(repo.dir, 'ran'))]).toEqual([200, false]);
    });

  variation('after so many, also where the hooks before the commit are somebody else’s', (repo) => {
    idle(repo);
    for (const hook of ['prepare-commit-msg', 'commit-msg']) repo.write(`.git/hooks/${hook}`, '#!/bin/sh\n');
    repo.write('.git/entire/idle/@/head', headLine(repo, '1 no-session HOME\n'));
    commitByHand(repo);
    expect(left(repo)).toBe(0);
    commitByHand(repo);
    expect(left(repo)).toBe(200);
  });
});

function write(file: string, text: string): string {
  if (!existsSync(file)) writeFileSync(file, text);
  return file;
}

const headLine = (repo: TestRepo, rest: string): string =>
  `${repo.git('rev-parse', 'HEAD')} ${rest.replace('HOME', join(repo.home, '.config/entire'))}`;
