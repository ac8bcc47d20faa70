import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const LOCAL = '.entire/settings.local.json';
const set = (repo: TestRepo, enabled: unknown): void =>
  writeFileSync(join(repo.dir, LOCAL), JSON.stringify({ strategy_options: { snapshots: { enabled } } }));

describe('where the settings say that no contents are kept for undo', () => {
  variation('nothing is kept, checkpoints are; status and undo say so', (repo) => {
    repo.ready();
    set(repo, false);
    addWork(repo, { 'README.md': 'by the agent\n', 'a.txt': 'a\n' });
    expect(existsSync(join(repo.commonDir, 'entire', 'snapshots'))).toBe(false);
    expect(repo.entire('status').stdout).toContain('Undo: off, no contents of files are kept');
    expect(JSON.parse(repo.entire('status', '--json').stdout).undo).toBe(false);
    for (const command of ['undo', 'redo']) {
      const { code, stderr } = repo.tryEntire(command);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('`strategy_options.snapshots.enabled` is false'),
      ]);
    }
    expect(repo.commit('Work', 'README.md', 'a.txt')).toBeDefined();
    expect(existsSync(join(repo.commonDir, 'entire', 'snapshots'))).toBe(false);
  });

  variation('steps of before can still be undone, and it can be switched on again', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    set(repo, false);
    session.prompt('more');
    session.edit('b.txt', 'b\n');
    repo.entire('undo'); // in the middle of a turn of which nothing is known
    expect([repo.exists('a.txt'), repo.read('b.txt')]).toEqual([false, 'b\n']);
    repo.entire('redo');
    session.stop();
    set(repo, true);
    expect(repo.entire('status').stdout).not.toContain('Undo: off');
    addWork(repo, { 'c.txt': 'c\n' }, session);
    repo.entire('undo', '--steps', '9');
    expect([repo.exists('a.txt'), repo.read('b.txt'), repo.exists('c.txt')]).toEqual([false, 'b\n', false]);
  });

  variation(
    'a value that is none is refused where somebody looks, and keeps contents as if it were not there',
    (repo) => {
      repo.ready();
      set(repo, 'no');
      addWork(repo, { 'a.txt': 'a\n' });
      expect(repo.entire('status').stdout).toContain('strategy_options.snapshots.enabled');
      repo.entire('undo');
      expect(repo.exists('a.txt')).toBe(false);
    },
  );
});
