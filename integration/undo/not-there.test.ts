import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
          'Hint: It may be in a stash: `git stash list`. `entire undo --steps 2` goes past it.\n',
      );
    }
    expect([repo.read('a.txt'), listed(repo)]).toEqual(['A\n', 2]);
    repo.git('stash', 'pop', '--quiet');
    expect(repo.entire('undo').stdout).toContain('restored  b.txt\n');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['A\n', 'b\n']);
  });

  variation('and lies in a stash: by two steps it goes past it', (repo) => {
    twoTurns(repo);
    repo.git('stash', 'push', '--quiet', '--', 'b.txt');
    const { stdout } = repo.entire('undo', '--steps', '2');
    expect(stdout).toContain('  restored  a.txt\n  as it was b.txt\n');
    expect([repo.read('a.txt'), listed(repo)]).toEqual(['a\n', 0]);
  });

  variation('and was taken back by hand: what somebody stashed of that file is another matter', (repo) => {
    repo.ready();
    const text = (second: string, eighth: string): string => `1\n${second}\n3\n4\n5\n6\n7\n${eighth}\n`;
    repo.write('b.txt', text('2', '8')).commit('Begin', 'b.txt');
    addWork(repo, { 'b.txt': text('agent', '8') });
    const other = join(repo.scratch, 'other');
    repo.git('worktree', 'add', '--quiet', other);
    repo.write('b.txt', text('2', '8'));
    writeFileSync(join(other, 'b.txt'), text('2', 'mine'));
    repo.git('-C', other, 'stash', 'push', '--quiet');
    expect(repo.entire('undo').stdout).toContain('  as it was b.txt\n');
    expect(listed(repo)).toBe(0);
  });

  variation('and may lie in a stash that cannot be read: undo is not held up by that', (repo) => {
    twoTurns(repo);
    repo.git('stash', 'push', '--quiet', '--', 'b.txt');
    const id = repo.git('rev-parse', 'refs/stash');
    rmSync(join(repo.commonDir, 'objects', id.slice(0, 2), id.slice(2)));
    expect(repo.entire('undo').stdout).toContain('  as it was b.txt\n');
    repo.git('update-ref', '-d', 'refs/stash');
  });

  variation('of two sessions: both stay where nothing of either is there, and else both are over', (repo) => {
    repo.ready();
    repo.write('a.txt', 'a\n').write('b.txt', 'b\n').commit('Begin', 'a.txt', 'b.txt');
    addWork(repo, { 'a.txt': 'A\n' });
    addWork(repo, { 'b.txt': 'B\n' });
    repo.git('stash', '--quiet');
    const { code, stderr } = repo.tryEntire('undo', '--steps', '2');
    expect([code, listed(repo)]).toEqual([1, 2]);
    expect(stderr).toContain('nothing of these turns is in the worktree');
    repo.git('stash', 'pop', '--quiet');
    repo.write('b.txt', 'b\n');
    expect(repo.entire('undo', '--steps', '2').stdout).toContain('  as it was b.txt\n');
    expect([repo.read('a.txt'), listed(repo)]).toEqual(['a\n', 0]);
  });

  variation('and was taken back by hand: that turn alone is over, and no other', (repo) => {
    const session = twoTurns(repo);
    repo.git('checkout', '--quiet', '--', 'b.txt');
    expect(repo.entire('undo', '--session', session.id).stdout).toContain('  as it was b.txt\n');
    expect([repo.read('a.txt'), listed(repo)]).toEqual(['A\n', 1]);
  });

  variation('and was taken back by hand, before one of another session: each goes once', (repo) => {
    const first = twoTurns(repo);
    const second = addWork(repo, { 'c.txt': 'c\n' });
    addWork(repo, { 'c.txt': 'C\n' }, second);
    addWork(repo, { 'a.txt': 'AA\n' }, first);
    repo.write('a.txt', 'A\n');
    expect(repo.entire('undo', '--steps', '2').stdout).toContain('  as it was a.txt\n');
    expect(['a.txt', 'b.txt', 'c.txt'].map((path) => repo.read(path))).toEqual(['A\n', 'B\n', 'c\n']);
    expect(listed(repo)).toBe(3);
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

  variation('a program is told of each file', (repo) => {
    twoTurns(repo);
    repo.git('stash', 'push', '--quiet', '--', 'b.txt');
    for (const args of [[], ['--dry-run']]) {
      const { code, stdout } = repo.tryEntire('undo', '--json', ...args);
      expect([code, JSON.parse(stdout).files]).toEqual([1, [{ path: 'b.txt', outcome: 'already' }]]);
    }
  });
});
