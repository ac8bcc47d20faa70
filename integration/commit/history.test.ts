import { describe, expect } from 'vitest';
import { addWork, editor, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A branch `feature` with a linked commit of `a.txt`, and `main` one commit further. Returns the checkpoint id. */
function withBranch(repo: TestRepo, onMain: [path: string, content: string] = ['main.txt', 'main\n']) {
  repo.ready();
  repo.git('switch', '--quiet', '-c', 'feature');
  const session = addWork(repo, { 'a.txt': 'one\n' });
  const id = repo.commit('Add a', 'a.txt') as string;
  repo.git('switch', '--quiet', 'main');
  repo.write(...onMain);
  repo.commit('On main', onMain[0]);
  return { session, id };
}

/** What changes while git makes a commit in its own way: nothing of ours. */
function watch(repo: TestRepo): () => void {
  const tip = repo.git('rev-parse', 'entire/checkpoints/v1');
  return () => expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(tip);
}

describe('merges', () => {
  scenario('a merge that git makes itself is left alone; status says so', (repo) => {
    withBranch(repo);
    const unchanged = watch(repo);
    repo.git('merge', '--quiet', '--no-ff', '--no-edit', 'feature');
    expect(repo.message('HEAD')).not.toContain('Entire-Checkpoint');
    unchanged();
    expect(JSON.parse(repo.entire('status', '--json').stdout).verdicts[0]).toMatchObject({
      commit: repo.git('rev-parse', 'HEAD'),
      reason: 'merge',
    });
    expect(repo.entire('status').stdout).toContain('not linked: a merge, or made of earlier commits');
  });

  variation('a conflict resolved and committed: not linked, reason merge, the work stays pending', (repo) => {
    const { session } = withBranch(repo, ['a.txt', 'other\n']);
    const unchanged = watch(repo);
    session.prompt('merge feature');
    expect(repo.tryGit('merge', '--quiet', 'feature').code).toBe(1);
    session.edit('a.txt', 'one\nother\n');
    session.stop();
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '--no-edit');
    expectNotLinked(repo, 'merge');
    unchanged();
  });

  variation('a conflict resolved by `git merge --continue`', (repo) => {
    withBranch(repo, ['a.txt', 'other\n']);
    expect(repo.tryGit('merge', '--quiet', 'feature').code).toBe(1);
    repo.write('a.txt', 'both\n').git('add', 'a.txt');
    repo.gitWith({ env: { GIT_EDITOR: 'true' } }, 'merge', '--continue');
    expectNotLinked(repo, 'merge');
  });

  variation('a squash merge is left alone', (repo) => {
    const { session } = withBranch(repo);
    addWork(repo, { 'b.txt': 'two\n' }, session);
    const unchanged = watch(repo);
    repo.git('merge', '--quiet', '--squash', 'feature');
    repo.git('commit', '--quiet', '--no-edit');
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
    expect(repo.verdict()).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), reason: 'merge' });
    unchanged();
    expect(repo.state(session.id).files_touched).toEqual(['b.txt']);
  });
});

describe('commits that are replayed', () => {
  variation('rebase keeps each message and condenses nothing', (repo) => {
    const { session, id } = withBranch(repo);
    repo.git('switch', '--quiet', 'feature');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    const unchanged = watch(repo);
    repo.git('rebase', '--quiet', 'main');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.verdict()).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), reason: 'sequence' });
    unchanged();
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, session, 'b.txt');
  });

  variation('an interactive rebase with reword, squash and fixup keeps the links', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one\n' });
    const ids = [repo.commit('Add a', 'a.txt')];
    for (const name of ['b', 'c']) {
      addWork(repo, { [`${name}.txt`]: `${name}\n` }, session);
      ids.push(repo.commit(`Add ${name}`, `${name}.txt`));
    }
    const unchanged = watch(repo);
    const plan = editor(repo, `sed -i -e '1s/^pick/reword/' -e '3s/^pick/squash/' "$1"`, 'plan');
    const words = editor(repo, `sed -i -e 's/^Add a$/Add the letter a/' "$1"`);
    const env = { GIT_SEQUENCE_EDITOR: plan, GIT_EDITOR: words };
    repo.gitWith({ env }, 'rebase', '--quiet', '--interactive', 'HEAD~3');
    expect(repo.checkpointOf('HEAD~1')).toBe(ids[0]);
    expect(repo.message('HEAD~1')).toContain('Add the letter a');
    for (const id of ids.slice(1)) expect(repo.message('HEAD')).toContain(`Entire-Checkpoint: ${id}`);
    expect(repo.verdict().reason).toBe('sequence');

    repo.git('reset', '--quiet', '--hard', 'HEAD');
    const fixup = editor(repo, `sed -i -e '2s/^pick/fixup/' "$1"`, 'fixup');
    repo.gitWith({ env: { GIT_SEQUENCE_EDITOR: fixup } }, 'rebase', '--quiet', '-i', 'HEAD~2');
    expect(repo.checkpointOf('HEAD')).toBe(ids[0]);
    expect(repo.verdict().reason).toBe('sequence');
    unchanged();
  });

  variation('cherry-pick keeps the message; with other work pending, too', (repo) => {
    const { session, id } = withBranch(repo);
    addWork(repo, { 'b.txt': 'two\n' }, session);
    const unchanged = watch(repo);
    repo.git('cherry-pick', 'feature');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.verdict()).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), reason: 'sequence' });
    unchanged();
  });

  variation('a cherry-pick with a conflict, committed by hand and by --continue', (repo) => {
    const { session, id } = withBranch(repo, ['a.txt', 'other\n']);
    const unchanged = watch(repo);
    for (const finish of [
      ['commit', '--quiet', '--no-edit'],
      ['cherry-pick', '--continue'],
    ]) {
      session.prompt('pick it');
      expect(repo.tryGit('cherry-pick', 'feature').code).toBe(1);
      session.edit('a.txt', `resolved by ${finish[0]}\n`);
      session.stop();
      repo.git('add', 'a.txt');
      repo.gitWith({ env: { GIT_EDITOR: 'true' } }, ...finish);
      expect(repo.checkpointOf('HEAD')).toBe(id);
      expect(repo.verdict()).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), reason: 'sequence' });
      repo.git('reset', '--quiet', '--hard', 'HEAD^');
    }
    unchanged();
  });

  for (const how of [['--no-edit'], ['--edit'], ['--no-commit']]) {
    variation(`revert ${how[0]} is left alone`, (repo) => {
      const session = withWork(repo);
      repo.commit('Add a', 'a.txt');
      repo.git('branch', 'kept');
      addWork(repo, { 'a.txt': 'two\n' }, session);
      repo.commit('Change a', 'a.txt');
      session.prompt('again'); // the session still knows a.txt as its own
      session.edit('a.txt', 'two\n');
      const unchanged = watch(repo);
      const env = { GIT_EDITOR: 'true' };
      repo.gitWith({ env }, 'revert', ...how, 'HEAD');
      if (how[0] === '--no-commit') repo.gitWith({ env }, 'commit', '--quiet', '--no-edit');
      expectNotLinked(repo, 'sequence');
      unchanged();
    });
  }

  variation('a revert with a conflict', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    for (const text of ['two\n', 'three\n']) {
      addWork(repo, { 'a.txt': text }, session);
      repo.commit(`Change to ${text.trim()}`, 'a.txt');
    }
    addWork(repo, { 'b.txt': 'b\n' }, session);
    const unchanged = watch(repo);
    expect(repo.tryGit('revert', '--no-edit', 'HEAD^').code).toBe(1);
    repo.write('a.txt', 'one\n').git('add', 'a.txt');
    repo.git('commit', '--quiet', '--no-edit');
    expectNotLinked(repo, 'sequence');
    unchanged();
  });
});
