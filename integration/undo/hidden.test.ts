import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

function withTurn(repo: TestRepo) {
  repo.ready();
  const session = repo.session();
  session.prompt('first');
  session.edit('a.txt', 'one\n');
  session.stop();
  return session;
}

describe('a turn that is not over', () => {
  variation('stands in the list of steps, first of all', (repo) => {
    const session = withTurn(repo);
    session.prompt('second');
    session.edit('b.txt', 'two\n');
    const [head, ...steps] = repo.entire('undo', '--list').stdout.trimEnd().split('\n');
    expect(head).toBe('What can be undone, the newest first:');
    expect(steps).toEqual([
      '    1  just now  Claude Code  Second',
      `       ${session.id.slice(0, 8)}:2  1 file: b.txt, +1 -0, not over yet`,
      '    2  just now  Claude Code  First',
      `       ${session.id.slice(0, 8)}:1  1 file: a.txt, +1 -0`,
    ]);
    const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    expect(undo).toMatchObject([{ files: ['b.txt'], open: true }, { files: ['a.txt'] }]);
    expect(undo[1].open).toBeUndefined();
    session.stop();
    expect(repo.entire('undo', '--list').stdout).not.toContain('not over yet');
    expect(JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo).toHaveLength(2);
  });
});

describe('the turn before a private one', () => {
  const privately = (repo: TestRepo) => {
    const session = withTurn(repo);
    repo.entire('pause');
    session.prompt('in private');
    session.edit('p.txt', 'private\n');
    session.stop();
    return session;
  };
  const expectRefused = (repo: TestRepo, said: string) => {
    for (const flags of [['--dry-run'], []]) {
      const { code, stderr } = repo.tryEntire('undo', ...flags);
      expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
      expect(stderr).toContain('`entire undo --steps 1` takes back what is kept before it');
    }
    expect(repo.read('a.txt')).toBe('one\n');
  };

  variation('is not taken back in its place: undo says so, and takes it where it is asked to', (repo) => {
    const session = privately(repo);
    expectRefused(repo, 'the last thing this session did was in a pause');
    repo.entire('pause', '--end');
    expectRefused(repo, 'the last thing this session did was in a pause');
    const said = 'the session went on in a pause after this';
    expect(repo.entire('undo', '--dry-run', '--steps', '1').stdout).toContain(said);
    expect(repo.entire('undo', '--list').stdout).toContain(said);
    expect(repo.entire('undo', '--steps', '1').stdout).toContain(said);
    expect([repo.exists('a.txt'), repo.read('p.txt')]).toEqual([false, 'private\n']);
    expect(repo.entire('redo').stdout).not.toContain('private');
    session.prompt('third');
    session.edit('c.txt', 'three\n');
    session.stop();
    expect(repo.entire('undo').stdout).not.toContain('private');
    expectRefused(repo, 'the last thing this session did was in a pause');
  });

  variation('a file of it that is moved away in the turn after does not come back, which is said', (repo) => {
    const session = withTurn(repo);
    repo.entire('pause');
    repo.write('p.txt', 'private\n');
    repo.entire('pause', '--end');
    session.prompt('rename it');
    session.shell(() => void repo.run('mv', ['p.txt', 'q.txt'], { cwd: repo.dir }));
    session.stop();
    const { stdout, stderr } = repo.tryEntire('undo');
    expect(stdout).toContain('  left      p.txt: it is gone, and what it was before is not known\n');
    expect(stderr).toBe('Error: 1 file did not come back. No earlier version is kept.\n');
  });

  variation('is the last one where the session did nothing in the stretch', (repo) => {
    withTurn(repo);
    repo.entire('pause');
    repo.entire('pause', '--end');
    expect(repo.entire('undo').stdout).not.toContain('private');
    expect(repo.exists('a.txt')).toBe(false);
  });

  variation('or before one that was forgotten, likewise', (repo) => {
    const session = withTurn(repo);
    session.prompt('second');
    session.edit('b.txt', 'two\n');
    session.stop();
    const { undo } = JSON.parse(repo.entire('undo', '--list', '--json').stdout);
    repo.entire('forget', undo[0].id, '--yes');
    expectRefused(repo, 'the last turn of this session was forgotten');
  });
});
