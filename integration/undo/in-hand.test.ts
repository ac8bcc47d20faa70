import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const text = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');

/** An agent's turn in a file that is tracked. */
function withTurn(repo: TestRepo, content = text) {
  repo.ready();
  repo.write('f.txt', content).commit('F', 'f.txt');
  const session = repo.session();
  session.prompt('change it');
  session.edit('f.txt', `by the agent\n${content}`);
  return session;
}

/** What each of them says that is not committed. */
const told = (repo: TestRepo) => ({
  status: /not committed yet: (.*)/.exec(repo.entire('status').stdout)?.[1],
  statusline: repo.entire('statusline', '--format', '%f').stdout.trim(),
  log: repo
    .entire('log')
    .stdout.split('\n')
    .flatMap((line) => /^✎ +\S+ +(?:\d\d:\d\d|[A-Z]\w+ \d\d) +(\S.*?) {2}/.exec(line)?.[1] ?? []),
});

const mine = (repo: TestRepo) => repo.write('f.txt', `${repo.read('f.txt')}mine\n`);

describe('what is said to be uncommitted after an undo', () => {
  const contents = { 'a small file': text, 'a file that is too large to be compared': text.repeat(28_000) };
  for (const [what, content] of Object.entries(contents)) {
    variation(`nothing, where all of it was taken back beside a line of the user: ${what}`, (repo) => {
      const session = withTurn(repo, content);
      session.stop();
      mine(repo);
      repo.entire('undo');
      expect(repo.read('f.txt')).toBe(`${content}mine\n`);
      const nothing = { status: undefined, statusline: '', log: ['taken back'] };
      expect(told(repo)).toEqual(nothing);
      repo.commit('Mine', 'f.txt');
      expect(repo.git('log', '-1', '--format=%B')).not.toContain('Entire-Checkpoint');
      expect(told(repo)).toEqual(nothing);
      repo.entire('redo');
      const again = { status: 'f.txt', statusline: '1 file uncommitted' };
      expect(told(repo)).toMatchObject(again);
    });
  }

  variation('what the turns before it did, until they are taken back as well', (repo) => {
    const session = withTurn(repo, text.repeat(28_000));
    session.stop();
    session.prompt('again');
    session.edit('f.txt', `again\n${repo.read('f.txt')}`);
    session.stop();
    mine(repo);
    repo.entire('undo');
    expect(told(repo)).toMatchObject({ status: 'f.txt', statusline: '1 file uncommitted' });
    repo.entire('undo');
    expect(told(repo)).toEqual({ status: undefined, statusline: '', log: ['taken back', 'taken back'] });
  });

  variation('nothing while the turn goes on, and what it writes since', (repo) => {
    const session = withTurn(repo);
    mine(repo);
    repo.entire('undo');
    expect(told(repo)).toMatchObject({ status: undefined, log: [] });
    session.edit('f.txt', `anew\n${repo.read('f.txt')}`);
    expect(told(repo)).toMatchObject({ status: 'f.txt', log: ['1 file so far'] });
    session.stop();
    expect(told(repo)).toEqual({
      status: 'f.txt',
      statusline: '1 file uncommitted',
      log: ['1 file uncommitted'],
    });
  });
});

variation('where git alone took the work back, the log counts no file of it', (repo) => {
  withTurn(repo).stop();
  const { log } = told(repo);
  expect(log).toEqual(['1 file uncommitted']);
  repo.git('checkout', '--quiet', 'f.txt');
  expect(told(repo)).toMatchObject({ status: undefined, log: ['nothing uncommitted'] });
  repo.write('f.txt', `by the agent\n${text}`);
  expect(told(repo)).toMatchObject({ status: 'f.txt', log: ['1 file uncommitted'] });
});

variation('a new file under another name is still counted', (repo) => {
  repo.ready();
  const session = repo.session();
  session.prompt('make it');
  session.edit('n.txt', text);
  session.stop();
  repo.run('mv', ['n.txt', 'm.txt']);
  expect(told(repo)).toMatchObject({ status: 'm.txt', log: ['1 file uncommitted'] });
});
