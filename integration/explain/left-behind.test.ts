import { expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { findAll, heads } from '../support/command/search.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

function turn(session: AgentSession, prompt: string, files: Readonly<Record<string, string>>): void {
  session.prompt(prompt);
  for (const [path, content] of Object.entries(files)) session.edit(path, content);
  session.stop();
}

/** Three commits of one session: the first has all of a turn, the second a part of the next one, the third what that left. */
function commitInParts(repo: TestRepo): AgentSession {
  repo.ready();
  const session = repo.session();
  turn(session, 'count words right', { 'count.js': '1\n', 'count.test.js': '1\n' });
  repo.commit('Count words', 'count.js', 'count.test.js');
  turn(session, 'count characters as well', { 'count.js': '1\n2\n', 'cli.js': '2\n' });
  repo.commit('Count characters', 'count.js');
  turn(session, 'what does it print?', {});
  turn(session, 'print everything', { 'cli.js': '2\n3\n' });
  repo.commit('Command line', 'cli.js');
  return session;
}

const promptsInLog = (repo: TestRepo): string[] =>
  repo
    .entire('log')
    .stdout.split('\n')
    .flatMap((line) => /“.*/.exec(line)?.[0] ?? []);

variation(
  'what a commit left behind is shown with the turns that wrote it, and with no earlier one',
  (repo) => {
    commitInParts(repo);
    expect(promptsInLog(repo)).toEqual([
      '“count characters as well” + 2 more',
      '“count characters as well”',
      '“count words right”',
    ]);
    expect(repo.entire('why', 'HEAD').stdout).toContain('count characters as well');
    expect(repo.entire('why', 'HEAD').stdout).not.toContain('count words right');
    expect(repo.entire('diff', 'HEAD').stdout).toContain('"count characters as well" + 2 more');
    const list = JSON.parse(repo.entire('explain', '--json').stdout).checkpoints;
    expect(list.map(({ prompt }: { prompt: string }) => prompt)).toEqual([
      'count characters as well',
      'count characters as well',
      'count words right',
    ]);
  },
);

variation(
  'explain folds the turns that have no part in the commit, and says whose tokens it counts',
  (repo) => {
    commitInParts(repo);
    const told = repo.entire('explain', 'HEAD').stdout;
    expect(told).toContain('\n… 1 turn without work in this checkpoint: “count words right” (--full)\n');
    expect(told).toMatch(/^Tokens: .* output, of the session up to here$/m);
    expect(repo.entire('explain', 'HEAD~1').stdout).toMatch(/^Tokens: .* output$/m);
    expect(told).not.toContain('> count words right');
    expect(told).not.toContain('count.test.js');
    expect(told).toMatch(/> count characters as well[\s\S]*> what does it print\?[\s\S]*> print everything/);
    expect(repo.entire('explain', 'HEAD', '--short').stdout).not.toContain('count words right');
    expect(repo.entire('explain', 'HEAD', '--full').stdout).toContain('> count words right');
    const json = JSON.parse(repo.entire('explain', 'HEAD', '--json').stdout);
    expect(json.sessions[0].prompts).toEqual([
      'count characters as well',
      'what does it print?',
      'print everything',
    ]);
  },
);

variation('search lists a turn once, with the commit that has a file of it', (repo) => {
  const session = commitInParts(repo);
  const subjects = (word: string): string[] => findAll(repo, word).map(({ commit }) => commit?.subject);
  expect(subjects('words')).toEqual(['Count words']);
  expect(subjects('characters')).toEqual(['Count characters']);
  expect(subjects('everything')).toEqual(['Command line']);
  expect(heads(repo.entire('search', 'print').stdout)).toHaveLength(2);
  turn(session, 'begin a page', { 'page.js': '1\n', 'style.css': '1\n' });
  turn(session, 'colour it', { 'style.css': '2\n' });
  repo.commit('Page', 'page.js');
  expect(subjects('page')).toContain('Page');
  expect(subjects('colour')).toEqual([undefined]);
  repo.commit('Style', 'style.css');
  expect(subjects('colour')).toEqual(['Style']);
});
