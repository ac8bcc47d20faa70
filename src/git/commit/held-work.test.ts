import { afterEach, describe, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { replaceSpawn } from '../run.ts';
import { type Compared, findHeldWork } from './held-work.ts';

const oid = (digit: string): ObjectId => digit.repeat(40) as ObjectId;
const commit = (digit: string, author = 'Ada <ada@example.com> 1'): Compared => ({
  ...{ oid: oid(digit), tree: digit, parents: [oid('0')], author },
});
const TELLING = 'return theAnswerToEverything();';
const OTHER = 'export const secondThing = 2;';

let restore = () => {};
afterEach(() => restore());

/** What a file of a commit is before and after, and what its patch puts in. */
interface Told {
  readonly blobs?: readonly [string, string];
  readonly rows: readonly string[];
  /** It is too large for lines, or none. */
  readonly isBinary?: boolean;
}

function telling(commits: Readonly<Record<string, Told>>): void {
  restore = replaceSpawn(((_: string, args: readonly string[], { input }: { input: string }) => {
    const isPatch = args.includes('--patch');
    const told = input.split('\n').flatMap((line) => {
      const digit = line[0];
      const one = digit === undefined ? undefined : commits[digit];
      if (!one || digit === undefined) return [];
      const [before = `${digit}1`, after = `${digit}2`] = one.blobs ?? [];
      const blob = (name: string) => name.padEnd(40, 'e');
      const head = isPatch ? `commit:1 ${oid(digit)} ${oid(digit)} \n` : `${oid(digit)}\0`;
      if (!isPatch) return `${head}:100644 100644 ${blob(before)} ${blob(after)} M\0a.ts\0`;
      const file = `diff --git a/a.ts b/a.ts\nindex ${blob(before)}..${blob(after)} 100644\n`;
      if (one.isBinary) return `${head}${file}Binary files a/a.ts and b/a.ts differ\n`;
      return `${head}${file}--- a/a.ts\n+++ b/a.ts\n@@ -3,0 +4,${one.rows.length} @@\n${one.rows.map((row) => `+${row}\n`).join('')}`;
    });
    return { status: 0, stdout: Buffer.from(told.join('')), stderr: Buffer.alloc(0) };
  }) as unknown as Parameters<typeof replaceSpawn>[0]);
}

const held = (made: Compared, ...of: Compared[]): (string | undefined)[] => {
  const [found] = findHeldWork({ cwd: '/repo', env: {} }, [{ made, of }]);
  return of.map((one) => found?.get(one.oid));
};

describe('findHeldWork', () => {
  test('the same change of the same files', () => {
    telling({ a: { blobs: ['1', '2'], rows: ['}'] }, b: { blobs: ['1', '2'], rows: ['}'] } });
    expect(held(commit('b'), commit('a'))).toEqual(['blobs']);
  });

  test('the same lines, wherever they stand', () => {
    telling({ a: { rows: [TELLING] }, b: { rows: [TELLING] } });
    expect(held(commit('b', 'Bo'), commit('a'))).toEqual(['patch']);
  });

  test('of lines that many commits have, only where the same person wrote them at the same moment', () => {
    telling({ a: { rows: ['}'] }, b: { rows: ['}'] }, c: { rows: ['}'] } });
    expect(held(commit('b'), commit('a'))).toEqual(['patch']);
    expect(held(commit('b', 'Ada <ada@example.com> 2'), commit('a'))).toEqual([undefined]);
    expect(held(commit('b'), commit('a'), commit('c'))).toEqual([undefined, undefined]);
  });

  test('lines that say something by themselves, all or some', () => {
    telling({
      a: { rows: [TELLING, '}'] },
      b: { rows: [OTHER, 'export const gone = "since then";'] },
      c: { rows: [OTHER, TELLING] },
      d: { rows: ['nothing of any of these'] },
    });
    expect(held(commit('c'), commit('a'), commit('b'), commit('d'))).toEqual([
      'lines',
      'some-lines',
      undefined,
    ]);
  });

  test('a line that another one has brought, too, is not this one’s', () => {
    telling({ a: { rows: [TELLING, OTHER] }, b: { rows: [TELLING] }, c: { rows: [TELLING] } });
    expect(held(commit('c', 'Bo'), commit('b'), commit('a'))).toEqual(['patch', undefined]);
  });

  test('of files that have no lines, where the contents are the same', () => {
    telling({
      a: { blobs: ['1', '2'], rows: [], isBinary: true },
      b: { blobs: ['1', '2'], rows: [], isBinary: true },
      c: { blobs: ['3', '2'], rows: [], isBinary: true },
    });
    expect(held(commit('b'), commit('a'), commit('c'))).toEqual(['blobs', undefined]);
  });

  test('two that change nothing, where all files are the same', () => {
    telling({});
    expect(held({ ...commit('b'), tree: 'x' }, { ...commit('a'), tree: 'x' })).toEqual(['trees']);
    expect(held(commit('b'), commit('a'))).toEqual([undefined]);
  });
});
