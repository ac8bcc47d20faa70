import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

interface Found {
  readonly code: string;
  readonly where: string;
}

const problems = (repo: TestRepo, ...flags: string[]): Found[] =>
  JSON.parse(repo.tryEntire('verify', '--json', ...flags).stdout).problems.map(({ code, where }: Found) => ({
    code,
    where,
  }));

describe('verify, of what undo keeps', () => {
  scenario('names a record that cannot be read, and contents that are missing or damaged', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'two\n', 'b.txt': 'b\n' }, session);
    repo.entire('undo');
    expect(problems(repo, '--read-data')).toEqual([]);
    const store = join(repo.commonDir, 'entire', 'snapshots', session.id);
    const blobOf = (text: string) =>
      readdirSync(join(store, 'blobs'))
        .map((name) => join(store, 'blobs', name))
        .find((file) => readFileSync(file, 'utf8') === text) as string;
    const [one, b] = [blobOf('one\n'), blobOf('b\n')];
    writeFileSync(one, 'uno\n');
    expect(problems(repo)).toEqual([]);
    rmSync(b);
    expect(problems(repo)).toEqual([{ code: 'snapshot-content-missing', where: b }]);
    expect(problems(repo, '--read-data')).toEqual([
      { code: 'snapshot-content-damaged', where: one },
      { code: 'snapshot-content-missing', where: b },
    ]);
    const [first = ''] = readdirSync(join(store, 'snaps')).sort();
    writeFileSync(join(store, 'snaps', first), '');
    expect(problems(repo)).toEqual([{ code: 'snapshot-unreadable', where: join(store, 'snaps', first) }]);
    expect(repo.tryEntire('verify').stdout).toContain('neither it nor the steps before it can be undone');
  });

  variation('survives any bytes in the store', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const store = join(repo.commonDir, 'entire', 'snapshots', session.id);
    for (const name of ['start.json', 'journal.json', 'edits.jsonl'])
      writeFileSync(join(store, name), '\0{]\n');
    const { code, stdout } = repo.tryEntire('verify', '--read-data');
    expect([code, stdout]).toEqual([1, expect.stringContaining('snapshot-unreadable')]);
  });
});
