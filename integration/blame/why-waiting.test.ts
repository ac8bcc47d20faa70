import { describe, expect } from 'vitest';
import { commitWithout, why } from '../support/command/why.ts';
import { addWork, commitBefore, withWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

describe('what a commit could be linked to, and what becomes of work that it is not linked to', () => {
  variation('a session that worked on its files later is none that it could be linked to', (repo) => {
    const session = withWork(repo);
    repo.commit('Add a', 'a.txt');
    repo.write('human.txt', 'one\ntwo\nthree\n');
    commitBefore(repo, 'By hand', 'human.txt');
    for (const later of [session, repo.session()]) {
      addWork(repo, { 'human.txt': `one\n${later.id}\nthree\n` }, later);
      expect(why(repo)).toMatchObject({ status: 'not-linked', waiting_sessions: [], advice: [] });
    }
    expect(repo.entire('why').stdout).not.toContain('reset --soft');
  });

  variation(
    'what was committed without a trailer is stored with new work of its session, as why says',
    (repo) => {
      const session = withWork(repo);
      repo.git('add', 'a.txt');
      repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '--quiet', '-m', 'Add a');
      const first = repo.git('rev-parse', 'HEAD');
      repo.write('a.txt', 'one\nby hand\n');
      repo.commit('More of a', 'a.txt');
      expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'no-overlap' });
      expect(why(repo, first).advice.join()).toContain('the next commit that holds new work of it');
      addWork(repo, { 'a.txt': 'one\nby hand\ntwo\n' }, session);
      const id = repo.commit('Still more of a', 'a.txt') as string;
      expect(repo.stored(id, '0/prompt.txt')).toContain('write a.txt\n\n---\n\nwrite a.txt');
    },
  );

  variation('a revert, and a commit of a person beside auto-commit', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    repo.git('revert', '--no-edit', 'HEAD');
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'sequence' });
    expect(why(repo).explanation).toBe(
      'it takes back what another commit did, and holds no new work of a session',
    );
    repo.entire('enable', '--project', '--strategy', 'auto-commit');
    repo.write('mine.txt', 'mine\n');
    repo.git('add', 'mine.txt');
    repo.git('commit', '--quiet', '-m', 'Mine');
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'auto-commit', advice: [] });
    expect(JSON.parse(repo.entire('status', '--json').stdout).verdicts[0].reason).toBe('auto-commit');
  });

  variation(
    'one that no hook saw is linked by the prompt of any session, also where its own is over',
    (repo) => {
      repo.ready();
      const session = addWork(repo, { 'a.txt': 'a\n' });
      session.end();
      commitWithout(repo, 'Add a', 'a.txt');
      const made = repo.git('rev-parse', 'HEAD');
      repo.write('mine.txt', 'mine\n');
      commitWithout(repo, 'Mine', 'mine.txt');
      expect(why(repo, made).advice).toEqual([
        'The next prompt of an agent in this worktree links it, by a git note.',
      ]);
      repo.session().prompt('something else');
      const id = why(repo, made).checkpoint as string;
      expect(why(repo, made)).toMatchObject({ status: 'linked', checkpoint: id });
      expect(why(repo, made).explanation).toContain('stored under the id in its git note');
      expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({ session_id: session.id });
      expect(why(repo)).toMatchObject({ reason: 'no-overlap', checkpoint: null });
    },
  );
});
