import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { blobFile, captureFile } from './blobs.ts';

/** More than is read at once. */
const LARGE_BYTES = (64 << 20) + 1;

let dir: string;
let store: string;
let restore = () => {};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-blobs-'));
  store = join(dir, 'store');
  writeFileSync(join(dir, 'large'), 'a beginning');
  truncateSync(join(dir, 'large'), LARGE_BYTES);
});
afterEach(() => {
  restore();
  restore = () => {};
  rmSync(dir, { recursive: true, force: true });
});

const capture = () => captureFile(dir, 'large', { store, fsync: true, maxBytes: LARGE_BYTES });

const failure = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

/** A call does its work, and says that it could not. */
const failAfter =
  <A extends unknown[]>(call: (...args: A) => void, code: string) =>
  (...args: A): never => {
    call(...args);
    return failure(code)();
  };

describe('a large file', () => {
  test('is stored as it is, and nothing beside it', () => {
    const state = capture();
    expect(state).toMatchObject({ kind: 'file', size: LARGE_BYTES });
    const { sha256 } = state as { sha256: string };
    expect(readFileSync(blobFile(store, sha256)).equals(readFileSync(join(dir, 'large')))).toBe(true);
    expect(capture()).toEqual(state);
    expect(readdirSync(join(store, 'blobs'))).toEqual([sha256]);
  });

  test.each(['readSync', 'writeSync', 'fsyncSync'] as const)(
    'that cannot be stored is told with what failed first: %s, whatever else fails then',
    (call) => {
      restore = replaceDisk({
        [call]: failure('ENOSPC'),
        closeSync: failAfter(disk.closeSync, 'EIO'),
        rmSync: failure('EROFS'),
      });
      expect(capture).toThrow('ENOSPC');
    },
  );

  test('that cannot get its name is told with that', () => {
    restore = replaceDisk({ renameSync: failure('ENOSPC'), rmSync: failure('EROFS') });
    expect(capture).toThrow('ENOSPC');
  });

  test('that could not be closed is not stored: nobody knows whether its bytes are there', () => {
    restore = replaceDisk({ closeSync: failAfter(disk.closeSync, 'EIO') });
    expect(capture).toThrow('EIO');
    restore();
    expect(readdirSync(join(store, 'blobs'))).toEqual([]);
  });

  test('is stored also where its temporary file cannot be taken away, which gc does', () => {
    const state = capture();
    restore = replaceDisk({ rmSync: failure('EROFS') });
    expect(capture()).toEqual(state);
  });
});
