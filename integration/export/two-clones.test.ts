import { describe, expect } from 'vitest';
import { linesOf } from '../support/command/stats.ts';
import { commitWithout } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What a clone says that has the branches and the record, and nothing else. */
function inClone(repo: TestRepo, ...args: string[]): string {
  const dir = `${repo.scratch}/clone`;
  repo.git('clone', '--quiet', `file://${repo.dir}`, dir);
  repo.gitWith({ cwd: dir }, 'fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
  repo.run('git', ['fetch', '--quiet', 'origin', 'refs/notes/entire:refs/notes/entire'], { cwd: dir });
  return repo.run('entire', args, { cwd: dir }).stdout;
}

const WHOLE = ['export', '--format', 'git-ai', 'HEAD'];
const EXPORT = ['export', '--format', 'git-ai', 'HEAD~1..'];

/** Two sessions in the same files, a commit each, and lines by hand. */
function onTopic(repo: TestRepo): void {
  repo.ready().git('switch', '--quiet', '--create', 'topic');
  addWork(repo, { 'a.ts': linesOf('First', 4), 'b.ts': linesOf('Mixed', 2) }).end();
  repo.commit('One', '.');
  addWork(repo, {
    'a.ts': linesOf('First', 4) + linesOf('Second', 4),
    'c.ts': linesOf('Third', 3),
  }).end();
  repo.write('b.ts', linesOf('Mixed', 2) + linesOf('Hand', 2));
  repo.commit('Two', '.');
  repo.git('switch', '--quiet', 'main');
}

/** What notes say of sessions: their lines, below each file. */
const ofSessions = (notes: string): string[] =>
  notes.split('\n').filter((row) => /^ {2}s_|^commit /.test(row));

describe('notes of a squash in two clones', () => {
  scenario('are the same, of two sessions and a person in the files of these', (repo) => {
    onTopic(repo);
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'All of it');
    const here = repo.entire(...EXPORT).stdout;
    expect(here.match(/^ {2}s_/gm)).toHaveLength(4);
    repo.git('branch', '--quiet', '-D', 'topic');
    expect(repo.entire(...EXPORT).stdout).toBe(here);
    expect(inClone(repo, ...EXPORT)).toBe(here);
  });

  variation('whatever the message names, and where relink found it', (repo) => {
    onTopic(repo);
    repo.git('merge', '--quiet', '--squash', 'topic');
    commitWithout(repo, 'All of it', '.');
    repo.entire('relink');
    const here = repo.entire(...EXPORT).stdout;
    repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '--no-edit');
    expect(ofSessions(repo.entire(...EXPORT).stdout).slice(1)).toEqual(ofSessions(here).slice(1));
    const named = repo.entire(...EXPORT).stdout;
    repo.git('branch', '--quiet', '-D', 'topic');
    expect(inClone(repo, ...EXPORT)).toBe(named);
  });

  variation('that a commit is a person’s, only the clone knows that made it', (repo) => {
    onTopic(repo);
    repo.write('d.ts', linesOf('Mine', 3));
    repo.commit('By hand', 'd.ts');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'All of it');
    const [here, there] = [repo.entire(...WHOLE).stdout, inClone(repo, ...WHOLE)];
    expect(here).toContain('\nd.ts\n');
    expect(there).not.toContain('\nd.ts\n');
    expect(here).toContain(there);
  });
});
