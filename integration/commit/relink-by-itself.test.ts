import { describe, expect } from 'vitest';
import { commitMine } from '../support/command/put-back.ts';
import { branchOff, squashAsForge } from '../support/command/relink.ts';
import { why } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('by itself, right when the commit is made', () => {
  const note = (repo: TestRepo) =>
    repo.run('git', ['notes', '--ref=entire', 'show', 'HEAD']).stdout.trim().split('\n');
  const linesOf = (...ids: string[]) => ids.map((id) => `Entire-Checkpoint: ${id}`).sort();

  scenario('a squash with a message of one’s own', (repo) => {
    const ids = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'All of it');
    expect(note(repo).sort()).toEqual(linesOf(...ids));
    expect(why(repo)).toMatchObject({ status: 'linked' });
    repo.write('b.txt', 'mine\n');
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '-m', 'Mine');
    expect(note(repo)).toEqual(['']);
  });

  /** On main a file of that name stands in the way. */
  function inTheWay(repo: TestRepo): [first: string, second: string] {
    const ids = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    commitMine(repo, { 'a.txt': 'a line of mine\n' });
    return ids;
  }
  const resolve = (repo: TestRepo, text: string): void => {
    repo.write('a.txt', text).git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'Resolved');
  };

  variation('a squash in conflict', (repo) => {
    const ids = inTheWay(repo);
    expect(repo.tryGit('merge', '--squash', 'topic').code).not.toBe(0);
    resolve(repo, `a line of mine\n${repo.git('show', 'topic:a.txt')}\n`);
    expect(note(repo).sort()).toEqual(linesOf(...ids));
  });

  variation('a pick without a commit, with a message of one’s own, also in conflict', (repo) => {
    const [first, second] = inTheWay(repo);
    expect(repo.tryGit('cherry-pick', '--no-commit', 'topic').code).not.toBe(0);
    resolve(repo, 'a line of mine\nthe second line of the agent\n');
    expect(note(repo)).toEqual(linesOf(second));
    repo.git('reset', '--quiet', '--hard', 'HEAD~2');
    repo.git('cherry-pick', '--no-commit', 'topic~1');
    repo.git('commit', '--quiet', '-m', 'Picked');
    expect(note(repo)).toEqual(linesOf(first));
  });

  variation('a squash that was given up links nothing of a later commit', (repo) => {
    branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('reset', '--quiet', '--hard');
    repo.write('b.txt', 'mine\n');
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '-m', 'Mine');
    expect(note(repo)).toEqual(['']);
  });

  variation('what a reset threw away is not in the next commit for a line that many have', (repo) => {
    repo.ready();
    repo.write('a.txt', 'the line that was there before\n');
    repo.commit('Base', 'a.txt');
    const session = addWork(repo, {
      'a.txt': `${repo.read('a.txt')}a whole line of the agent\n  return null;\n`,
    });
    repo.commit('Work', 'a.txt');
    session.end();
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    repo.write('a.txt', `${repo.read('a.txt')}something else by hand\n  return null;\n`);
    repo.git('commit', '--quiet', '-m', 'Mine', 'a.txt');
    expect(note(repo)).toEqual(['']);
  });

  variation('a reset, and two commits of what it took out', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, {
      'a.txt': 'one whole line of the agent\n',
      'b.txt': 'another whole line of the agent\n',
    });
    const id = repo.commit('Both', 'a.txt', 'b.txt') as string;
    session.end();
    repo.git('reset', '--quiet', 'main');
    for (const path of ['a.txt', 'b.txt']) {
      repo.git('add', path);
      repo.git('commit', '--quiet', '-m', `Split ${path}`);
      expect(note(repo)).toEqual(linesOf(id));
    }
  });

  variation('a reset of two commits, one of the index after it, and commits of what they had', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.txt': 'one whole line of the agent\n' });
    const first = repo.commit('First', 'a.txt') as string;
    addWork(repo, { 'b.txt': 'another whole line of the agent\n' }, session);
    const second = repo.commit('Second', 'b.txt') as string;
    session.end();
    repo.git('reset', '--quiet', '--soft', 'HEAD~2');
    repo.git('reset', '--quiet');
    for (const [path, id] of [
      ['b.txt', second],
      ['a.txt', first],
    ] as const) {
      repo.git('add', path);
      repo.git('commit', '--quiet', '-m', `Again ${path}`);
      expect(note(repo)).toEqual(linesOf(id));
    }
  });

  variation('a pull of what a forge has squashed', (repo) => {
    const bare = withOrigin(repo);
    repo.git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.txt': 'the first line of the agent\n' });
    const id = repo.commit('First', 'a.txt') as string;
    session.end();
    repo.git('push', '--quiet', 'origin', 'topic');
    const forge = addClone(repo, bare);
    squashAsForge(forge, 'First, as the forge has it (#1)');
    repo.git('switch', '--quiet', 'main');
    repo.git('pull', '--quiet', '--ff-only');
    expect(note(repo)).toEqual(linesOf(id));
  });
});
