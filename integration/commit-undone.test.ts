import { describe, expect } from 'vitest';
import { type TestRepo, variation } from './support/test-repo.ts';
import { why } from './support/why.ts';
import { addWork, expectLinked, expectNotLinked } from './support/work.ts';

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

  variation('in part, or worked on: it is linked (§9 scenario 27)', (repo) => {
    const session = work(repo);
    repo.write('a.txt', lines([1, 'by the agent, and by me'], [9, 'mine']));
    repo.commit('Both', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });
});
