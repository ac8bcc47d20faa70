import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { FAULTY } from '../support/faults/host.ts';
import { compileFaulty } from '../support/faults/set-up.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

beforeAll(compileFaulty);

/** What a command reads of which records, and whose locks it takes. */
function watch(repo: TestRepo, ...args: string[]) {
  const report = join(repo.scratch, 'operations');
  if (existsSync(report)) rmSync(report);
  const { code, stderr } = repo.run(FAULTY, args, { env: { ENTIRE_TEST_FAULT_REPORT: report } });
  expect(code, stderr).toBe(0);
  const operations = readFileSync(report, 'utf8').trimEnd().split('\n');
  const of = (kind: RegExp) => operations.flatMap((line) => kind.exec(line)?.[1] ?? []);
  return {
    locks: of(/^writeFileSync (\S+)\/pid-[^/]*$/).map((folder) => basename(folder, '.lock')),
    /** How often each record of a session is read. */
    reads: (id: string) => {
      const counts = new Map<string, number>();
      for (const file of of(/^openSync r (\S+\/\d{13}-[0-9a-f]{12}\.json)$/))
        if (dirname(file).includes(id)) counts.set(file, (counts.get(file) ?? 0) + 1);
      return [...counts.values()];
    },
    states: (id: string) =>
      of(/^openSync r (\S+\.json)$/).filter((file) => basename(file) === `${id}.json`).length,
  };
}

describe('what undo reads and locks', () => {
  variation(
    'another session’s records once, and no lock of one that an earlier rewind took along',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'one\n' });
      const other = addWork(repo, { 'b.txt': 'b\n' });
      goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
      expect(repo.exists('b.txt')).toBe(false);
      addWork(repo, { 'c.txt': 'c\n' }, other);
      addWork(repo, { 'a.txt': 'two\n' }, session);
      const undo = watch(repo, 'undo');
      expect(repo.read('a.txt')).toBe('one\n');
      expect(undo.locks).toEqual(['restore', session.id]);
      expect(undo.reads(other.id)).toEqual([1, 1, 1]); // a turn, what the rewind took back, and a turn
      const redo = watch(repo, 'redo');
      expect([redo.locks, redo.reads(other.id)]).toEqual([
        ['restore', session.id],
        [1, 1, 1],
      ]);
    },
  );

  variation('of a rewind the locks of all that went back', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' });
    const other = addWork(repo, { 'b.txt': 'b\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    const undo = watch(repo, 'undo');
    expect(repo.read('b.txt')).toBe('b\n');
    expect(undo.locks).toEqual(['restore', session.id, other.id]);
    expect(watch(repo, 'redo').locks).toEqual(['restore', session.id, other.id]);
  });

  variation('a preview for one session looks at no other', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'one\n' }, { 'a.txt': 'two\n' });
    const other = addWork(repo, { 'b.txt': 'b\n' });
    const step = stepOf(temporary(repo), 'Turn 1').id;
    const both = watch(repo, 'rewind', '--to', step, '--dry-run');
    const alone = watch(repo, 'rewind', '--to', step, '--dry-run', '--session-only');
    expect([alone.reads(other.id), both.reads(other.id)]).toEqual([[], [1]]);
    expect([alone.states(other.id), both.states(other.id)]).toEqual([2, 4]); // two for the list of points
  });
});
