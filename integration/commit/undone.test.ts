import { describe, expect } from 'vitest';
import { temporary } from '../support/command/rewind.ts';
import { why } from '../support/command/why.ts';
import { addWork, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const lines = (...changed: [number, string][]): string => {
  const all = Array.from({ length: 12 }, (_, at) => `line ${at}`);
  for (const [at, line] of changed) all[at] = line;
  return `${all.join('\n')}\n`;
};

/** A session has changed line 1 of a file, and line 3 of another. */
function work(repo: TestRepo) {
  repo.ready().write('a.txt', lines()).write('b.txt', lines());
  repo.commit('Files', 'a.txt', 'b.txt');
  return addWork(repo, { 'a.txt': lines([1, 'by the agent']), 'b.txt': lines([3, 'by the agent']) });
}

describe('a commit of a file in which the work of a session was undone', () => {
  const WAYS: Record<string, (repo: TestRepo) => unknown> = {
    'git restore': (repo) => repo.git('restore', '--', 'a.txt'),
    'entire undo': (repo) => repo.entire('undo'),
    'an editor': (repo) => repo.write('a.txt', lines()),
  };
  for (const [way, undo] of Object.entries(WAYS)) {
    variation(`as a whole, by ${way}: the user’s own change is not linked`, (repo) => {
      const session = work(repo);
      undo(repo);
      repo.write('a.txt', lines([9, 'mine']));
      repo.commit('Mine', 'a.txt');
      expectNotLinked(repo, 'no-overlap');
      expect(why(repo).waiting_sessions).toEqual([]);
      if (way === 'entire undo') return;
      repo.commit('Of the agent', 'b.txt');
      expectLinked(repo, session, 'b.txt');
    });
  }

  variation('in part, or worked on: it is linked', (repo) => {
    const session = work(repo);
    repo.write('a.txt', lines([1, 'by the agent, and by me'], [9, 'mine']));
    repo.commit('Both', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });
});

describe('a commit after going back and forth', () => {
  variation('undone, committed without it, and done again: it is the session’s as before', (repo) => {
    const session = work(repo);
    session.prompt('and b again');
    session.edit('b.txt', lines([3, 'by the agent'], [7, 'again']));
    session.stop();
    repo.entire('undo');
    repo.commit('Without', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
    repo.entire('redo');
    expect(repo.entire('status').stdout).toContain('not committed yet: b.txt');
    repo.commit('Again', 'b.txt');
    expectLinked(repo, session, 'b.txt');
  });

  variation('done again and undone again: the user’s own change is not linked', (repo) => {
    work(repo);
    repo.entire('undo');
    repo.write('c.txt', 'mine\n').commit('Nothing of it', 'c.txt');
    repo.entire('redo');
    repo.entire('undo');
    repo.write('a.txt', lines([9, 'mine']));
    repo.commit('Mine', 'a.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('undone, and the user cuts the same line: it is the user’s own change', (repo) => {
    const session = work(repo);
    session.prompt('cut');
    session.edit('b.txt', lines().replace('line 5\n', ''));
    session.stop();
    repo.entire('undo', '--steps', '2');
    repo.write('b.txt', lines([9, 'mine']).replace('line 5\n', ''));
    repo.commit('Mine', 'b.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('undone in the turn that goes on: the user’s own change is not linked', (repo) => {
    const session = work(repo);
    repo.commit('Of the agent', 'a.txt', 'b.txt');
    session.prompt('more');
    session.edit('a.txt', lines([1, 'by the agent'], [5, 'more']));
    repo.entire('undo');
    repo.write('a.txt', lines([1, 'by the agent'], [9, 'mine']));
    repo.commit('Mine', 'a.txt');
    expectNotLinked(repo, 'no-overlap');
    session.edit('a.txt', lines([1, 'by the agent'], [5, 'more'], [9, 'mine']));
    repo.commit('Of the agent', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('a rewind taken back after a commit: what it took is in nobody’s hands', (repo) => {
    const session = work(repo);
    const [point] = temporary(repo);
    repo.entire('rewind', '--to', point?.id ?? '');
    repo.commit('Of the agent', 'a.txt', 'b.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt');
    repo.entire('undo');
    repo.write('a.txt', lines([1, 'by the agent'], [9, 'mine']));
    repo.commit('Mine', 'a.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation(
    'a rewind taken back, and its turn, too, after a commit: nothing is left that a commit could be linked to',
    (repo) => {
      const session = work(repo);
      const [point] = temporary(repo);
      repo.entire('rewind', '--to', point?.id ?? '');
      repo.commit('Of the agent', 'a.txt', 'b.txt');
      expectLinked(repo, session, 'a.txt', 'b.txt');
      repo.entire('undo', '--steps', '2');
      expect(repo.read('a.txt')).toBe(lines());
      repo.commit('Without', 'a.txt', 'b.txt');
      expectNotLinked(repo, 'no-overlap');
    },
  );
});
