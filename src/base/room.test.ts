import { afterEach, expect, test } from 'vitest';
import { type disk, replaceDisk } from './file/disk.ts';
import { hasRoom, MARGIN_BYTES, readRoom, requireRoom } from './room.ts';

let restore = () => {};
afterEach(() => restore());
const MIB = 1024 * 1024;

function on(facts: { bavail?: number; blocks?: number; files?: number; ffree?: number }): void {
  const whole = { bavail: 0, bsize: 4096, blocks: 1000, files: 0, ffree: 0, ...facts };
  restore();
  restore = replaceDisk({ statfsSync: (() => whole) as unknown as typeof disk.statfsSync });
}

test('what is left for the user is no room', () => {
  on({ bavail: (3 * MIB) / 4096 });
  expect(readRoom('/')).toBe(3 * MIB - MARGIN_BYTES);
  expect([hasRoom('/'), hasRoom('/', 2 * MIB), hasRoom('/', 2 * MIB + 1)]).toEqual([true, true, false]);
  on({ bavail: 4 });
  expect([readRoom('/'), hasRoom('/')]).toEqual([0, false]);
  expect(() => requireRoom('/', 1)).toThrow('the disk is nearly full');
});

test('neither are the last names, where the file system counts them', () => {
  on({ bavail: 10_000, files: 1000, ffree: 3 });
  expect(hasRoom('/')).toBe(false);
  on({ bavail: 10_000, files: 0, ffree: 0 });
  expect(hasRoom('/')).toBe(true);
});

test('where nobody tells there is room', () => {
  on({ blocks: 0 });
  expect(hasRoom('/', 1e12)).toBe(true);
  restore();
  expect(hasRoom('/no/such/folder')).toBe(true);
});
