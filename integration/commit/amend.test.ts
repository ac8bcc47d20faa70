import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, editor, expectLinked, expectNotLinked, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A linked commit of `a.txt` at HEAD. */
function withCommit(repo: TestRepo) {
  const session = withWork(repo);
  return { session, id: repo.commit('Add a', 'a.txt') as string };
}

function expectKept(repo: TestRepo, id: string): void {
  expect(repo.checkpointOf('HEAD')).toBe(id);
  expect(repo.message('HEAD').match(/Entire-Checkpoint/g)).toHaveLength(1);
  expect(repo.verdict()).toMatchObject({
    commit: repo.git('rev-parse', 'HEAD'),
    reason: 'kept',
    checkpoint: id,
  });
}

describe('an amended commit keeps its checkpoint', () => {
  scenario('--amend with a message that lacks the trailer', (repo) => {
    const { session, id } = withCommit(repo);
    const file = join(repo.dir, '.git', 'COMMIT_EDITMSG');
    writeFileSync(file, 'Add a, reworded\n');
    repo.run('entire', ['hooks', 'git', 'prepare-commit-msg', file, 'commit']);
    expect(repo.read('.git/COMMIT_EDITMSG')).toBe(`Add a, reworded\n\nEntire-Checkpoint: ${id}\n`);

    const before = repo.git('rev-parse', 'HEAD');
    repo.git('commit', '--quiet', '--amend', '--no-edit', '--date=2026-03-04T05:06:07Z');
    expect(repo.git('rev-parse', 'HEAD')).not.toBe(before);
    expectKept(repo, id);
    expect(repo.state(session.id).base_commit).toBe(repo.git('rev-parse', 'HEAD'));
    expect(repo.stored(id, '0/full.jsonl')).toContain('a.txt');
  });

  for (const args of [
    ['--amend', '-m', 'Add the letter a'],
    ['--amend', '-F', '../message'],
    ['--amend', '--reset-author', '-C', 'HEAD^'],
    ['-m', 'Add the letter a', '--am', '--allow-empty'],
  ]) {
    variation(`amend with another message: ${args.join(' ')}`, (repo) => {
      const { session, id } = withCommit(repo);
      writeFileSync(join(repo.scratch, 'message'), 'Add the letter a\n');
      repo.git('commit', '--quiet', ...args);
      expectKept(repo, id);
      expect(repo.message('HEAD')).not.toMatch(/^Add a\n/);
      expect(repo.state(session.id).base_commit).toBe(repo.git('rev-parse', 'HEAD'));
    });
  }

  variation('amend -m through an alias, and where no session lives any more', (repo) => {
    const { session, id } = withCommit(repo);
    repo.git('config', 'alias.reword', 'commit --quiet --amend -m');
    repo.run('rm', [join(repo.commonDir, 'entire-sessions', `${session.id}.json`)]);
    repo.git('reword', 'Add the letter a');
    expect(repo.message('HEAD')).toBe(`Add the letter a\n\nEntire-Checkpoint: ${id}`);
  });

  variation('a message that speaks of --amend is none', (repo) => {
    withCommit(repo);
    repo.git('commit', '--quiet', '--allow-empty', '-m', '--amend');
    expectNotLinked(repo, 'no-overlap');
  });

  variation(
    'an agent that amends with -m and nothing else gets no link for somebody else’s commit',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('reword the last commit');
      const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' };
      repo.gitWith({ env }, 'commit', '--quiet', '--amend', '-m', 'Enable Entire');
      expectNotLinked(repo, 'no-overlap');
    },
  );

  variation('amending in an editor that takes the line out: the link is gone', (repo) => {
    const { id } = withCommit(repo);
    const GIT_EDITOR = editor(repo, 'sed -i -e /^Entire-Checkpoint/d "$1"');
    repo.gitWith({ env: { GIT_EDITOR } }, 'commit', '--quiet', '--amend');
    expectNotLinked(repo, 'no-overlap');
    repo.git('commit', '--quiet', '--amend', '-m', 'Still without');
    expectNotLinked(repo, 'no-overlap');
    expect(repo.storedPaths(id)).toContain('0/full.jsonl');
  });

  variation('amend with more work of the same session: one slot, with all of it', (repo) => {
    const { session, id } = withCommit(repo);
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Add a and b');
    expect(expectLinked(repo, session, 'a.txt', 'b.txt')).toBe(id);
    expect(repo.storedJson(id, 'metadata.json')).toMatchObject({
      checkpoints_count: 2,
      files_touched: ['a.txt', 'b.txt'],
    });
    expect(repo.storedPaths(id).filter((path) => path.endsWith('/metadata.json'))).toEqual([
      '0/metadata.json',
    ]);
  });

  variation('amend in mid-turn: the id is recorded once', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('commit, and amend');
    session.edit('a.txt', 'one\n');
    const id = repo.agentCommit('Add a', 'a.txt') as string;
    session.edit('b.txt', 'two\n');
    repo.git('add', 'b.txt');
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' };
    repo.gitWith({ env }, 'commit', '--quiet', '--amend', '-m', 'Add a and b');
    expect(expectLinked(repo, session, 'a.txt', 'b.txt')).toBe(id);
    expect(repo.state(session.id).turn_checkpoint_ids).toEqual([id]);
    session.stop('Amended.');
    expect(repo.stored(id, '0/full.jsonl')).toContain('Amended.');
  });

  variation('an amend that adds work to a commit without a link gets one', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    const session = addWork(repo, { 'a.txt': 'one\n' });
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Mine, and a');
    expectLinked(repo, session, 'a.txt');
  });
});

describe('an amend of a commit that was judged without a link', () => {
  variation('is linked with what it adds, not with files of it that the session edited since', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    const session = addWork(repo, { 'mine.txt': 'mine\nby the agent\n', 'b.txt': 'two\n' });
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Mine, and b');
    expectLinked(repo, session, 'b.txt');
    const next = repo.commit('The agent’s mine', 'mine.txt');
    expect(expectLinked(repo, session, 'mine.txt')).toBe(next);
  });

  for (const command of ['merge', 'cherry-pick']) {
    variation(`of a ${command} whose conflict the agent resolved takes that along`, (repo) => {
      repo.ready();
      repo.write('c.txt', 'base\n').commit('Base', 'c.txt');
      repo.git('switch', '--quiet', '-c', 'topic');
      repo.write('c.txt', 'theirs\n').commit('Theirs', 'c.txt');
      repo.git('switch', '--quiet', '-');
      repo.write('c.txt', 'ours\n').commit('Ours', 'c.txt');
      expect(repo.tryGit(command, 'topic').code).not.toBe(0);
      const session = addWork(repo, { 'c.txt': 'both\n' });
      repo.git('add', 'c.txt');
      repo.git('commit', '--quiet', '--no-edit');
      addWork(repo, { 'b.txt': 'two\n' }, session);
      repo.git('add', 'b.txt');
      repo.git('commit', '--quiet', '--amend', '--no-edit');
      expectLinked(repo, session, 'b.txt', 'c.txt');
    });
  }

  variation('is linked with what was in it when the trailer had been taken out', (repo) => {
    const session = withWork(repo);
    const GIT_EDITOR = editor(repo, 'sed -i -e /^Entire-Checkpoint/d "$1"; echo Add a >> "$1"');
    repo.git('add', 'a.txt');
    repo.gitWith({ env: { GIT_EDITOR } }, 'commit', '--quiet');
    expectNotLinked(repo, 'trailer-missing');
    repo.git('commit', '--quiet', '--amend', '-m', 'Add the letter a');
    expectNotLinked(repo, 'trailer-missing');
    addWork(repo, { 'b.txt': 'two\n' }, session);
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Add a and b');
    expectLinked(repo, session, 'a.txt', 'b.txt');
  });
});

describe('an amend that takes out what the amended commit had', () => {
  /** HEAD has two new files of the user, and a session has edited the second one since. */
  function withEditOf(repo: TestRepo, more: Record<string, string> = {}) {
    repo.ready();
    repo.write('mine.txt', 'mine\n').write('also.txt', 'mine as well\n');
    repo.commit('Mine', 'mine.txt', 'also.txt');
    return addWork(repo, { 'also.txt': 'by the agent\n', ...more });
  }

  variation('is not linked to a session that had edited it', (repo) => {
    withEditOf(repo);
    repo.git('rm', '--quiet', '--force', 'also.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Only mine');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('nor to one that is in its turn and has nothing to do with it', (repo) => {
    withEditOf(repo);
    repo.session('busy').prompt('look around');
    repo.git('rm', '--quiet', '--force', 'also.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('is linked when it takes other work of the session', (repo) => {
    const session = addWork(repo, { 'b.txt': 'two\n' }, withEditOf(repo));
    repo.git('rm', '--quiet', '--force', 'also.txt');
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Mine, and b');
    expectLinked(repo, session, 'b.txt');
  });

  variation('is linked as before, and to no more, where the commit was', (repo) => {
    const session = withWork(repo);
    repo.write('mine.txt', 'mine\n');
    const id = repo.commit('Add both', 'a.txt', 'mine.txt') as string;
    addWork(repo, { 'mine.txt': 'mine\nby the agent\n' }, session);
    repo.git('rm', '--quiet', '--cached', 'mine.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Only a');
    expectKept(repo, id);
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
  });

  variation('says so, too, where it leaves another file that the session has edited since', (repo) => {
    withEditOf(repo, { 'mine.txt': 'mine\nby the agent\n' });
    repo.git('rm', '--quiet', '--cached', 'also.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'Only mine');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('is not linked without a terminal either, whoever is in a turn', (repo) => {
    withEditOf(repo);
    repo.session('busy').prompt('look around');
    repo.git('rm', '--quiet', '--force', 'also.txt');
    const env = { ENTIRE_TEST_TTY: '0' };
    repo.gitWith({ env }, 'commit', '--quiet', '--amend', '-m', 'Only mine');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('of the first commit there is, too', (repo) => {
    repo.ready();
    repo.git('checkout', '--quiet', '--orphan', 'fresh');
    repo.write('mine.txt', 'mine\n');
    repo.git('add', '--all');
    repo.git('commit', '--quiet', '-m', 'First');
    addWork(repo, { 'mine.txt': 'by the agent\n' });
    repo.git('rm', '--quiet', '--force', 'mine.txt');
    repo.git('commit', '--quiet', '--amend', '-m', 'First, without mine');
    expectNotLinked(repo, 'no-overlap');
  });
});

describe('a message taken from another commit', () => {
  for (const flag of ['-C', '-c']) {
    variation(`${flag} HEAD without work of a session keeps the trailer of the message`, (repo) => {
      const { id } = withCommit(repo);
      repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
      repo.gitWith({ env: { GIT_EDITOR: 'true' } }, 'commit', '--quiet', flag, 'HEAD');
      expectKept(repo, id);
    });

    variation(`${flag} of a commit without a link: a new link for new work, none for other files`, (repo) => {
      const { session, id } = withCommit(repo);
      const env = { GIT_EDITOR: 'true' };
      repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
      repo.gitWith({ env }, 'commit', '--quiet', flag, 'HEAD^');
      expectNotLinked(repo, 'no-overlap');
      addWork(repo, { 'b.txt': 'two\n' }, session);
      repo.git('add', 'b.txt');
      repo.gitWith({ env }, 'commit', '--quiet', flag, 'HEAD^^');
      expect(expectLinked(repo, session, 'b.txt')).not.toBe(id);
      expect(repo.message('HEAD')).toMatch(/^Enable entire\n/);
    });
  }

  variation('-F with a trailer keeps it, once', (repo) => {
    const { id } = withCommit(repo);
    const file = join(repo.scratch, 'message');
    writeFileSync(file, `Again\n\nEntire-Checkpoint: ${id}\n`);
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
    repo.git('commit', '--quiet', '-F', file);
    expect(repo.message('HEAD')).toBe(`Again\n\nEntire-Checkpoint: ${id}`);
    expectKept(repo, id);
  });

  variation('an id that nobody knows is kept, and said to be unknown', (repo) => {
    withCommit(repo);
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
    repo.git('commit', '--quiet', '-m', 'Mine', '-m', 'Entire-Checkpoint: 0123456789ab');
    expect(repo.checkpointOf('HEAD')).toBe('0123456789ab');
    expect(repo.verdict()).toMatchObject({ reason: 'unknown-checkpoint', checkpoint: '0123456789ab' });
  });
});
