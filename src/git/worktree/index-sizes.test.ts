import { afterEach, expect, test } from 'vitest';
import { replaceSpawn } from '../run.ts';
import { readIndexSizes } from './index-sizes.ts';

const OID = 'a'.repeat(40);
const GIT = { cwd: '/r', env: {} };
let restore: () => void = () => {};
afterEach(() => restore());

const debug = (size: number) =>
  `  ctime: 1795493887:328769062\n  mtime: 1:2\n  dev: 65024\tino: 10109419\n  uid: 0\tgid: 0\n  size: ${size}\tflags: 0\n`;
const entry = (path: string, size: number) => `100644 ${OID} 0\t${path}\0${debug(size)}`;

/** A git whose index has `entries`; returns the paths that it was named, of each call. */
function listing(...entries: string[]): string[][] {
  const calls: string[][] = [];
  restore = replaceSpawn(((_program: string, args: string[]) => {
    calls.push(args.slice(args.indexOf('--') + 1));
    return { status: 0, stdout: Buffer.from(entries.join('')), stderr: Buffer.alloc(0) };
  }) as never);
  return calls;
}

const many = Array.from({ length: 5_000 }, (_, n) => `src/d${n % 7}/${n}`);

test('few paths are named', () => {
  const calls = listing(entry('a', 1), entry('b/c', 2));
  expect([...readIndexSizes(GIT, ['a', 'b/c'])]).toEqual([
    ['a', { oid: OID, size: 1 }],
    ['b/c', { oid: OID, size: 2 }],
  ]);
  expect(calls).toEqual([['a', 'b/c']]);
});

test('of many the folder is named that all of them lie in, and others in it are passed over', () => {
  const calls = listing(entry('src/d0/0', 5), entry('src/e', 6), `100644 ${OID} 2\tsrc/d1/1\0${debug(7)}`);
  expect([...readIndexSizes(GIT, many).keys()]).toEqual(['src/d0/0']);
  readIndexSizes(GIT, [...many, 'src2/a']);
  expect(calls).toEqual([['src'], ['.']]);
});

test('an index of any length is read whole, whatever its paths are called', () => {
  const names = Array.from({ length: 40_000 }, (_, n) => `src/d/${n}${n % 3 === 0 ? '\n100644 x 0\ty' : ''}`);
  listing(...names.map((name, at) => entry(name, at)));
  const sizes = readIndexSizes(GIT, names);
  expect(sizes.size).toBe(40_000);
  expect(names.every((name, at) => sizes.get(name)?.size === at)).toBe(true);
});
