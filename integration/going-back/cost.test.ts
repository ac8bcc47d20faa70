import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { expectNotLinked } from '../support/command/work.ts';
import { canWeigh, runWeighed } from '../support/process/peak.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MIB = 1 << 20;

/** Text that does not repeat itself, and 1 KiB of it that is the turn's. */
function version(turn: number): string {
  let text = '';
  for (let state = 7; text.length < MIB; ) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    text += `${state}\n`;
  }
  const lines = text.slice(0, MIB).split('');
  for (let done = 1; done <= turn; done++)
    lines.splice(done * 90_000, 1024, ...`${done}`.padStart(9, 'x').padEnd(1023, `${done}y`), '\n');
  return lines.join('');
}

/** What is kept of a session, contents and all that is noted of them, in bytes. */
function kept(repo: TestRepo, id: string): number {
  const dir = join(repo.commonDir, 'entire', 'snapshots', id);
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('what is kept for undo', () => {
  variation('ten turns that change 1 KiB each of a file of 1 MiB cost no more than 1.3 MiB', (repo) => {
    repo.ready();
    repo.write('big.txt', version(0));
    const session = repo.session();
    for (let turn = 1; turn <= 10; turn++) {
      session.prompt(`turn ${turn}`);
      const before = repo.read('big.txt');
      repo.write('big.txt', version(turn));
      session.reportEdit('big.txt', { tool_response: { type: 'update', originalFile: before } });
      session.stop();
    }
    expect(kept(repo, session.id)).toBeLessThanOrEqual(1.3 * MIB);
    repo.entire('undo', '--steps', '7');
    expect(repo.read('big.txt') === version(3)).toBe(true);
    repo.entire('redo');
    expect(repo.read('big.txt') === version(10)).toBe(true);
    expect(kept(repo, session.id)).toBeLessThanOrEqual(1.4 * MIB);
  });

  variation('an unchanged file costs nothing', (repo) => {
    repo.ready();
    repo.write('big.txt', version(0));
    const session = repo.session();
    session.prompt('one');
    session.edit('a.txt', 'a\n');
    session.stop();
    const before = kept(repo, session.id);
    for (let turn = 1; turn <= 3; turn++) {
      session.prompt('look at it');
      session.reportEdit('big.txt', { tool_response: { type: 'update', originalFile: version(0) } });
      session.stop();
    }
    expect(kept(repo, session.id) - before).toBeLessThan(4096); // the edits are noted
  });

  variation('nor does a clean file of git’s, of which only the new version is kept', (repo) => {
    repo.ready();
    repo.write('big.txt', version(0));
    repo.commit('Big', 'big.txt');
    const session = repo.session();
    session.prompt('one');
    session.shell(() => repo.write('big.txt', version(1)));
    session.stop();
    expect(kept(repo, session.id)).toBeLessThan(1.05 * MIB);
    repo.entire('undo');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

const line = (at: number): string => `line ${at} of a long file that is made of code`;

/** A session edits one line of a long file in each of some turns, the last is undone, and the user commits a line of their own. */
function commitBehind(repo: TestRepo, session: AgentSession, turns: number, own: number): number {
  const lines = repo.read('big.txt').split('\n');
  const before = [...lines];
  for (let turn = 1; turn <= turns; turn++) {
    session.prompt(`turn ${turn}`);
    lines[turn * 7] = `agent ${own} ${turn}`;
    session.shell(() => repo.write('big.txt', lines.join('\n')));
    session.stop();
  }
  repo.entire('undo');
  before[own] = 'mine';
  repo.write('big.txt', before.join('\n')).git('add', 'big.txt');
  const command = ['env', 'ENTIRE_TEST_TTY=1', 'git', 'commit', '--quiet', '-m', 'Mine'];
  const { mib } = runWeighed(repo, command);
  expectNotLinked(repo, 'no-overlap');
  return mib;
}

variation('a commit behind an undo takes no more memory for every turn of the session', (repo, skip) => {
  if (!canWeigh(repo)) return skip('python3 is not here');
  repo.ready();
  repo.write('big.txt', Array.from({ length: 60_000 }, (_, at) => line(at)).join('\n'));
  repo.commit('Begin', 'big.txt');
  const session = repo.session();
  const few = commitBehind(repo, session, 2, 59_000);
  expect(commitBehind(repo, session, 8, 59_500)).toBeLessThan(1.5 * few);
});
