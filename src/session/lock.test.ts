import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { disk, replaceDisk } from '../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { isLockDead, keepLocks, withSessionLock } from './lock.ts';

/** The pid namespace, which the lock appends to a pid. */
const SPACE = existsSync('/proc/self/ns/pid')
  ? `-${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`
  : '';
const id = parseSessionId('s1') as SessionId;
const LIVING = process.ppid;
const DEAD = 0x3fff_fffe; // above every pid_max
let dir: string;
const folder = () => join(dir, 's1.lock');
/** A lock as another process holds it. */
const hold = (pid: number | undefined, ageMs = 0) => {
  mkdirSync(folder(), { recursive: true });
  const time = new Date(Date.now() - ageMs);
  if (pid !== undefined) {
    const owner = join(folder(), `pid-${pid}${SPACE}`);
    writeFileSync(owner, '');
    utimesSync(owner, time, time);
  }
  utimesSync(folder(), time, time);
};
/** How often somebody waits for a while before the next look; the timer that keeps a lock is no such wait. */
const countWaits = () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  return () => timers.mock.calls.filter(([, ms = 0]) => ms < 1_000).length;
};
const pass = (lock = id) => withSessionLock(dir, lock, () => 'inside');

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'entire-lock-')), 'entire-sessions');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(join(dir, '..'), { recursive: true, force: true });
});

test('the body runs with the lock held, which names its owner, and nothing is left after it', async () => {
  const inside = await withSessionLock(dir, id, async () => readdirSync(folder()));
  expect(inside).toEqual([`pid-${process.pid}${SPACE}`]);
  expect(readdirSync(dir)).toEqual([]);
});

test('a body that throws gives the lock back', async () => {
  await expect(withSessionLock(dir, id, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(existsSync(folder())).toBe(false);
  expect(await pass()).toBe('inside');
});

test('two contenders are never inside together', async () => {
  let inside = 0;
  let most = 0;
  const contend = () =>
    withSessionLock(dir, id, async () => {
      most = Math.max(most, ++inside);
      await delay(5);
      inside--;
    });
  await Promise.all(Array.from({ length: 8 }, contend));
  expect(most).toBe(1);
});

test('another session is not waited for', async () => {
  await withSessionLock(dir, id, async () => {
    expect(await pass(parseSessionId('s2') as SessionId)).toBe('inside');
  });
});

test('an owner that paused before it signed does not share the lock with whoever took it over', async () => {
  const { writeFileSync: write } = disk;
  let taken = false;
  const restore = replaceDisk({
    writeFileSync: ((file: string, ...rest: [string]) => {
      if (!taken) {
        taken = true;
        rmdirSync(folder());
        hold(LIVING);
        setTimeout(() => rmSync(join(folder(), `pid-${LIVING}${SPACE}`)), 50);
        setTimeout(() => rmSync(folder(), { recursive: true }), 60);
      }
      return write(file, ...rest);
    }) as typeof write,
  });
  try {
    const inside = await withSessionLock(dir, id, () => readdirSync(folder()));
    expect(inside).toEqual([`pid-${process.pid}${SPACE}`]);
    expect(taken).toBe(true);
  } finally {
    restore();
  }
});

test('an owner whose folder is gone when it wants to sign starts again', async () => {
  const { writeFileSync: write } = disk;
  let removed = false;
  const restore = replaceDisk({
    writeFileSync: ((file: string, ...rest: [string]) => {
      if (!removed) rmdirSync(folder());
      removed = true;
      return write(file, ...rest);
    }) as typeof write,
  });
  try {
    expect(await pass()).toBe('inside');
  } finally {
    restore();
  }
});

test('what cannot be cleaned up does not undo what was done under the lock', async () => {
  const restore = replaceDisk({
    rmSync: () => {
      throw new Error('EIO');
    },
  });
  try {
    expect(await pass()).toBe('inside');
  } finally {
    restore();
  }
});

test('a dead owner is relieved at once', async () => {
  hold(DEAD);
  const waits = countWaits();
  expect(await pass()).toBe('inside');
  expect(waits()).toBe(0);
});

test('of several that find a dead owner one is inside at a time', async () => {
  hold(DEAD);
  let inside = 0;
  let most = 0;
  const contend = () =>
    withSessionLock(dir, id, async () => {
      most = Math.max(most, ++inside);
      await delay(5);
      inside--;
    });
  await Promise.all([contend(), contend(), contend()]);
  expect(most).toBe(1);
});

test('a living owner is waited for', async () => {
  hold(LIVING);
  let released = false;
  setTimeout(() => {
    released = true;
    rmSync(folder(), { recursive: true });
  }, 100);
  await withSessionLock(dir, id, () => expect(released).toBe(true));
});

test('a living owner that holds on is not waited for without end, and the body does not run', async () => {
  hold(LIVING);
  const real = Date.now();
  let calls = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => real + 500 * calls++); // half a second at every look
  const body = vi.fn();
  await expect(withSessionLock(dir, id, body)).rejects.toMatchObject({ code: 'LOCKED' });
  expect(body).not.toHaveBeenCalled();
  expect(readdirSync(folder())).toEqual([`pid-${LIVING}${SPACE}`]);
});

test('a pid that lives again does not keep a lock for ever', async () => {
  hold(LIVING, 61_000);
  expect(await pass()).toBe('inside');
});

test('an old lock that names no owner is taken over', async () => {
  hold(undefined, 61_000);
  expect(await pass()).toBe('inside');
});

test.each([
  ['a dead owner', DEAD],
  ['a pid that lives again', LIVING],
  ['nobody', undefined],
])('a lock of %s from before the clock was set back is taken over', async (_, pid) => {
  hold(pid, -3_600_000);
  expect(isLockDead(folder())).toBe(true);
  expect(await pass()).toBe('inside');
});

test('who was waited for in vain is not waited for again at once', async () => {
  hold(LIVING);
  await expect(withSessionLock(dir, id, () => 'inside', { waitMs: 300 })).rejects.toThrow('holds');
  const waits = countWaits();
  await expect(pass()).rejects.toThrow('holds');
  expect(waits()).toBeLessThan(3); // until the clock says more than it did
  rmSync(folder(), { recursive: true });
  expect(await pass()).toBe('inside');
});

test('locks that are held are waited for together, not one after the other', async () => {
  vi.resetModules(); // nobody was waited for in vain yet
  const fresh = { ...(await import('../base/file/disk.ts')), ...(await import('./lock.ts')) };
  const looks = new Map<string, number>();
  const putBack = fresh.replaceDisk({
    readdirSync: ((path: string) => {
      looks.set(path, (looks.get(path) ?? 0) + 1);
      return readdirSync(path);
    }) as unknown as typeof disk.readdirSync,
  });
  const locks = ['a1', 'a2', 'a3'].map((lock) => parseSessionId(lock) as SessionId);
  try {
    for (const lock of locks) {
      mkdirSync(join(dir, `${lock}.lock`), { recursive: true });
      writeFileSync(join(dir, `${lock}.lock`, `pid-${LIVING}${SPACE}`), '');
      const acquired = fresh.withSessionLock(dir, lock, () => 'inside', { waitMs: 2000 });
      await expect(acquired).rejects.toThrow('holds');
    }
  } finally {
    putBack();
  }
  const [first = 0, ...others] = locks.map((lock) => looks.get(join(dir, `${lock}.lock`)) ?? 0);
  for (const other of others) expect(other).toBeLessThan(first / 3);
}, 20_000);

test('what a file manager left in a lock goes with it; a file of somebody else is named', async () => {
  hold(DEAD);
  writeFileSync(join(folder(), '.DS_Store'), '');
  expect(await pass()).toBe('inside');
  expect(existsSync(folder())).toBe(false);

  mkdirSync(folder());
  writeFileSync(join(folder(), 'notes.txt'), 'mine');
  utimesSync(folder(), 1, 1);
  await expect(pass()).rejects.toThrow(`${join(folder(), 'notes.txt')} is not a file of Entire's`);
  expect(readdirSync(folder())).toEqual(['notes.txt']);
});

test('a failure that is no contention is thrown at once', async () => {
  mkdirSync(join(dir, '..'), { recursive: true });
  writeFileSync(dir, 'a file where the folder should be');
  await expect(pass()).rejects.toMatchObject({ code: 'EEXIST' });
});

test('a lock whose owner cannot be written down is given back', async () => {
  const restore = replaceDisk({
    writeFileSync: () => {
      throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    },
  });
  await pass().catch(() => {});
  restore();
  expect(existsSync(folder())).toBe(false);
});

test('a lock that is held for long is still ours, and given back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await withSessionLock(dir, id, async () => {
      vi.advanceTimersByTime(31_000); // the refresh begins; the calls to the disk that it makes are real
      for (let turn = 0; turn < 20; turn++) await stat(dir);
    });
  } finally {
    vi.useRealTimers();
  }
  expect(existsSync(folder())).toBe(false);
});

test('an owner that works on without a pause keeps its lock, as long as it says so', async () => {
  await withSessionLock(dir, id, () => {
    const long = new Date(Date.now() - 61_000);
    for (const file of [join(folder(), `pid-${process.pid}${SPACE}`), folder()]) utimesSync(file, long, long);
    expect(isLockDead(folder())).toBe(true);
    keepLocks();
    expect(isLockDead(folder())).toBe(false);
  });
  expect(existsSync(folder())).toBe(false);
});
