import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { linesOf } from '../support/command/stats.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Two sessions on a branch, one of them twice, and their squash on main. */
function squashed(repo: TestRepo) {
  repo.ready().git('switch', '--quiet', '--create', 'topic');
  const one = addWork(repo, { 'a.ts': linesOf('First', 4), 'b.ts': linesOf('Mixed', 2) });
  repo.commit('One', '.');
  const two = addWork(repo, { 'c.ts': linesOf('Third', 3), 'a.ts': linesOf('Anew', 4) });
  repo.commit('Two', '.');
  addWork(repo, { 'd.ts': linesOf('Dee', 3) }, one);
  repo.commit('Three', '.');
  repo.git('switch', '--quiet', 'main');
  repo.git('merge', '--quiet', '--squash', 'topic');
  repo.git('commit', '--quiet', '-m', 'All of it');
  return { one: one.id, two: two.id };
}

/** What stands below a session. */
const below = (text: string, session: string): string =>
  text.split('\n\n').find((part) => part.includes(`session ${session}`)) ?? '';

describe('what is said of a squash of two sessions', () => {
  scenario('each stands once, with its files, its prompts and its lines', (repo) => {
    const { one, two } = squashed(repo);
    const told = repo.entire('why').stdout;
    expect(told.match(/^.* session .*$/gm)).toHaveLength(2);
    expect(below(told, one)).toContain(
      '  First prompt: "write a.ts and b.ts"\n  Last prompt:  "write d.ts"\n',
    );
    // Nothing is left of what it wrote into a.ts: that is the other one's.
    expect(below(told, one)).toMatch(/Files: 2 in this commit, 3 touched\n {4}b\.ts\n {4}d\.ts\n/);
    expect(below(told, one)).toContain('  Lines: 5 of those that this commit adds');
    expect(below(told, two)).toMatch(/Files: 2 in this commit, 2 touched\n {4}a\.ts\n {4}c\.ts\n/);
    expect(below(told, two)).toContain('  Lines: 7 of those that this commit adds');
  });

  variation('explain names the files of its other checkpoints', (repo) => {
    squashed(repo);
    const rows = repo
      .entire('explain', 'HEAD')
      .stdout.split('\n')
      .filter((row) => row.startsWith('  `entire explain'));
    expect(rows.map((row) => row.replace(/^.*`/, ''))).toEqual(['  a.ts, c.ts', '  d.ts']);
  });

  variation('why <session> in a clone that made none of it', (repo) => {
    const { one, two } = squashed(repo);
    repo.git('branch', '--quiet', '-D', 'topic');
    const clone = join(repo.scratch, 'clone');
    repo.git('clone', '--quiet', `file://${repo.dir}`, clone);
    const inClone = (...args: string[]) => repo.run('entire', args, { cwd: clone });
    repo.gitWith({ cwd: clone }, 'fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
    expect(inClone('why', one)).toMatchObject({ code: 1 });
    expect(inClone('why', one).stderr).toContain(
      `no commit here has work of session ${one}.\nHint: \`entire relink\``,
    );
    inClone('relink');
    for (const word of [one, two.slice(0, 8)])
      expect(inClone('why', word).stdout, word).toContain(` All of it\n`);
    expect(inClone('why', 'ffffffff-ffff').stderr).toContain(
      'no such checkpoint, commit, session or turn: ffffffff-ffff',
    );
  });
});

describe('lines of a commit are those that blame knows', () => {
  variation('what a stash pop of the session brought is not its own', (repo) => {
    repo.ready().write('s.ts', linesOf('Stashed', 5));
    repo.git('stash', '--include-untracked', '--quiet');
    const session = repo.session();
    session.prompt('pop it');
    session.edit('x.ts', linesOf('Ex', 2));
    session.shell(() => repo.git('stash', 'pop', '--quiet'));
    session.stop();
    repo.commit('Popped', '.');
    const told = repo.entire('why').stdout;
    expect(told).toContain('  Lines: 2 of those that this commit adds\n');
    expect(told).toContain('This commit adds 7 lines: agent 2 (29%), human 0 (0%), unknown 5 (71%).');
    expect(repo.entire('explain', 'HEAD').stdout).toContain('\nLines:       2 of the 7 that the commit adds');
  });
});

describe('words that people try', () => {
  variation('help of hooks, and lines that are given twice', (repo) => {
    repo.ready().write('a.ts', linesOf('Mine', 3));
    expect(repo.entire('help', 'hooks').stdout).toBe(repo.entire('hooks', '--help').stdout);
    const twice = repo.tryEntire('blame', '-L', '1,2', 'a.ts:3');
    expect(twice.stderr).toBe('Error: lines are given twice: by --lines, and by a.ts:3 (of the file a.ts)\n');
    expect(twice.code).not.toBe(0);
  });
});
