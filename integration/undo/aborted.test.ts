import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork, expectNotLinked } from '../support/command/work.ts';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { killInMemory } from '../support/process/in-memory.ts';
import { keepCopy } from '../support/repository/keep-copy.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

killInMemory();
beforeAll(compileFaulty);
/** Operations that change something: a kill before any other one is like a kill before the next of these. */
const CHANGES =
  /^(openSync w|git|(write|append|rename|rm|rmdir|unlink|link|symlink|mkdir|chmod|copyFile)\w*Sync )/;
/** The last operations of an undo are those behind the files. */
const LAST = 8;

/** Kills an undo, or a redo, before each of its last operations, and has it aborted. */
function abortEach(
  repo: TestRepo,
  session: AgentSession,
  expectAsBefore: (killedBefore: string) => void,
  command: 'undo' | 'redo' = 'undo',
): void {
  const again = keepCopy(repo);
  const report = join(repo.scratch, 'operations');
  const run = (fault: string) =>
    repo.run(FAULTY, [command], { env: { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report } });
  expect(run('').code).toBe(0);
  const operations = repo.run('cat', [report]).stdout.trimEnd().split('\n');
  const due = operations.flatMap((name, at) => (CHANGES.test(name) ? at + 1 : [])).slice(-LAST);
  let aborted = 0;
  for (const at of due) {
    again();
    expect(run(`killed:${at}`).code).toBe(null);
    if (!existsSync(join(repo.commonDir, 'entire', 'snapshots', session.id, 'journal.json'))) continue;
    aborted++;
    repo.entire('undo', '--abort');
    expectAsBefore(`killed before ${operations[at - 1]}`);
  }
  expect(aborted).toBeGreaterThan(0);
  again();
}

variation(
  'an undo that was killed at its very end, and is aborted: the work is the session’s as before',
  (repo) => {
    repo.ready();
    const session = addWork(repo, { 'f.txt': 'agent\n', 'README.md': `${repo.read('README.md')}agent\n` });
    abortEach(repo, session, (when) => {
      expect(repo.read('f.txt')).toBe('agent\n');
      repo.commit('Work', 'f.txt', 'README.md');
      expect(repo.message('HEAD'), when).toContain('Entire-Checkpoint');
    });
  },
);

variation(
  'an undo of what was committed, killed at its very end, and aborted: nothing was undone',
  (repo) => {
    repo.ready();
    const session = addWork(repo, { 'f.txt': 'agent\n', 'README.md': `${repo.read('README.md')}agent\n` });
    repo.commit('Work', 'f.txt', 'README.md');
    const listed = repo.entire('undo', '--list', '--json').stdout;
    expect(JSON.parse(listed).undo).toHaveLength(1);
    abortEach(repo, session, (when) => {
      expect(repo.git('status', '--porcelain'), when).toBe('');
      expect(repo.entire('undo', '--list', '--json').stdout, when).toBe(listed);
    });
  },
);

variation(
  'a redo that was killed at its very end, and is aborted: what the user has there is theirs',
  (repo) => {
    repo.ready();
    repo.write('x.txt', 'one\n').commit('Begin', 'x.txt');
    repo.write('x.txt', 'one\nmine\n').write('n.txt', 'mine\n');
    const session = addWork(repo, { 'x.txt': 'one\nmine\nagent\n', 'n.txt': 'mine\nagent\n' });
    repo.entire('undo');
    const asBefore = (when: string) => {
      expect([repo.read('x.txt'), repo.read('n.txt')], when).toEqual(['one\nmine\n', 'mine\n']);
      expect(repo.entire('status').stdout, when).not.toContain('not committed yet');
      repo.commit('Mine', 'x.txt', 'n.txt');
      expectNotLinked(repo, 'no-overlap');
    };
    abortEach(repo, session, asBefore, 'redo');
  },
);
