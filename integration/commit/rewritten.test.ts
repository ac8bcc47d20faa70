import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session whose file is committed and linked. */
function linked(repo: TestRepo): { id: string; session: ReturnType<TestRepo['session']> } {
  repo.ready();
  const session = repo.session();
  session.prompt('create a.txt');
  session.edit('a.txt', 'one\n');
  session.stop();
  return { id: repo.commit('Add a', 'a.txt') as string, session };
}

describe('commits that are made of commits', () => {
  variation('an amend with a new message from -m keeps the id', (repo) => {
    const { id } = linked(repo);
    repo.git('commit', '--quiet', '--amend', '-m', 'Add a, said better');
    expect(repo.message('HEAD')).toBe(`Add a, said better\n\nEntire-Checkpoint: ${id}`);
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id });
  });

  variation(
    'one that is picked in the second in which it was made is the same, and is judged as it was',
    (repo) => {
      repo.ready();
      const when = '2026-01-02T03:04:05Z';
      repo.variables = { GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when };
      repo.git('switch', '--quiet', '--create', 'topic');
      repo.write('a.txt', 'typed by hand\n').commit('Mine', 'a.txt');
      repo.git('switch', '--quiet', 'main');
      repo.git('cherry-pick', 'topic');
      expect(repo.git('rev-parse', 'HEAD')).toBe(repo.git('rev-parse', 'topic'));
      expect(blame(repo, 'a.txt').lines).toMatchObject([{ class: 'human', reason: 'no-session' }]);
      expect(repo.entire('why').stdout).not.toContain('replayed');
    },
  );

  variation('an amend with a new message from a file keeps the id, and takes new work in', (repo) => {
    const { id, session } = linked(repo);
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    const file = join(repo.scratch, 'message');
    writeFileSync(file, 'Add a and b\n');
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--amend', '-F', file);
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.storedJson(id, 'metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
  });

  variation('an amend of a commit that was not linked is not linked by rewording', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n');
    repo.commit('Mine', 'mine.txt');
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    repo.git('commit', '--quiet', '--amend', '-m', 'Mine, said better');
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
  });

  variation('a merge that is concluded with -m is left alone', (repo) => {
    repo.ready();
    repo.write('a.txt', 'base\n');
    repo.commit('Base', 'a.txt');
    repo.git('switch', '--quiet', '--create', 'topic');
    repo.write('a.txt', 'theirs\n');
    repo.commit('Theirs', 'a.txt');
    repo.git('switch', '--quiet', 'main');
    repo.write('a.txt', 'ours\n');
    repo.commit('Ours', 'a.txt');
    const session = repo.session();
    session.prompt('change a.txt');
    session.edit('a.txt', 'by the agent\n');
    session.stop();
    repo.git('stash', 'push', '--quiet');
    expect(repo.tryGit('merge', '--quiet', 'topic').code).toBe(1);
    repo.write('a.txt', 'ours\ntheirs\n').git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'Merged by hand');
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
    expect(repo.verdict().reason).toBe('merge');
  });

  variation('a cherry-pick that had a conflict stores nothing under the id it brings along', (repo) => {
    const { id, session } = linked(repo);
    repo.git('switch', '--quiet', '--create', 'topic', 'HEAD~1');
    repo.write('a.txt', 'mine\n');
    repo.commit('Mine', 'a.txt');
    session.prompt('change a.txt');
    session.edit('a.txt', 'two\n');
    session.stop();
    repo.git('stash', 'push', '--quiet');
    const stored = repo.git('rev-parse', 'entire/checkpoints/v1');
    expect(repo.tryGit('cherry-pick', 'main').code).toBe(1);
    repo.write('a.txt', 'mine\none\n').git('add', 'a.txt');
    repo.gitWith({ env: { GIT_EDITOR: 'true' } }, 'cherry-pick', '--continue');
    expect(repo.checkpointOf('HEAD')).toBe(id);
    expect(repo.verdict().reason).toBe('sequence');
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(stored);
  });

  variation('a revert is left alone, also of a file that a session has in hand', (repo) => {
    const { session } = linked(repo);
    session.prompt('change a.txt');
    session.edit('a.txt', 'two\n');
    session.stop();
    repo.git('stash', 'push', '--quiet');
    repo.git('revert', '--no-edit', 'HEAD');
    expect(repo.checkpointOf('HEAD')).toBeUndefined();
    expect(repo.verdict().reason).toBe('sequence');
  });
});

describe('work that is in a stash when the turn ends', () => {
  variation('a new file: it is linked when it is back and committed', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    repo.git('stash', 'push', '--quiet', '--include-untracked');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
    repo.git('stash', 'pop', '--quiet');
    expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [session.id] });
  });

  variation('a file that was there before', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('change README.md');
    session.edit('README.md', '# demo\n\nby the agent\n');
    repo.git('stash', 'push', '--quiet');
    session.stop();
    repo.git('stash', 'pop', '--quiet');
    expect(repo.commit('Change README', 'README.md')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('a new file that was in a stash while the agent committed something else', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt and b.txt');
    session.edit('a.txt', 'one\n');
    repo.git('stash', 'push', '--quiet', '--include-untracked');
    session.edit('b.txt', 'two\n');
    repo.agentCommit('Add b', 'b.txt');
    repo.git('stash', 'pop', '--quiet');
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedJson(id, 'metadata.json').files_touched).toEqual(['a.txt']);
  });

  variation("the user's stash of earlier is nobody's", (repo) => {
    repo.ready();
    repo.write('README.md', '# mine\n').git('stash', 'push', '--quiet');
    repo.run('sleep', ['1.1']);
    const session = repo.session();
    session.prompt('change README.md and think better of it');
    session.edit('README.md', '# demo\n\nby the agent\n');
    repo.git('checkout', '--quiet', 'README.md');
    session.stop();
    expect(repo.state(session.id).files_touched ?? []).toEqual([]);
  });
});

describe('a new file that the user renames before it is committed', () => {
  variation('is linked under its new name, and settled', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\ntwo\nthree\n');
    session.stop();
    repo.git('add', 'a.txt');
    repo.git('mv', 'a.txt', 'b.txt');
    const id = repo.commit('Add b') as string;
    expect(repo.storedJson(id, 'metadata.json').files_touched).toEqual(['b.txt']);
    repo.git('mv', 'b.txt', 'c.txt');
    expect(repo.commit('Rename b')).toBeUndefined();
  });

  variation('is not linked when what is committed is something else', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\ntwo\nthree\n');
    session.stop();
    repo.run('rm', ['a.txt']);
    repo.write('b.txt', 'mine\n');
    expect(repo.commit('Add b', 'b.txt')).toBeUndefined();
  });
});
