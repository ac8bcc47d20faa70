import { describe, expect } from 'vitest';
import { rebase, text, threeLinked } from '../support/command/rebase.ts';
import { addWork } from '../support/command/work.ts';
import { classesOf, linksOf } from '../support/repository/links.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const EDIT = `sed -i -e '1s/^pick/edit/' "$1"`;

/** A session works where a rebase has stopped after the first of three linked commits; that is committed, and the rebase goes on. */
function commitBetween(repo: TestRepo, plan: string): void {
  const [a, b, c] = threeLinked(repo) as [string, string, string];
  rebase(repo, plan);
  addWork(repo, { 'new.ts': text('somethingNew') }).end();
  const id = repo.commit('Between', 'new.ts') as string;
  repo.git('rebase', '--continue');
  expect(repo.git('log', '--format=%s', 'main..HEAD').split('\n')[2]).toBe('Between');
  expect(linksOf(repo, 'HEAD~2')).toEqual([id]);
  expect([3, 1, 0].map((at) => linksOf(repo, `HEAD~${at}`))).toEqual([[a], [b], [c]]);
  expect(classesOf(repo, 'new.ts')).toEqual(['agent:written']);
}

describe('work of a session that is committed where a rebase has stopped', () => {
  scenario('is linked as any other is: nothing of it was replayed', (repo) => commitBetween(repo, EDIT));
  variation('is so at break', (repo) => commitBetween(repo, `sed -i -e '1abreak' "$1"`));
  variation('is so after a command that failed', (repo) =>
    commitBetween(repo, `sed -i -e '1aexec false' "$1"`),
  );

  variation('is that of the commit at which it stopped, where it is added to that', (repo) => {
    const [a, b, c] = threeLinked(repo) as [string, string, string];
    rebase(repo, EDIT);
    const session = addWork(repo, { 'new.ts': text('somethingNew') });
    repo.git('add', 'new.ts');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    repo.git('rebase', '--continue');
    expect([2, 1, 0].map((at) => linksOf(repo, `HEAD~${at}`))).toEqual([[a], [b], [c]]);
    expect(classesOf(repo, 'new.ts')).toEqual(['agent:written']);
    expect(repo.entire('status').stdout).not.toContain(session.id.slice(0, 8));
  });

  variation(
    'is not linked by a conflict that git commit ends: that is the commit that was replayed',
    (repo) => {
      const [a] = threeLinked(repo) as [string];
      repo.git('switch', '--quiet', 'main');
      repo.write('first.ts', 'export const first = 1;\n').git('add', 'first.ts');
      repo.git('commit', '--quiet', '-m', 'Mine');
      repo.git('switch', '--quiet', 'topic');
      expect(repo.tryGit('rebase', 'main').code).not.toBe(0);
      repo.write('first.ts', `export const first = 1;\n${text('first')}`).git('add', 'first.ts');
      repo.git('commit', '--quiet', '--no-edit');
      expect(repo.verdict()?.reason).toBe('sequence');
      repo.git('rebase', '--continue');
      expect(linksOf(repo, 'HEAD~2')).toEqual([a]);
    },
  );
});
