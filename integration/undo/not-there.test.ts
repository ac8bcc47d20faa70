import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const listed = (repo: TestRepo): number =>
  JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo.length;

/** Two turns of a session in two files that are committed. */
function twoTurns(repo: TestRepo) {
  repo.ready();
  repo.write('a.txt', 'a\n').write('b.txt', 'b\n').commit('Begin', 'a.txt', 'b.txt');
  const session = addWork(repo, { 'a.txt': 'A\n' });
  return addWork(repo, { 'b.txt': 'B\n' }, session);
}

describe('undo of a turn whose work is not in the worktree', () => {
  variation('and lies in a stash: it changes nothing, and the turn is not over', (repo) => {
    twoTurns(repo);
    repo.git('stash', 'push', '--quiet', '--', 'b.txt');
    for (const args of [[], ['--dry-run'], ['--diff']]) {
      const { code, stdout, stderr } = repo.tryEntire('undo', ...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe(
        'Error: nothing of this turn is in the worktree: Write b.txt (1 file, just now)\n' +
          'Hint: It may be in a stash: `git stash list`.\n',
      );
    }
    expect([repo.read('a.txt'), listed(repo)]).toEqual(['A\n', 2]);
    repo.git('stash', 'pop', '--quiet');
    expect(repo.entire('undo').stdout).toContain('restored  b.txt\n');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['A\n', 'b\n']);
  });

  variation('beside a file that is left, which is told', (repo) => {
    repo.ready();
    repo.write('a.txt', 'a\n').write('b.txt', 'b\n').commit('Begin', 'a.txt', 'b.txt');
    addWork(repo, { 'a.txt': 'A\n', 'b.txt': 'B\n' });
    repo.git('stash', 'push', '--quiet', '--', 'a.txt');
    repo.write('b.txt', 'mine\n');
    const { code, stderr } = repo.tryEntire('undo', '--json');
    expect([code, listed(repo)]).toEqual([1, 1]);
    expect(stderr).toContain('1 file left as it is.');
    repo.write('b.txt', 'B\n').git('stash', 'pop', '--quiet');
    repo.entire('undo');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
