import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { goBack, stepOf, temporary } from '../support/command/rewind.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

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

/** The same, and contents are kept again. */
function keptAgain(repo: TestRepo): AgentSession {
  const session = twoTurns(repo);
  rmSync(join(repo.dir, SETTINGS));
  return session;
}

function turn(session: AgentSession, name: string, files: Readonly<Record<string, string>>): void {
  session.prompt(name);
  for (const [path, content] of Object.entries(files)) session.edit(path, content);
  session.stop();
}

function expectBack(repo: TestRepo, ...flags: string[]): void {
  goBack(repo, stepOf(temporary(repo), 'Turn 1').id, ...flags);
  expect([repo.read('a.txt'), repo.read('b.txt'), repo.exists('c.txt')]).toEqual(['v1\n', 'user\n', false]);
}

describe('a step back behind a turn of which nothing was kept for undo takes its work back', () => {
  variation('it was the last one, and contents are kept again', (repo) => {
    keptAgain(repo);
    expectBack(repo);
  });

  variation('a turn came after it that is kept', (repo) => {
    const session = keptAgain(repo);
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

describe('a step back behind a turn of which nothing was kept, and one that went on with its files', () => {
  for (const flags of [[], ['--session-only']])
    variation(
      `the next turn, which is kept, went on with the same files${flags.map((flag) => ` (${flag})`)}`,
      (repo) => {
        turn(keptAgain(repo), 'turn 3', {
          'a.txt': 'v3\n',
          'b.txt': 'user\nagent 2\nagent 3\n',
          'c.txt': 'agent 2\nagent 3\n',
        });
        expectBack(repo, ...flags);
      },
    );

  variation('the next turn, which is kept, runs and went on with the same files', (repo) => {
    const session = keptAgain(repo);
    session.prompt('turn 3');
    session.edit('a.txt', 'v3\n');
    session.edit('c.txt', 'agent 2\nagent 3\n');
    expectBack(repo);
  });

  variation('the next turn was undone', (repo) => {
    const session = keptAgain(repo);
    turn(session, 'turn 3', { 'a.txt': 'v3\n', 'c.txt': 'agent 2\nagent 3\n' });
    repo.entire('undo');
    expectBack(repo);
  });

  variation('another session, which is kept, went on with the same files', (repo) => {
    keptAgain(repo);
    turn(repo.session(), 'other', { 'a.txt': 'v2\nother\n' });
    expectBack(repo);
  });

  variation('what the step itself left out, as it was too large, stays', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('turn 1');
    session.edit('a.txt', 'v1\n');
    session.editWithoutHook('big.bin', '');
    writeFileSync(join(repo.dir, 'big.bin'), Buffer.alloc(65 * 1024 * 1024, 'x'));
    session.reportEdit('big.bin');
    session.stop();
    repo.write(SETTINGS, OFF);
    turn(session, 'turn 2', { 'a.txt': 'v2\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect([repo.read('a.txt'), repo.exists('big.bin')]).toEqual(['v1\n', true]);
  });

  variation('what the step before had taken away, and a turn made again, goes', (repo) => {
    repo.ready();
    const session = repo.session();
    turn(session, 'turn 1', { 'x.txt': 'one\n', 'a.txt': 'v1\n' });
    session.prompt('turn 2');
    session.edit('a.txt', 'v2\n');
    session.deleteFile('x.txt');
    session.stop();
    repo.write(SETTINGS, OFF);
    session.prompt('turn 3');
    session.edit('x.txt', 'three\n');
    goBack(repo, stepOf(temporary(repo), 'Turn 2').id);
    expect([repo.exists('x.txt'), repo.read('a.txt')]).toEqual([false, 'v2\n']);
  });

  variation('what you wrote there in between is named before it goes, and comes back', (repo) => {
    const session = twoTurns(repo);
    repo.write('b.txt', 'mine\nuser\nagent\n');
    rmSync(join(repo.dir, SETTINGS));
    turn(session, 'turn 3', { 'b.txt': 'mine\nuser\nagent\nagent 3\n' });
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toMatch(/goes, too\. `entire undo` brings it back:\n(.*\n)*? {2}- b\.txt\n/);
    expect(repo.read('b.txt')).toBe('user\n');
    repo.entire('undo');
    expect(repo.read('b.txt')).toBe('mine\nuser\nagent\nagent 3\n');
  });
});
