import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MINE = 'by the agent\nmine\n';

/** A turn in which the user wrote into a file that the agent made; it is taken back by force. */
function forced(repo: TestRepo) {
  repo.ready();
  const session = repo.session();
  session.prompt('write');
  session.edit('n.txt', 'by the agent\n');
  session.edit('other.txt', 'by the agent, too\n');
  appendFileSync(join(repo.dir, 'n.txt'), 'mine\n');
  expect(repo.entire('undo', '--force').stdout).toContain('deleted   n.txt');
  expect(repo.exists('n.txt')).toBe(false);
  return session;
}

describe('what was overwritten by force', () => {
  variation('comes back by redo, also when the agent has gone on', (repo) => {
    const session = forced(repo);
    session.edit('more.txt', 'goes on\n');
    session.stop();
    expect(repo.entire('redo', '--list').stdout).toMatch(/first:\n\s+1 {2}.*\n\s+\S+:1 {2}1 file: n\.txt/);
    expect(repo.entire('redo').stdout).toContain('created   n.txt');
    expect(repo.read('n.txt')).toBe(MINE);
    expect([repo.exists('other.txt'), repo.exists('more.txt')]).toEqual([false, true]);
    expect(repo.tryEntire('redo').stderr).toContain('nothing to redo');
    // As before: made in the turn, and changed since.
    expect(repo.tryEntire('undo', '--files', 'n.txt').stdout).toContain('left      n.txt');
    repo.entire('undo');
    expect([repo.read('n.txt'), repo.exists('more.txt')]).toEqual([MINE, false]);
  });

  variation(
    'does not go over what the agent wrote there since, but by force, and then that is kept',
    (repo) => {
      const session = forced(repo);
      session.edit('n.txt', 'anew\n');
      session.stop();
      expect(repo.tryEntire('redo').stdout).toContain('left      n.txt');
      expect(repo.read('n.txt')).toBe('anew\n');
      repo.entire('redo', '--force');
      expect(repo.read('n.txt')).toBe(MINE);
      repo.entire('undo', '--files', 'n.txt');
      expect(repo.read('n.txt')).toBe('anew\n');
    },
  );

  variation('by a redo comes back by undo', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('n.txt', 'by the agent\n');
    session.stop();
    repo.entire('undo');
    repo.write('n.txt', 'mine\n');
    expect(repo.tryEntire('redo').stdout).toContain('left      n.txt');
    expect(repo.entire('redo', '--force').stdout).toContain('To reverse this: entire undo');
    expect(repo.read('n.txt')).toBe('by the agent\n');
    session.prompt('go on');
    session.edit('more.txt', 'goes on\n');
    session.stop();
    repo.entire('undo', '--steps', '2');
    expect([repo.read('n.txt'), repo.exists('more.txt')]).toEqual(['mine\n', false]);
    repo.entire('redo');
    expect(repo.read('n.txt')).toBe('by the agent\n');
  });
});
