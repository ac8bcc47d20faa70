import { describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

variation(
  'what going back leaves, since another session wrote it, too, is committed as the work of both',
  (repo) => {
    repo.ready();
    repo.write('c.txt', 'one\n');
    repo.commit('Begin', 'c.txt');
    const own = turns(repo, { 'a.txt': 'a\n' }, { 'c.txt': 'own\n', 'd.txt': 'd\n' });
    const other = addWork(repo, { 'c.txt': 'own\nother\n' });
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id, '--session-only');
    expect(stderr).toContain('  Left: c.txt (another session wrote it since then');
    const id = repo.commit('Both', 'c.txt') as string;
    expect(repo.verdict().sessions.toSorted()).toEqual([own.id, other.id].sort());
    const files = [0, 1].map((at) => JSON.parse(repo.stored(id, `${at}/metadata.json`)).files_touched);
    expect(files).toEqual([['c.txt'], ['c.txt']]);
  },
);

variation(
  'undo of the turn that wrote a new file anew: what the first turn made is linked, and the agent’s',
  (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'first\n', 'b.txt': 'b\n' });
    addWork(repo, { 'a.txt': 'something else\nand more of it\n' }, session);
    repo.entire('undo');
    expect(repo.read('a.txt')).toBe('first\n');
    repo.commit('First', 'a.txt');
    expectLinked(repo, session, 'a.txt');
    const { counts } = JSON.parse(repo.entire('blame', 'a.txt', '--json').stdout);
    expect(counts).toEqual({ agent: 1, human: 0, unknown: 0 });
  },
);

describe('going back after a commit took a part of the steps on the branch', () => {
  for (const beside of ['alone on the branch', 'beside another session, whose steps keep it'])
    variation(
      `what the session committed is not in its hands again, and the user’s lines in it stay, ${beside}`,
      (repo) => {
        repo.ready();
        if (beside !== 'alone on the branch') addWork(repo, { 'other.txt': 'not committed\n' });
        const own = addWork(repo, { 'a.txt': 'agent\n' });
        repo.commit('First', 'a.txt');
        repo.write('a.txt', 'agent\nmine\n');
        addWork(repo, { 'b.txt': 'b\n' }, own);
        const point = temporary(repo).find(({ session_id: id }) => id === own.id);
        addWork(repo, { 'b.txt': 'b2\n' }, own);
        goBack(repo, point?.id as string, '--session-only');
        expect([repo.read('b.txt'), repo.read('a.txt')]).toEqual(['b\n', 'agent\nmine\n']);
        expect(repo.state(own.id).files_touched).toEqual(['b.txt']);
      },
    );

  variation(
    'undo of a turn that was committed gives back what an older turn made: its work once more',
    (repo) => {
      repo.ready();
      const session = addWork(repo, { 'a.txt': 'first\n' });
      addWork(repo, { 'a.txt': 'second\n' }, session);
      repo.commit('Second', 'a.txt');
      repo.entire('undo');
      expect(repo.read('a.txt')).toBe('first\n');
      repo.commit('First after all', 'a.txt');
      expectLinked(repo, session, 'a.txt');
      const { lines } = JSON.parse(repo.entire('blame', 'a.txt', '--json').stdout);
      expect(lines).toMatchObject([{ class: 'agent', session_id: session.id }]);
    },
  );
});
