import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { linesOf, shares, stats } from '../support/command/stats.ts';
import { commitWithout } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A session's file that a person moves and adds to, beside another one; and a new file under the old name. */
function moved(repo: TestRepo): void {
  addWork(repo.ready(), { 'src/a.ts': linesOf('Agent', 6), 'docs/b.md': linesOf('Guide', 3) }).end();
  repo.commit('Add both', '.');
  repo.git('mv', 'src/a.ts', 'src/c.ts');
  repo.write('src/c.ts', repo.read('src/c.ts') + linesOf('Mine', 2));
  repo.write('src/a.ts', linesOf('Anew', 4));
  repo.commit('Move a', '.');
}

const byFile = (repo: TestRepo, ...args: string[]) =>
  Object.fromEntries(
    stats(repo, ...args).by_file.map(({ key, added, surviving }) => [key, [added, surviving]]),
  );

describe('stats by file', () => {
  variation('a file that was moved is one, by the name that it has at the end', (repo) => {
    addWork(repo.ready(), { 'a.ts': linesOf('Agent', 6) }).end();
    repo.commit('Add a', 'a.ts');
    for (const [from, to] of [
      ['a.ts', 'b.ts'],
      ['b.ts', 'c.ts'],
    ] as const) {
      repo.git('mv', from, to);
      repo.write(to, repo.read(to) + linesOf(`In${to[0]}`, 1));
      repo.commit(`Move to ${to}`, '.');
    }
    expect(byFile(repo, 'HEAD~3..')).toEqual({ 'c.ts': [shares(6, 2), shares(6, 2)] });
    // In the middle of it, it had another name.
    expect(byFile(repo, 'HEAD~3..HEAD~1')).toEqual({ 'b.ts': [shares(6, 1), shares(6, 1)] });
  });

  variation('only what changed some files counts where these are named', (repo) => {
    moved(repo);
    const docs = stats(repo, 'HEAD~2..', '--', 'docs');
    expect(docs.range).toMatchObject({ commits: 1, paths: ['docs'] });
    expect(docs.added).toEqual(shares(3, 0));
    expect(docs.by_file.map(({ key }) => key)).toEqual(['docs/b.md']);
    expect(stats(repo, '--', 'src', 'docs/b.md').added).toEqual(stats(repo, 'HEAD~2..').added);
    // As with git, a word that is no range can be a file; and paths are those of the folder that one is in.
    expect(stats(repo, 'docs/b.md').added).toEqual(shares(3, 0));
    const told = repo.run('entire', ['stats', '--', 'b.md'], { cwd: join(repo.dir, 'docs') });
    expect(told.stdout).toContain('Commits of main, in docs/b.md: 1\n');
    expect(told.stdout).toContain('Added:      3 lines: agent 3 (100%)');
    expect(repo.entire('stats', '--', 'README.md', 'nothing').stdout).not.toContain('agent 3');
    expect(repo.entire('stats', '--', 'nothing').stdout).toBe('No commits of main in nothing.\n');
    expect(repo.tryEntire('stats', 'nothing').stderr).toContain('no such range of commits: nothing');
  });
});

describe('stats say where a record may be', () => {
  const relink = '1 commit has lines of sessions, and no link to them: `entire relink`';

  variation('after a squash of which no hook heard, until it is linked', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    addWork(repo, { 'a.ts': linesOf('Agent', 6) }).end();
    repo.commit('Add a', 'a.ts');
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'All of it');
    repo.git('branch', '--quiet', '--delete', '--force', 'topic');
    const clone = join(repo.scratch, 'clone');
    repo.git('clone', '--quiet', repo.dir, clone);
    const inClone = (...args: string[]) => repo.run('entire', args, { cwd: clone }).stdout;
    expect(inClone('stats', 'HEAD~1..')).toContain(relink);
    inClone('relink');
    expect(inClone('stats', 'HEAD~1..')).not.toContain('relink');
  });

  variation('in a clone without checkpoints, where there is a remote', (repo) => {
    repo.ready().write('a.ts', linesOf('Hand', 3));
    commitWithout(repo, 'By hand', 'a.ts');
    expect(repo.entire('stats').stdout).not.toContain('fetch');
    repo.git('remote', 'add', 'origin', repo.dir);
    expect(repo.entire('stats').stdout).toContain('There are no checkpoints here: `entire fetch`');
  });
});
