import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork, commitStaged, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

function withFile(repo: TestRepo): AgentSession {
  repo.ready();
  repo.write('f.txt', '1\n2\n3\n').commit('Begin', 'f.txt');
  return repo.session();
}

describe('undo of work that lies in a stash changes nothing: what comes out of the stash is still the session’s', () => {
  variation('its turn is over', (repo) => {
    const session = addWork(repo, { 'f.txt': '1\n2\n3\none\n' }, withFile(repo));
    repo.git('stash', 'push', '--quiet');
    repo.tryEntire('undo');
    repo.git('stash', 'pop', '--quiet');
    repo.commit('F', 'f.txt');
    expectLinked(repo, session, 'f.txt');
  });

  for (const isBefore of [true, false])
    variation(`its turn goes on, the stash is popped ${isBefore ? 'before' : 'behind'} its end`, (repo) => {
      const session = withFile(repo);
      session.prompt('one');
      session.edit('f.txt', '1\n2\n3\none\n');
      repo.git('stash', 'push', '--quiet');
      repo.tryEntire('undo');
      if (isBefore) repo.git('stash', 'pop', '--quiet');
      session.stop();
      if (!isBefore) repo.git('stash', 'pop', '--quiet');
      repo.commit('F', 'f.txt');
      expectLinked(repo, session, 'f.txt');
    });
});

describe('undo of work that you took away yourself', () => {
  const takenAway = (repo: TestRepo): void => {
    addWork(repo, { 'f.txt': '1\n2\n3\none\n' }, withFile(repo));
    repo.git('checkout', '--quiet', '--', 'f.txt');
    repo.tryEntire('undo');
  };

  for (const [what, act] of [
    ['write there instead', (repo) => repo.write('f.txt', '1\nmine\n2\n3\n')],
    ['write the same there', (repo) => repo.write('f.txt', '1\nmine\n2\n3\none\n')],
    ['remove', (repo) => repo.git('rm', '--quiet', 'f.txt')],
    ['rename', (repo) => repo.git('mv', 'f.txt', 'g.txt')],
  ] as ReadonlyArray<readonly [string, (repo: TestRepo) => unknown]>)
    variation(`what you ${what} is yours`, (repo) => {
      takenAway(repo);
      expect(repo.entire('status').stdout).not.toContain('not committed yet');
      act(repo);
      repo.git('add', '--all');
      commitStaged(repo);
      expectNotLinked(repo, 'no-overlap');
    });

  variation('what another session writes there is that one’s', (repo) => {
    takenAway(repo);
    const other = addWork(repo, { 'f.txt': '0\n1\n2\n3\n' });
    repo.commit('Other', 'f.txt');
    expectLinked(repo, other, 'f.txt');
  });
});
