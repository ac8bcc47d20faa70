import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { keepCopy } from '../support/repository/keep-copy.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

beforeAll(compileFaulty);

const snapsOf = (repo: TestRepo, id: string): string =>
  join(repo.commonDir, 'entire', 'snapshots', id, 'snaps');

const subjects = (repo: TestRepo, ...args: string[]): string[] =>
  JSON.parse(repo.entire('undo', '--list', '--json', ...args).stdout).undo.map(
    ({ subject }: { subject: string }) => subject,
  );

/** Runs a command until its process is killed by an operation on the disk: the one that is `behind` the first that `isIt`. */
function killed(repo: TestRepo, args: string[], isIt: (operation: string) => boolean, behind: number): void {
  const report = join(repo.scratch, 'operations');
  const run = (fault: string) =>
    repo.run(FAULTY, args, { env: { ENTIRE_TEST_FAULT: fault, ENTIRE_TEST_FAULT_REPORT: report } });
  const putBack = keepCopy(repo);
  run('');
  const at = readFileSync(report, 'utf8').trimEnd().split('\n').findIndex(isIt);
  expect(at).toBeGreaterThan(0);
  putBack();
  rmSync(report);
  run(`killed:${at + behind}`);
}

describe('a rewind that is done again behind what a session that went along did meanwhile', () => {
  const prepare = (repo: TestRepo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    const other = addWork(repo, { 'x.txt': 'x\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo', '--session', own.id);
    addWork(repo, { 'y.txt': 'y\n' }, other);
    return { own, other };
  };

  variation('and taken back: its work is its work, to be undone and to be linked', (repo) => {
    const { own, other } = prepare(repo);
    repo.entire('redo', '--session', own.id);
    expect(repo.exists('x.txt')).toBe(false);
    expect(subjects(repo)).toContain('Write x.txt'); // below the rewind
    repo.entire('undo', '--session', own.id);
    expect(subjects(repo, '--session', other.id)).toEqual(['Write y.txt', 'Write x.txt']);
    repo.commit('X', 'x.txt');
    expectLinked(repo, other, 'x.txt');
  });

  for (const behind of [2, 8])
    variation(
      `killed ${behind} operations behind its note there, and taken back: nothing counts as undone`,
      (repo) => {
        const { own, other } = prepare(repo);
        const before = readdirSync(snapsOf(repo, other.id)).sort();
        const isNote = (line: string) => line.startsWith('renameSync') && line.includes(`${other.id}/snaps`);
        killed(repo, ['redo', '--session', own.id], isNote, behind);
        expect(existsSync(join(repo.commonDir, 'entire', 'snapshots', own.id, 'journal.json'))).toBe(true);
        repo.entire('undo', '--abort');
        expect(readdirSync(snapsOf(repo, other.id)).sort()).toEqual(before);
      },
    );
});

describe('a part of a rewind with another session along is undone', () => {
  const prepare = (repo: TestRepo) => {
    repo.ready();
    const own = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    const other = addWork(repo, { 'x.txt': 'x\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    return { own, other };
  };

  variation('the file is the work of whoever wrote it', (repo) => {
    const { own, other } = prepare(repo);
    repo.entire('undo', '--files', 'x.txt');
    expect(repo.state(own.id).files_touched ?? []).not.toContain('x.txt');
    expect(repo.state(other.id).files_touched).toEqual(['x.txt']);
    repo.commit('X', 'x.txt');
    expectLinked(repo, other, 'x.txt');
  });

  variation('more steps are asked for: nothing below the rewind is one', (repo) => {
    prepare(repo);
    for (const dry of [['--dry-run'], []])
      expect(repo.tryEntire('undo', '--files', 'x.txt', '--steps', '2', ...dry).code).toBe(0);
    expect(repo.read('x.txt')).toBe('x\n');
  });
});

describe('undo of a turn over one of which nothing is on record: that one’s work is linked', () => {
  const setSnapshots = (repo: TestRepo, enabled: boolean): void =>
    writeFileSync(
      join(repo.dir, '.entire/settings.local.json'),
      JSON.stringify({ strategy_options: { snapshots: { enabled } } }),
    );

  variation('contents were not kept then', (repo) => {
    repo.ready();
    setSnapshots(repo, false);
    const session = addWork(repo, { 'a.txt': 'first\n' });
    setSnapshots(repo, true);
    addWork(repo, { 'a.txt': 'first\nsecond\n' }, session);
    repo.entire('undo');
    repo.commit('First', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });

  variation('its record went with the budget', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'first\n' });
    addWork(repo, { 'a.txt': 'first\nsecond\n' }, session);
    rmSync(join(snapsOf(repo, session.id), readdirSync(snapsOf(repo, session.id)).sort()[0] as string));
    repo.entire('undo');
    repo.commit('First', 'a.txt');
    expectLinked(repo, session, 'a.txt');
  });
});

variation(
  'undo over a commit leaves nothing in hand of what the commit has: the user’s lines are nobody’s',
  (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'by the agent\n' });
    repo.commit('Theirs', 'a.txt');
    repo.write('a.txt', 'by the agent\nmine\n');
    addWork(repo, { 'a.txt': 'by the agent\nmine\nby the agent again\n' }, session);
    repo.entire('undo');
    repo.commit('Mine', 'a.txt');
    expectNotLinked(repo, 'no-overlap');
  },
);

variation('an undo that was killed and is finished leaves in hand what one at once does', (repo) => {
  repo.ready();
  const session = addWork(repo, { 'a.txt': 'first\n', 'b.txt': 'b\n' });
  addWork(repo, { 'a.txt': 'something else\nand more of it\n' }, session);
  killed(repo, ['undo'], (line) => line.startsWith('renameSync') && line.includes('journal.json'), 3);
  repo.entire('undo', '--continue');
  expect(repo.read('a.txt')).toBe('first\n');
  repo.commit('First', 'a.txt');
  expectLinked(repo, session, 'a.txt');
});

describe('what another session did in a turn and had committed', () => {
  variation('stays where the turn’s shell wrote behind it', (repo) => {
    repo.ready();
    repo.write('c.txt', 'one\n').commit('Begin', 'c.txt');
    const [a, b] = [repo.session(), repo.session()];
    a.prompt('a');
    b.prompt('b');
    b.edit('c.txt', 'one\nb\n');
    b.stop();
    repo.commit('B', 'c.txt');
    a.shell(() => repo.write('c.txt', 'one\nb\na\n').write('d.txt', 'd\n'));
    a.stop();
    repo.tryEntire('undo', '--session', a.id);
    expect([repo.read('c.txt'), repo.exists('d.txt')]).toEqual(['one\nb\na\n', false]);
  });

  for (const [what, content] of [
    ['an empty file that looks like one of the turn’s', ''],
    ['a file that the turn had copied', 'content\n'],
  ] as const)
    variation(`stays gone: ${what}`, (repo) => {
      repo.ready();
      repo.write('old/.keep', content).write('old/x', 'x\n').commit('Begin', 'old');
      const [a, b] = [repo.session(), repo.session()];
      a.prompt('make it');
      a.shell(() => repo.write('new/.keep', content).write('new/more.txt', 'more\n'));
      b.prompt('remove it');
      b.shell(() => rmSync(join(repo.dir, 'old/.keep')));
      b.stop();
      a.stop();
      repo.tryEntire('undo', '--session', a.id);
      expect([repo.exists('new/more.txt'), repo.exists('old/.keep')]).toEqual([false, false]);
    });
});

describe('what came back is a session’s for the commit by what it holds', () => {
  variation('a new file that was brought back, and that the user replaced with another: nobody’s', (repo) => {
    repo.ready();
    addWork(repo, { 'b.txt': 'one\ntwo\nthree\n' });
    repo.entire('undo');
    repo.entire('redo');
    repo.write('b.txt', 'other\nlines\naltogether\n');
    repo.commit('Mine', 'b.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('what two sessions wrote over it was taken back: it is the first turn’s again', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'f.txt': 'one\ntwo\nthree\n' });
    addWork(repo, { 'f.txt': 'other\nlines\n' });
    addWork(repo, { 'f.txt': 'other\nthings\nlines\naltogether\n' }, session);
    repo.entire('undo', '--steps', '2');
    expect(repo.read('f.txt')).toBe('one\ntwo\nthree\n');
    repo.commit('First', 'f.txt');
    expectLinked(repo, session, 'f.txt');
  });

  variation(
    'what another session has in hand since before the turn is no reason to leave what a shell does',
    (repo) => {
      repo.ready();
      const other = addWork(repo, { 'b.txt': 'one\n' });
      repo.entire('undo');
      repo.entire('redo');
      repo.write('b.txt', 'one\ntwo\n');
      repo.entire('undo', '--force');
      repo.entire('redo', '--force');
      const session = repo.session();
      session.prompt('remove it');
      session.shell(() => rmSync(join(repo.dir, 'b.txt')));
      session.stop();
      expect(subjects(repo, '--session', session.id)).toEqual(['Remove it']);
      repo.entire('undo', '--session', session.id);
      expect([repo.exists('b.txt'), other.id]).toEqual([true, other.id]);
    },
  );
});
