import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { gitAt } from '../../git/run.ts';
import { blobTextReader } from './blob-text.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-blobs-'));
  execFileSync('git', ['init', '--quiet'], { cwd: dir });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function store(content: string | Buffer): TreeEntry {
  const oid = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: dir, input: content });
  return { mode: '100644', oid: oid.toString().trim() as ObjectId };
}

/** A reader, and what it has run git for: looks at sizes, and readings. */
function open() {
  const trace = join(dir, 'trace');
  const git = gitAt(dir);
  const reader = blobTextReader({ ...git, env: { ...git.env, GIT_TRACE: trace } });
  const runs = () => {
    const text = existsSync(trace) ? readFileSync(trace, 'utf8') : '';
    const found = [...text.matchAll(/built-in: .*cat-file.*--batch(-check)?/g)];
    return found.map(([, isCheck]) => (isCheck ? 'sizes' : 'texts'));
  };
  return { reader, runs };
}

const KIB = 1024;

describe('texts of blobs', () => {
  test('what is large is not read to find that out', () => {
    const { reader, runs } = open();
    expect(reader(store('x'.repeat(5 * KIB * KIB)))).toBeUndefined();
    expect(runs()).toEqual(['sizes']);
    expect(reader(store('small\n'))).toBe('small\n');
    expect(runs()).toEqual(['sizes', 'sizes', 'texts']);
  });

  test('many are read by two processes, and once', () => {
    const { reader, runs } = open();
    const entries = [store('one\n'), undefined, store('two\n'), store('one\n')];
    const read = reader.readAhead([entries], { left: KIB });
    expect(entries.map((entry) => entry && read(entry))).toEqual(['one\n', undefined, 'two\n', 'one\n']);
    reader.readAhead([entries], { left: KIB });
    expect(reader(store('two\n'))).toBe('two\n');
    expect(runs()).toEqual(['sizes', 'texts']);
  });

  test('no more than a budget has are read, the small ones and the first group first', () => {
    const { reader } = open();
    const [first, large, small, other] = [6, 4, 1, 2].map((size) => store(`${size}`.repeat(size * KIB)));
    const budget = { left: 10 * KIB };
    const read = reader.readAhead([[first], [large, small, other]], budget);
    const isRead = [first, large, small, other].map((entry) => read(entry as TreeEntry) !== undefined);
    expect(isRead).toEqual([true, false, true, true]);
    expect(budget.left).toBe(KIB);
    expect(reader(large as TreeEntry)).toHaveLength(4 * KIB);
  });

  test('what was read for one session is there for the next ones, and charged once', () => {
    const { reader, runs } = open();
    const [shared, own, last] = [4, 3, 2].map((size) => store(`${size}`.repeat(size * KIB)));
    const budget = { left: 8 * KIB };
    for (const asked of [[shared], [shared, own], [shared]]) {
      const read = reader.readAhead([asked], budget);
      for (const entry of asked) expect(read(entry as TreeEntry)).toBeDefined();
    }
    expect(budget.left).toBe(KIB);
    const read = reader.readAhead([[last, own, shared]], budget);
    const isRead = [shared, own, last].map((entry) => read(entry as TreeEntry) !== undefined);
    expect(isRead).toEqual([true, true, false]);
    expect(runs()).toEqual(['sizes', 'texts', 'sizes', 'texts', 'sizes']);
  });

  test('what was read before is there until so much of it was asked for again', () => {
    const { reader } = open();
    const [shared] = [store('4'.repeat(4 * KIB))];
    const budget = { left: 8 * KIB, again: 9 * KIB };
    const isRead = [1, 2, 3, 4].map(() => reader.readAhead([[shared]], budget)(shared) !== undefined);
    expect(isRead).toEqual([true, true, true, false]);
    expect(budget).toEqual({ left: 4 * KIB, again: KIB });
  });

  test('binary and missing ones, and submodules, have none', () => {
    const { reader } = open();
    const gone: TreeEntry = { mode: '100644', oid: '1'.repeat(40) as ObjectId };
    const entries = [store('a\0b'), gone, { ...store('text\n'), mode: '160000' }];
    const read = reader.readAhead([entries], { left: KIB });
    for (const entry of entries) expect([reader(entry), read(entry)]).toEqual([undefined, undefined]);
  });

  test('bytes that are not UTF-8 come as Latin-1 where that is asked for', () => {
    const { reader } = open();
    const entry = store(Buffer.from('café\n', 'latin1'));
    expect(reader(entry, 'latin1')).toBe('café\n');
    expect(reader(entry)).toBe('caf\ufffd\n');
  });
});
