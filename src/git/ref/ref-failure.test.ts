import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freeRef, refFailure } from './ref-failure.ts';

const OURS = 'refs/heads/entire/checkpoints/v1.lock';
const MINUTE_MS = 60_000;
let root: string;
let gitDir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-refs-'));
  gitDir = root;
  mkdirSync(join(gitDir, 'objects'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What git says of a lock that stands there, made so long ago. */
function locked(name: string, ageMs: number): { file: string; stderr: string } {
  const file = join(gitDir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const time = new Date(Date.now() - ageMs);
  utimesSync(file, time, time);
  return {
    file,
    stderr: `fatal: cannot lock ref 'x': Unable to create '${file}': File exists.\n\nAnother git`,
  };
}

test('a ref that moved is tried again', () => {
  const stderr = 'warning: Not updating refs/heads/x (new tip 1 does not contain 2)';
  expect(refFailure('x', stderr).code).toBe('REF_MOVED');
});

test('a lock that is held is waited for, not removed', () => {
  const { file, stderr } = locked(OURS, 0);
  const error = refFailure('x', stderr);
  expect([error.code, existsSync(file)]).toEqual(['REF_LOCKED', true]);
  expect(error.message).toContain('is held');
});

test('a lock that is older than any git needs it is called dead, and the way out is named', () => {
  const { file, stderr } = locked(OURS, 2 * MINUTE_MS);
  const error = refFailure('x', stderr);
  expect([error.code, existsSync(file)]).toEqual(['REF_LOCKED', true]);
  expect(error.message).toContain('a git process that died left');
  expect(error.hint).toContain(file);
});

test.each([OURS, 'refs/entire/tracking/origin/checkpoints.lock'])(
  'an old lock at a ref that only we write is removed: %s',
  (name) => {
    const { file, stderr } = locked(name, 11 * MINUTE_MS);
    expect([refFailure('x', stderr).code, existsSync(file)]).toEqual(['REF_MOVED', false]);
  },
);

test('a fetch may run again where such a lock kept it from its ref, and not where the lock is young or the remote speaks', () => {
  const dead = locked(OURS, 11 * MINUTE_MS);
  expect([freeRef(`remote: ${dead.stderr}`), existsSync(dead.file)]).toEqual([false, true]);
  expect([freeRef(dead.stderr), existsSync(dead.file)]).toEqual([true, false]);
  const young = locked(OURS, 0);
  expect([freeRef(young.stderr), existsSync(young.file)]).toEqual([false, true]);
  expect(freeRef('fatal: repository not found')).toBe(false);
});

test.each(['refs/heads/main.lock', 'refs/heads/my/entire/x.lock', 'packed-refs.lock', 'index.lock'])(
  'an old lock at %s is the users, and stays',
  (name) => {
    const { file, stderr } = locked(name, 11 * MINUTE_MS);
    expect([refFailure('x', stderr).code, existsSync(file)]).toEqual(['REF_LOCKED', true]);
  },
);

test.each(['packed-refs.lock', 'refs/heads/main.lock'])(
  'of a repository in a folder of that name %s stays',
  (name) => {
    rmSync(join(root, 'objects'), { recursive: true });
    gitDir = join(root, 'refs', 'entire', 'repo', '.git');
    mkdirSync(join(gitDir, 'objects'), { recursive: true });
    const { file, stderr } = locked(name, 11 * MINUTE_MS);
    expect([refFailure('x', stderr).code, existsSync(file)]).toEqual(['REF_LOCKED', true]);
  },
);

test('a lock that is gone by now is no reason to give up', () => {
  const { file, stderr } = locked(OURS, 0);
  rmSync(file);
  expect(refFailure('x', stderr).code).toBe('REF_MOVED');
});
