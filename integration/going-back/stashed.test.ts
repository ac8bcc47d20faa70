import { describe, expect } from 'vitest';
import { addWork, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { type TestRepo, variation } from '../support/repository/test-repo.ts';

describe('undo of work that lies in a stash changes nothing: what comes out of the stash is still the session’s', () => {
  const withFile = (repo: TestRepo) => {
    repo.ready();
    repo.write('f.txt', '1\n2\n3\n').commit('Begin', 'f.txt');
    return repo.session();
  };

  variation('its turn is over', (repo) => {
    const session = addWork(repo, { 'f.txt': '1\n2\n3\none\n' }, withFile(repo));
    repo.git('stash', 'push', '--quiet');
    repo.entire('undo');
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
      repo.entire('undo');
      if (isBefore) repo.git('stash', 'pop', '--quiet');
      session.stop();
      if (!isBefore) repo.git('stash', 'pop', '--quiet');
      repo.commit('F', 'f.txt');
      expectLinked(repo, session, 'f.txt');
    });

  variation('what you write there instead is yours', (repo) => {
    addWork(repo, { 'f.txt': '1\n2\n3\none\n' }, withFile(repo));
    repo.git('checkout', '--quiet', '--', 'f.txt');
    repo.entire('undo');
    expect(repo.entire('status').stdout).not.toContain('not committed yet');
    repo.write('f.txt', '1\nmine\n2\n3\n').commit('Mine', 'f.txt');
    expectNotLinked(repo, 'no-overlap');
  });
});
