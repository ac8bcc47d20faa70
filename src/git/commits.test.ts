import { afterEach, expect, test } from 'vitest';
import type { ObjectId } from '../base/ids.ts';
import { readChanges } from './commits.ts';
import { replaceSpawn } from './run.ts';

const git = { cwd: '/repo', env: {} };
const [from, to] = ['a'.repeat(40) as ObjectId, 'b'.repeat(40) as ObjectId];
let restore = () => {};
afterEach(() => restore());

function printing(...parts: readonly (string | number[])[]): { args: readonly string[] } {
  const seen = { args: [] as readonly string[] };
  const stdout = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  restore = replaceSpawn(((_: string, args: readonly string[]) => {
    seen.args = args;
    return { status: 0, stdout, stderr: Buffer.alloc(0) };
  }) as unknown as Parameters<typeof replaceSpawn>[0]);
  return seen;
}

test('a changed file whose name is not UTF-8 is not taken for one with another name', () => {
  printing(
    `:100644 100644 ${from} ${to} M\0caf`,
    [0xe9],
    `.txt\0:100644 100644 ${from} ${to} M\0plain.txt\0`,
  );
  expect([...readChanges(git, from, to).keys()]).toEqual(['plain.txt']);
});

test('changes are asked for at some paths, or at all of them', () => {
  const seen = printing('');
  readChanges(git, from, to);
  expect(seen.args.at(-1)).toBe('--');
  readChanges(git, from, to, ['a.txt' as never]);
  expect(seen.args.slice(-2)).toEqual(['--', 'a.txt']);
});
