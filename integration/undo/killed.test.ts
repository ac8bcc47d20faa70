import { chmodSync, existsSync, readdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { killInMemory } from '../support/process/in-memory.ts';
import { keepCopy } from '../support/repository/keep-copy.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { gitView, lostSince, type View, viewOf } from '../support/undo/view.ts';

killInMemory();
beforeAll(compileFaulty);

const lines = (changes: Record<number, string>) =>
  `${Array.from({ length: 20 }, (_, at) => changes[at] ?? `line ${at}`).join('\n')}\n`;

/** A turn whose undo has a file of each kind: changed, made, removed, merged, a link, a mode. Returns what undo makes of it. */
function workOfAllKinds(repo: TestRepo): View {
  repo.ready();
  repo.write('changed.txt', 'before\n').write('gone.txt', 'gone\n').write('run.sh', 'echo\n');
  repo.write('both.txt', lines({}));
  symlinkSync('changed.txt', join(repo.dir, 'link'));
  repo.commit('Begin', 'changed.txt', 'gone.txt', 'run.sh', 'both.txt', 'link');
  const before = viewOf(repo.dir);
  const session = repo.session('session-1');
  session.prompt('all kinds of things');
  session.edit('changed.txt', 'after\n');
  session.edit('made/deep/new.txt', 'new\n');
  session.edit('both.txt', lines({ 2: 'agent' }));
  session.shell(() => {
    rmSync(join(repo.dir, 'gone.txt'));
    chmodSync(join(repo.dir, 'run.sh'), 0o755);
    unlinkSync(join(repo.dir, 'link'));
    symlinkSync('elsewhere', join(repo.dir, 'link'));
  });
  session.stop();
  repo.write('both.txt', lines({ 2: 'agent', 15: 'user' }));
  return { ...before, 'both.txt': `644 ${lines({ 15: 'user' })}` };
}

/** Operations that change something; a process that dies at another one leaves what the one before it left. */
const CHANGES =
  /^(openSync w|git|(write|append|rename|rm|rmdir|unlink|link|symlink|mkdir|chmod|copyFile)\w*Sync )/;

/** `src/snapshot/operation-killed.test.ts` has every operation of the engine; this is about the whole program. */
const SHARE = 10;

/** `ENTIRE_TEST_EACH_KILL=1` takes all of them, and tries both ends of each. */
const isLong = process.env.ENTIRE_TEST_EACH_KILL === '1';

const WAYS = ['--continue', '--abort'] as const;
type How = (typeof WAYS)[number];
type End = 'continued' | 'aborted' | 'not begun' | 'over';

/** Kills the command at one operation after the other, and looks at what each left, that way or both. */
function killEach(
  repo: TestRepo,
  args: readonly string[],
  choose: () => readonly How[],
  check: (at: string, how: How) => void,
): void {
  const again = keepCopy(repo);
  const report = join(repo.scratch, 'operations');
  const run = (fault: string) =>
    repo.run(FAULTY, [...args], { env: { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report } });
  expect(run('').code).toBe(0);
  const operations = repo.run('cat', [report]).stdout.trimEnd().split('\n');
  const due = operations.flatMap((name, at) => (CHANGES.test(name) ? [{ name, at: at + 1 }] : []));
  for (const { name, at } of due.filter((_, turn) => isLong || turn % SHARE === 0))
    for (const how of choose()) {
      again();
      expect(run(`killed:${at}`).code, `${at} ${name}`).toBe(null);
      check(`killed at ${at}: ${name}, then ${how}`, how);
    }
}

const journal = (repo: TestRepo): boolean =>
  existsSync(join(repo.commonDir, 'entire', 'snapshots', 'session-1', 'journal.json'));

/** Brings a killed operation to its end and says which end that is. */
function recover(repo: TestRepo, direction: 'undo' | 'redo', how: How): End {
  if (journal(repo)) {
    const refused = repo.tryEntire(direction);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('entire undo --continue')]);
    const { stdout } = repo.entire(direction, how, '--json');
    const outcome = how === '--continue' ? 'finished' : 'aborted';
    expect(JSON.parse(stdout)).toEqual({ session_id: 'session-1', outcome, left: [] });
    expect(journal(repo)).toBe(false);
    return how === '--continue' ? 'continued' : 'aborted';
  }
  expect(repo.tryEntire(direction, how).code).toBe(1); // nothing waits
  const history = JSON.parse(repo.entire(direction, '--list', '--json').stdout);
  return (history.undo.length === 0) === (direction === 'undo') ? 'over' : 'not begun';
}

/** No litter of a killed operation in the store once it is over. */
function expectTidy(repo: TestRepo, at: string): void {
  const names = readdirSync(join(repo.commonDir, 'entire', 'snapshots', 'session-1'));
  expect(
    names.filter((name) => /^staging-|^journal|\.tmp$/.test(name)),
    at,
  ).toEqual([]);
}

describe('kill -9 at each operation on the disk', () => {
  for (const direction of ['undo', 'redo'] as const)
    variation(`of ${direction}: nothing is lost, and it can be finished or taken back`, (repo) => {
      const undone = workOfAllKinds(repo);
      const standing = viewOf(repo.dir);
      const [from, to] = direction === 'undo' ? [standing, undone] : [undone, standing];
      if (direction === 'redo') repo.entire('undo');
      expect(viewOf(repo.dir)).toEqual(from);
      const git = gitView(repo);
      const ends = { continued: 0, aborted: 0, 'not begun': 0, over: 0 };
      const rarer = () => [ends.aborted < ends.continued ? '--abort' : '--continue'] as const;
      killEach(repo, [direction], isLong ? () => WAYS : rarer, (at, how) => {
        for (const [path, what] of Object.entries(viewOf(repo.dir)))
          if (what !== 'empty') expect([from[path], to[path]], `${at}: ${path}`).toContain(what);
        expect(lostSince(repo, from), at).toEqual([]);
        const end = recover(repo, direction, how);
        ends[end]++;
        const isDone = end === 'continued' || end === 'over';
        expect(viewOf(repo.dir), `${at}: ${end}`).toEqual(isDone ? to : from);
        if (!isDone) repo.entire(direction);
        expect(viewOf(repo.dir), `${at}: done`).toEqual(to);
        expectTidy(repo, at);
        repo.entire(direction === 'undo' ? 'redo' : 'undo');
        expect(viewOf(repo.dir), `${at}: taken back`).toEqual(from);
        expect(gitView(repo), at).toEqual(git);
      });
      console.log(`${direction}, killed at each operation: ${JSON.stringify(ends)}`);
      expect(Math.min(ends.continued, ends.aborted)).toBeGreaterThan(0);
    });
});
