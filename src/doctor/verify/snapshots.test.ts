import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { listRecordIds } from '../../snapshot/record/record.ts';
import { FileSnapshotStore } from '../../snapshot/store/file-snapshot-store.ts';
import type { Work } from '../../strategy/work.ts';
import type { Problem, Verification } from './problem.ts';
import { checkSnapshots } from './snapshots.ts';

let commonDir: string;
let root: string;
let snap: (content: string) => void;
beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'entire-verify-'));
  root = join(commonDir, 'entire', 'snapshots', 'session-1');
  const cwd = join(commonDir, 'work');
  mkdirSync(cwd);
  const store = new FileSnapshotStore({ root, cwd });
  snap = (content) => {
    writeFileSync(join(cwd, 'a.txt'), content);
    store.snap(['a.txt']);
  };
  snap('one');
});
afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

function verify(): { problems: Problem[]; looked: Verification['looked'] } {
  const problems: Problem[] = [];
  const looked = { checkpoints: 0, steps: 0, sessions: 0, records: 0, texts: 0 };
  checkSnapshots({
    work: { repo: { commonDir } } as Work,
    readData: true,
    look: undefined as never,
    looked,
    report: (problem) => problems.push(problem),
    step: () => {},
  });
  return { problems, looked };
}

/** Does something as soon as a folder of that name was listed, once. */
function after(folder: string, act: () => void): () => void {
  const { readdirSync: list } = disk;
  let isDone = false;
  return replaceDisk({
    readdirSync: ((dir: string) => {
      const names = list(dir);
      if (!isDone && dir.endsWith(folder)) {
        isDone = true;
        act();
      }
      return names;
    }) as typeof disk.readdirSync,
  });
}

test.each([
  ['a step that is kept', 'blobs', () => snap('two')],
  ['a step that is removed', 'snaps', () => rmSync(join(root, 'snaps', `${listRecordIds(root)[0]}.json`))],
])('%s meanwhile is no problem', (_, folder, act) => {
  const restore = after(folder, act);
  try {
    expect(verify().problems).toEqual([]);
  } finally {
    restore();
  }
});

test('a step that is removed meanwhile hides no damage', () => {
  snap('two');
  for (const name of readdirSync(join(root, 'blobs'))) writeFileSync(join(root, 'blobs', name), 'other');
  const gone = listRecordIds(root)[0];
  const restore = after('snaps', () => rmSync(join(root, 'snaps', `${gone}.json`)));
  try {
    expect(verify().problems.map(({ code }) => code)).toEqual(['snapshot-content-damaged']);
  } finally {
    restore();
  }
});

test('what is gone, and what was changed, is told once, by its place; what was looked at is counted once', () => {
  snap('two');
  const [first = '', second = ''] = readdirSync(join(root, 'blobs')).map((name) => join(root, 'blobs', name));
  rmSync(first);
  writeFileSync(second, 'other');
  const { problems, looked } = verify();
  expect(problems.map(({ code, where }) => [code, where]).sort()).toEqual([
    ['snapshot-content-damaged', second],
    ['snapshot-content-missing', first],
  ]);
  expect(looked).toMatchObject({ records: 2, texts: 2 });
});
