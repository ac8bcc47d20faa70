import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { listRecordIds, readRecord, writeRecord } from '../record/record.ts';
import { renderRecord } from '../record/snapshot-record.ts';
import { collectGarbage } from './collect.ts';
import { FileSnapshotStore } from './file-snapshot-store.ts';

const SIZE = 10_000;
let commonDir: string;
let root: string;
let ids: readonly string[];

/** Six steps with a content and a ledger each. */
beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'entire-collect-'));
  root = join(commonDir, 'entire', 'snapshots', 'session-1');
  const cwd = join(commonDir, 'work');
  for (const dir of [cwd, join(root, 'edits')]) mkdirSync(dir, { recursive: true });
  const store = new FileSnapshotStore({ root, cwd });
  for (let step = 1; step <= 6; step++) {
    writeFileSync(join(cwd, 'a.txt'), String(step).repeat(SIZE));
    const { id } = store.snap(['a.txt']);
    writeRecord(root, { ...readRecord(root, id), ledgers: [`edits-${step}.jsonl`] });
    writeFileSync(join(root, 'edits', `edits-${step}.jsonl`), '');
  }
  ids = listRecordIds(root);
  for (const name of readdirSync(join(root, 'blobs'))) utimesSync(join(root, 'blobs', name), 1, 1);
});
afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

const collect = () => collectGarbage(commonDir, { budgetBytes: 3 * SIZE, isDryRun: false });

/** The three newest steps, what they need, and nothing else. */
function expectHalf(): void {
  expect(listRecordIds(root)).toEqual(ids.slice(3));
  expect(readdirSync(join(root, 'blobs'))).toHaveLength(3);
  expect(readdirSync(join(root, 'edits'))).toEqual(['edits-4.jsonl', 'edits-5.jsonl', 'edits-6.jsonl']);
}

describe('what is collected', () => {
  it('are the oldest steps beyond the budget, with all that only they need', async () => {
    expect((await collect()).evicted).toEqual([expect.objectContaining({ steps: 3, bytes: 3 * SIZE })]);
    expectHalf();
    expect((await collect()).evicted).toEqual([]);
  });

  it('are no steps for contents that no step needs', async () => {
    for (const digit of ['a', 'b', 'c']) {
      const stray = join(root, 'blobs', digit.repeat(64));
      writeFileSync(stray, 'x'.repeat(SIZE));
      if (digit !== 'c') utimesSync(stray, 1, 1);
    }
    expect((await collect()).evicted).toEqual([expect.objectContaining({ steps: 3 })]);
    expect(listRecordIds(root)).toEqual(ids.slice(3));
  });

  it('are no more steps than were announced, whatever of them was removed before it was killed', async () => {
    for (let at = 1; at <= 6; at++) {
      let removed = 0;
      const { rmSync: remove } = disk;
      const undo = replaceDisk({
        rmSync: (...args: Parameters<typeof remove>) => {
          if (++removed > at && String(args[0]).startsWith(root)) throw new Error('killed');
          remove(...args);
        },
      });
      await collect().finally(undo);
    }
    await collect();
    expectHalf();
  });

  it('is what killed processes left beside the contents, unless a journal still needs it', async () => {
    const [staging, half, young] = ['staging-1', 'start.json.1-0123456789ab.tmp', 'staging-2'];
    const others = ['snaps/1.json', `blobs/${'a'.repeat(64)}`].map((name) => `${name}.1-0123456789ab.tmp`);
    const leave = () => {
      for (const name of [staging, young]) mkdirSync(join(root, name), { recursive: true });
      writeFileSync(join(root, staging, 'new-1'), 'x'.repeat(SIZE));
      for (const name of [half, ...others]) writeFileSync(join(root, name), 'half');
      for (const name of [staging, half, ...others]) utimesSync(join(root, name), 1, 1);
    };
    leave();
    expect((await collect()).unnamed).toEqual({ files: 4, bytes: SIZE + 12 });
    expect(readdirSync(root).sort()).toEqual(['blobs', 'edits', 'snaps', young]);
    for (const name of others) expect(existsSync(join(root, name))).toBe(false);

    leave();
    const journal = { version: 1, id: ids[5], record: renderRecord(readRecord(root, ids[5] as string)) };
    writeFileSync(join(root, 'journal.json'), JSON.stringify(journal));
    expect((await collect()).unnamed.files).toBe(3);
    expect(readdirSync(root)).toContain(staging);
  });
});
