import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from '../base/file/disk.ts';
import type { SessionId } from '../base/ids.ts';
import { PID_SPACE } from '../base/process/pids.ts';
import { withSessionLock } from './lock.ts';
import { listSummaries } from './session-index.ts';

const { pid: dead } = spawnSync('true');
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-killed-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** What a writer left, and when. */
function put(name: string, pid: number, seconds: number): string {
  const temporary = `${name}.${pid}-0123456789ab.tmp`;
  writeFileSync(join(dir, temporary), '{');
  const at = Date.now() / 1000 - seconds;
  utimesSync(join(dir, temporary), at, at);
  return temporary;
}

/** The leftovers of four writers. Returns the names of those that may still be written. */
function leave(): string[] {
  put('s1.json', dead, 0);
  put('s2.json', dead, 1800);
  put('s2.json', 1, 7200);
  return [put('s2.json', process.pid, 1800), put('s3.json', dead, 0)].sort();
}

const lock = (body = () => {}) => withSessionLock(dir, 's1' as SessionId, body);

test('what a writer left that was killed under its lock is gone with the next one, and what may be written is not', async () => {
  const kept = leave();
  mkdirSync(join(dir, 's1.lock'));
  writeFileSync(join(dir, 's1.lock', `pid-${dead}${PID_SPACE && `-${PID_SPACE}`}`), '');
  await lock();
  expect(readdirSync(dir).sort()).toEqual(kept);
});

test('so is what a look at all sessions came across, whosever it was', async () => {
  const kept = leave();
  await lock(() => void listSummaries(dir));
  expect(readdirSync(dir).sort()).toEqual(kept);
});

test('a look alone removes nothing', () => {
  leave();
  const before = readdirSync(dir);
  listSummaries(dir);
  expect(readdirSync(dir)).toEqual(before);
});

test('no folder of sessions is listed for a lock that nobody held', async () => {
  put('s2.json', dead, 1800);
  const listed: string[] = [];
  const { readdirSync: list } = disk;
  const putBack = replaceDisk({
    readdirSync: ((folder: string) => {
      listed.push(folder);
      return list(folder);
    }) as typeof list,
  });
  try {
    await lock();
    await lock();
  } finally {
    putBack();
  }
  expect(listed).not.toContain(dir);
});
