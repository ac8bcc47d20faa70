import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { goBack, stepOf, temporary } from '../support/command/rewind.ts';
import { type TestRepo, variation } from '../support/repository/test-repo.ts';

const SETTINGS = '.entire/settings.local.json';
const OFF = JSON.stringify({ strategy_options: { snapshots: { enabled: false } } });

/** A turn that is kept, and one of which nothing is kept for undo. */
function twoTurns(repo: TestRepo): AgentSession {
  repo.ready();
  repo.write('b.txt', 'user\n').commit('B', 'b.txt');
  const session = repo.session();
  session.prompt('turn 1');
  session.edit('a.txt', 'v1\n');
  session.stop();
  repo.write(SETTINGS, OFF);
  session.prompt('turn 2');
  session.edit('a.txt', 'v2\n');
  session.edit('b.txt', 'user\nagent\n');
  session.edit('c.txt', 'agent\n');
  session.stop();
  return session;
}

function expectBack(repo: TestRepo): void {
  goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
  expect([repo.read('a.txt'), repo.read('b.txt'), repo.exists('c.txt')]).toEqual(['v1\n', 'user\n', false]);
}

describe('a step back behind a turn of which nothing was kept for undo takes its work back', () => {
  variation('it was the last one, and contents are kept again', (repo) => {
    twoTurns(repo);
    rmSync(join(repo.dir, SETTINGS));
    expectBack(repo);
  });

  variation('a turn came after it that is kept', (repo) => {
    const session = twoTurns(repo);
    rmSync(join(repo.dir, SETTINGS));
    session.prompt('turn 3');
    session.edit('d.txt', 'agent\n');
    session.stop();
    expectBack(repo);
    expect(repo.exists('d.txt')).toBe(false);
  });

  variation('contents are still not kept, and the next turn goes on', (repo) => {
    const session = twoTurns(repo);
    session.prompt('turn 3');
    session.edit('d.txt', 'agent\n');
    expectBack(repo);
    expect(repo.exists('d.txt')).toBe(false);
  });
});
