import { describe, expect } from 'vitest';
import { relink, unhooked } from '../support/command/relink.ts';
import { addWork, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** What is said of HEAD below its subject. */
const said = (repo: TestRepo): string[] => {
  const [, ...lines] = repo.entire('relink', '--dry-run', 'HEAD').stdout.trim().split('\n');
  return lines.slice(0, -1).map((line) => line.trim());
};

describe('a link that is kept says by what, and what is known of it', () => {
  scenario('after an amend of all that was in it', (repo) => {
    withWork(repo, { 'a.txt': 'a line that the agent wrote\n' });
    const id = repo.commit('Work', 'a.txt') as string;
    repo.write('a.txt', 'a line that a person wrote\n');
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit', 'a.txt');
    expect(said(repo)).toEqual([
      `${id}  kept, by its trailer: nothing in this one proves that it has its work`,
    ]);
    expect(relink(repo, 'HEAD').commits[0]).toMatchObject({
      checkpoints: [],
      unproved: [{ checkpoint: id, place: 'trailer', reason: 'nothing-of-it' }],
    });
  });

  variation('after an amend of a part, without hooks: the rest proves it', (repo) => {
    withWork(repo, { 'a.txt': 'finishAll();\nstartAgain();\n' });
    const id = repo.commit('Work', 'a.txt') as string;
    repo.write('a.txt', 'finishAll();\nmine();\n');
    unhooked(repo, 'commit', '--quiet', '--amend', '--no-edit', 'a.txt');
    expect(said(repo)).toEqual([`${id}  1 line of it (linked already)`]);
  });

  variation('of a short line that the hook linked after a squash', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.txt': 'return all;\n' });
    const id = repo.commit('Short', 'a.txt') as string;
    session.end();
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.write('a.txt', 'something that a person wrote above\nreturn all;\n');
    repo.git('add', 'a.txt');
    repo.git('commit', '--quiet', '-m', 'All of it');
    expect(repo.git('notes', '--ref=entire', 'show', 'HEAD')).toContain(id);
    expect(said(repo)).toEqual([`${id}  1 line of it (linked already)`]);
  });

  variation('of a checkpoint that is not here, and of one that anybody named', (repo) => {
    repo.ready();
    repo.write('a.txt', 'a line that a person wrote\n');
    repo.git('add', 'a.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine\n\nEntire-Checkpoint: 0123456789ab');
    addWork(repo, { 'b.txt': 'a line that the agent wrote\n' });
    repo.commit('Work', 'b.txt');
    unhooked(repo, 'notes', '--ref=entire', 'add', '-m', 'Entire-Checkpoint: ba9876543210', 'HEAD~1');
    const [, first, second] = repo.entire('relink', '--dry-run', 'HEAD~1').stdout.split('\n');
    expect(first).toBe('  0123456789ab  kept, by its trailer: that checkpoint is not here');
    expect(second).toBe('  ba9876543210  kept, by its note: that checkpoint is not here');
  });
});
