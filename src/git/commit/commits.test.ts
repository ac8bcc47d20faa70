import { afterEach, expect, test } from 'vitest';
import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { readTree } from '../object/objects.ts';
import { readRef } from '../ref/refs.ts';
import { replaceSpawn } from '../run.ts';
import { findCommitsOf, readChanges, readCommit, readHeadCheckpoint, readStaged } from './commits.ts';

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

function failing(status: number, stderr: string): void {
  restore = replaceSpawn((() => ({
    status,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(stderr),
  })) as unknown as Parameters<typeof replaceSpawn>[0]);
}

const id = 'a1b2c3d4e5f6' as CheckpointId;

test('that git could not look is not taken for an answer', () => {
  failing(128, 'fatal: write error: No space left on device\n');
  for (const ask of [
    () => readRef(git, 'refs/heads/main'),
    () => readCommit(git, 'HEAD'),
    () => findCommitsOf(git, [id], { since: '' }),
    () => readHeadCheckpoint(git),
    () => readStaged(git),
    () => readTree(git, 'HEAD', ['a.txt']),
  ])
    expect(ask).toThrow('No space left on device');
});

test('that there is no such commit is an answer', () => {
  failing(128, "warning: ignoring broken ref refs/heads/x\nfatal: bad revision 'HEAD'\n");
  expect(readCommit(git, 'HEAD')).toBeUndefined();
  expect(findCommitsOf(git, [id], { since: '' })).toEqual(new Map());
  expect(readHeadCheckpoint(git)).toBeUndefined();
  failing(128, 'fatal: Not a valid object name HEAD\n');
  expect(readTree(git, 'HEAD', ['a.txt'])).toBeUndefined();
  failing(1, '');
  expect(readRef(git, 'refs/heads/main')).toBeUndefined();
});
