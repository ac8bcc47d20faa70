import { hostname } from 'node:os';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ANY_LINK = /\u001b\]8;;([^\u001b]*)\u001b\\(.*?)\u001b\]8;;\u001b\\/g;

const run = (repo: TestRepo, env: Record<string, string>, ...args: string[]): string =>
  repo.run('entire', args, { env: { NO_COLOR: '', ...env } }).stdout;

/** What a command links, as text and address, and that it prints the same without. */
function linksOf(repo: TestRepo, ...args: string[]): Record<string, string> {
  const linked = run(repo, { FORCE_HYPERLINK: '1' }, ...args);
  expect(linked.replace(ANY_LINK, '$2')).toBe(run(repo, {}, ...args));
  return Object.fromEntries([...linked.matchAll(ANY_LINK)].map(([, url = '', text = '']) => [text, url]));
}

scenario(
  'commits lead to the page of their remote, files to themselves, and nothing else changes',
  (repo) => {
    repo.ready();
    const session = repo.session();
    addWork(repo, { 'src/a b.ts': '1\n', 'it.ts': '1\n' }, session);
    repo.commit('Add it', 'src/a b.ts', 'it.ts');
    addWork(repo, { 'open.ts': '2\n' }, session);
    const commit = repo.git('rev-parse', 'HEAD').trim();
    const short = commit.slice(0, 7);
    const file = (path: string) =>
      pathToFileURL(`${repo.dir}/${path}`).href.replace('file://', `file://${hostname()}`);
    const files = { 'src/a b.ts': file('src/a b.ts'), 'it.ts': file('it.ts') };
    expect(linksOf(repo, 'log')).toEqual({});
    expect(linksOf(repo, 'why')).toEqual(files);
    repo.git('remote', 'add', 'origin', 'https://me:secret@github.com/me/a\u001b]8;;x\u0007b.git');
    const page = (oid: string) => `https://github.com/me/a%1B%5D8%3B%3Bx%07b/commit/${oid}`;
    expect(linksOf(repo, 'log')).toMatchObject({ [short]: page(commit) });
    expect(linksOf(repo, 'why')).toEqual({ [short]: page(commit), ...files });
    expect(linksOf(repo, 'status')).toMatchObject({ [short]: page(commit), 'open.ts': file('open.ts') });
    expect(linksOf(repo, 'explain')).toEqual({ [short]: page(commit) });
    expect(linksOf(repo, 'explain', 'HEAD')).toEqual({ [short]: page(commit), ...files });
    expect(run(repo, { FORCE_HYPERLINK: '1' }, 'log', '--json')).not.toContain('\u001b');
    repo.git('remote', 'set-url', 'origin', '/srv/proj.git');
    expect(linksOf(repo, 'log')).toEqual({});
  },
);

variation('in a terminal that takes links there are some, and in no other, nor in a pager', (repo) => {
  repo.ready();
  repo.git('remote', 'add', 'origin', 'git@github.com:me/proj.git');
  const shown = (env: Record<string, string>, rows = 50): string => {
    const args = [
      '--quiet',
      '--return',
      '--command',
      `stty cols 100 rows ${rows}; exec entire log`,
      '/dev/null',
    ];
    return repo.run('script', args, { env: { NO_COLOR: '', ...env } }).stdout;
  };
  expect(shown({ TERM: 'xterm-kitty' })).toMatch(ANY_LINK);
  expect(shown({ TERM: 'xterm-kitty', PAGER: 'sed s/^/paged:/' }, 3)).toMatch(/^(?!.*\u001b\]8)paged:/s);
  for (const env of [
    { TERM: 'xterm' },
    { TERM: 'xterm-kitty', NO_COLOR: '1' },
    { TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' },
  ])
    expect(shown(env)).not.toContain('\u001b]8');
});
