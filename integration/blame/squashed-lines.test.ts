import { describe, expect } from 'vitest';
import { why } from '../support/command/why.ts';
import { addWork, editor } from '../support/command/work.ts';
import { notedIn } from '../support/repository/links.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Two linked commits of a session on a branch of their own, which leave a file of four lines, one of them a person's. */
function branchOff(repo: TestRepo): string[] {
  repo.ready().git('switch', '--quiet', '-c', 'topic');
  const session = addWork(repo, { 'a.txt': 'first by the agent\n' });
  const first = repo.commit('First', 'a.txt');
  addWork(repo, { 'a.txt': 'first by the agent\nsecond by the agent\n' }, session);
  const second = repo.commit('Second', 'a.txt');
  session.end();
  return [first as string, second as string];
}

const classes = (repo: TestRepo, ...args: string[]): string[] =>
  JSON.parse(repo.entire('blame', 'a.txt', ...args, '--json').stdout).lines.map(
    (line: { class: string; reason: string }) => `${line.class}:${line.reason}`,
  );

/** Of two lines the second alone has enough letters to be nobody else's; it is led back to the commit that first had it. */
const MADE_AGAIN = ['unknown:elsewhere', 'agent:written'];

/** Ways in which lines come into a commit that knows nothing of the session that wrote them. */
const WAYS: Record<string, (repo: TestRepo) => void> = {
  'git merge --squash, with a message of one’s own': (repo) => {
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
  },
  'git reset --soft': (repo) => repo.git('reset', '--quiet', '--soft', 'main'),
};

describe('lines of a session in a commit that is not linked to it are no person’s, and the session’s where they are like no other', () => {
  for (const [name, squash] of Object.entries(WAYS)) {
    variation(`${name}: linked by itself`, (repo) => {
      const ids = branchOff(repo);
      squash(repo);
      expect(classes(repo)).toEqual(MADE_AGAIN); // before the commit
      repo.write('a.txt', `${repo.read('a.txt')}mine alone\n`);
      repo.commit('All of it', 'a.txt');
      // Of a reset git does not say what became of it: a line as short as the first one proves nothing there.
      expect(notedIn(repo).sort()).toEqual(name.includes('reset') ? [ids[1]] : ids.toSorted());
      expect(classes(repo)).toEqual(['agent:written', 'agent:written', 'human:not-written']);
      expect(why(repo).status).toBe('linked');
      repo.write('a.txt', `${repo.read('a.txt')}mine as well\n`);
      repo.commit('Mine', 'a.txt');
      expect(why(repo)).toMatchObject({ reason: 'no-overlap', advice: [] });
      expect(classes(repo).at(-1)).toBe('human:no-session');
    });
  }

  variation('files of another branch, of which git leaves no trace', (repo) => {
    const ids = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('checkout', '--quiet', 'topic', '--', 'a.txt');
    expect(classes(repo)).toEqual(MADE_AGAIN); // before the commit as after it
    repo.write('a.txt', `${repo.read('a.txt')}mine alone\n`);
    repo.commit('All of it', 'a.txt');
    expect(classes(repo)).toEqual([...MADE_AGAIN, 'human:no-session']);
    const report = why(repo);
    expect(report).toMatchObject({ status: 'not-linked', reason: 'merge', checkpoint: null });
    for (const id of ids) expect(report.advice.join()).toContain(id);
    // One verdict, whoever is asked.
    expect(repo.entire('explain', 'HEAD').stdout).toContain(
      'it has lines that sessions wrote for other commits',
    );
    expect(JSON.parse(repo.entire('status', '--json').stdout).verdicts[0].reason).toBe('merge');
    repo.write('a.txt', `${repo.read('a.txt')}mine as well\n`);
    repo.commit('Mine', 'a.txt');
    expect(why(repo)).toMatchObject({ reason: 'no-overlap', advice: [] });
    expect(classes(repo)).toEqual([...MADE_AGAIN, 'human:no-session', 'human:no-session']);
  });

  scenario('an autosquash, whose message keeps one of two links: the other is noted', (repo) => {
    const [, second] = branchOff(repo);
    repo.git('commit', '--quiet', '--amend', '-m', 'fixup! First');
    const env = { GIT_SEQUENCE_EDITOR: ':' };
    repo.gitWith({ env }, 'rebase', '--quiet', '-i', '--autosquash', 'main');
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1');
    expect(notedIn(repo)).toEqual([second]);
    expect(classes(repo)).toEqual(['agent:written', 'agent:written']);
  });

  variation('a rebase that squashes, and keeps both names', (repo) => {
    branchOff(repo);
    const env = {
      GIT_SEQUENCE_EDITOR: editor(repo, `sed -i -e '2s/^pick/squash/' "$1"`, 'plan'),
      GIT_EDITOR: ':',
    };
    repo.gitWith({ env }, 'rebase', '--quiet', '-i', 'main');
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('1');
    expect(classes(repo)).toEqual(['agent:written', 'agent:written']); // the later transcript has both
  });

  variation('what a session wrote on a branch that nobody took says nothing of other lines', (repo) => {
    branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.write('a.txt', 'typed by hand\n');
    repo.commit('Mine', 'a.txt');
    expect(classes(repo)).toEqual(['human:no-session']);
  });
});
