import { describe, expect } from 'vitest';
import { findAll, heads } from '../support/command/search.ts';
import { addWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ONE = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';
const TWO = 'c0ffee83-58dd-4892-8e75-8c5fe1567bcd';

/** A committed turn of one session, one more of it, and a turn of another session. */
function withTurns(repo: TestRepo): void {
  repo.ready();
  const [one, two] = [repo.session(ONE), repo.session(TWO)];
  one.prompt('Add a rate limiter to the gateway');
  one.edit('src/limiter.ts', 'export const tokenBucket = 1;\n');
  one.stop('Every client has a bucket of tokens now.');
  repo.commit('feat: rate limits', 'src');
  one.prompt('Make the limiter configurable');
  one.edit('src/config.ts', 'export const limit = 2;\n');
  one.stop('It reads the settings.');
  addWork(repo, { 'other.txt': 'other\n' }, two);
}

onBothBuilds('a hit says where it was said, and which commit it led to', (repo) => {
  withTurns(repo);
  const { stdout } = repo.entire('search', 'limiter');
  expect(heads(stdout).sort()).toEqual([
    expect.stringMatching(
      /^bee76f83:1 {2}Claude {2}(?:\d\d:\d\d|[A-Z]\w+ \d\d) +[0-9a-f]{7} {2}feat: rate limits$/,
    ),
    expect.stringMatching(/^bee76f83:2 {2}Claude {2}(?:\d\d:\d\d|[A-Z]\w+ \d\d) +not committed$/),
  ]);
  expect(stdout).toContain('\n  prompt   Add a rate limiter to the gateway\n');
  expect(stdout).toMatch(/\n {2}file {5}.*src\/limiter\.ts\n/);
  expect(findAll(repo, 'bucket', 'tokens')).toMatchObject([
    {
      kind: 'answer',
      session_id: ONE,
      agent: 'Claude Code',
      turn: 'bee76f83:1',
      commit: { subject: 'feat: rate limits' },
    },
  ]);
  expect(
    findAll(repo, 'Bucket')
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['answer', 'file']);
  // What a commit takes up is no longer uncommitted, and is found once.
  repo.commit('feat: settings', 'src');
  expect(findAll(repo, 'configurable')).toMatchObject([
    { turn: 'bee76f83:2', commit: { subject: 'feat: settings' } },
  ]);
});

variation('the number of a turn is found however its prompt begins, and ends', (repo) => {
  repo.ready();
  const session = repo.session(ONE);
  for (const [at, prompt] of [
    'please add a limiter',
    'could you make the limiter configurable?\n\nIt is `limit` in the settings.',
    `rename the limiter ${'to something longer '.repeat(10)}`,
    "let's see what the LIMITER   does",
  ].entries()) {
    session.prompt(prompt);
    session.edit(`file-${at}.txt`, 'x\n');
    session.stop('Done.');
  }
  const turns = findAll(repo, 'limiter', '--kind', 'prompt').map(
    ({ turn, text }) => `${turn} ${text.slice(0, 5)}`,
  );
  expect(turns.sort()).toEqual([
    'bee76f83:1 pleas',
    'bee76f83:2 could',
    'bee76f83:3 renam',
    "bee76f83:4 let's",
  ]);
});

describe('what is asked for', () => {
  variation('flags narrow it; nothing found is exit 1 and a sentence', (repo) => {
    withTurns(repo);
    expect(
      findAll(repo, 'limiter', '--kind', 'prompt')
        .map(({ turn }) => turn)
        .sort(),
    ).toEqual(['bee76f83:1', 'bee76f83:2']);
    for (const words of [
      ['limiter', '--kind', 'file', '--kind', 'answer'],
      ['--kind', 'file', '--kind', 'answer', 'limiter'],
      ['--kind', 'answer,file', 'limiter'],
    ])
      expect(findAll(repo, ...words).map(({ kind }) => kind)).toEqual(['file']);
    expect(findAll(repo, 'write', '--session', 'c0ff')).toMatchObject([{ session_id: TWO, kind: 'prompt' }]);
    expect(repo.tryEntire('search', 'write', '--session', 'zzzz')).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining('Error: no such session: zzzz\nHint: `entire session list`'),
    });
    expect(findAll(repo, 'limiter', '--since', '1h')).not.toEqual([]);
    for (const args of [
      ['--session', 'c0ff'],
      ['--agent', 'codex'],
      ['--since', '2999-01-01'],
    ]) {
      const { code, stdout, stderr } = repo.tryEntire('search', 'limiter', ...args);
      expect([code, stdout, stderr]).toEqual([1, '', 'Nothing found: limiter\n']);
    }
    const limited = repo.entire('search', 'limiter', '--limit', '1');
    expect(heads(limited.stdout)).toHaveLength(1);
    expect(limited.stderr).toMatch(/^\d+ hits? of \d+\. More: --limit 4\n$/);
    expect(JSON.parse(repo.tryEntire('search', 'nowhere', '--json').stdout)).toEqual({ total: 0, hits: [] });
  });

  variation('quotes, operators and punctuation are what somebody looks for, and no syntax', (repo) => {
    repo.ready();
    const session = repo.session(ONE);
    session.prompt(
      'call renderPage("main") in src/pages/a.ts -- not NEAR(b); 設定ファイルを読む; naïve café',
    );
    session.edit('a.txt', 'a\n');
    session.stop('Ran it: foo_bar, FooBarBaz and v1.2.3.');
    for (const words of [
      ['renderPage('],
      ['"main"'],
      ['page'],
      ['src/pages/a.ts'],
      ['pages/a.ts'],
      ['NEAR(b)'],
      ['*', 'main'],
      ['"renderPage main"'],
      ['"unclosed renderPage'.replace('unclosed ', '')],
      ['設定'],
      ['ファイル'],
      ['naive', 'cafe'],
      ['foo_bar'],
      ['barbaz'],
      ['v1.2.3'],
      ['RENDERPAGE'],
      ['--', '--'.concat(' not')],
      ['--', '-x'.replace('x', 'not')],
    ])
      expect(findAll(repo, ...words).length, words.join(' ')).toBeGreaterThan(0);
    for (const words of [['"main renderPage"'], ['enderPage'], ['main', 'elsewhere'], ['"src pages b"']])
      expect(findAll(repo, ...words), words.join(' ')).toEqual([]);
    for (const words of [['*'], ['""'], ['--', '->'], []]) {
      const { code, stderr } = repo.tryEntire('search', ...words);
      expect([code, stderr.split('\n')[0]]).toEqual([
        2,
        'Error: say what to look for: a word of letters or digits',
      ]);
    }
  });

  variation('in a repository without sessions, and outside of one', (repo) => {
    repo.init();
    const none = repo.tryEntire('search', 'anything');
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('There is no session to search here.');
    const outside = { cwd: repo.scratch };
    const bare = repo.run(`${repo.build.bin}/entire`, ['search', 'anything'], outside);
    expect([bare.code, bare.stderr]).toEqual([1, expect.stringContaining('Not a git repository')]);
    const all = repo.run(`${repo.build.bin}/entire`, ['search', 'anything', '--all'], outside);
    expect([all.code, all.stderr]).toEqual([1, 'There is no session to search.\n']);
  });
});
