import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, readTextIfExists, replaceDisk } from './disk.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-disk-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a missing file, and one below a file, has no text', () => {
  writeFileSync(join(dir, 'f'), 'text');
  expect(readTextIfExists(join(dir, 'f'))).toBe('text');
  expect(readTextIfExists(join(dir, 'none'))).toBeUndefined();
  expect(readTextIfExists(join(dir, 'f', 'below'))).toBeUndefined();
});

test('every other failure is thrown', () => {
  mkdirSync(join(dir, 'd'));
  expect(() => readTextIfExists(join(dir, 'd'))).toThrow('EISDIR');
});

test('calls are replaced one by one, and put back', () => {
  const { readFileSync, existsSync } = disk;
  const restore = replaceDisk({ existsSync: () => true });
  expect(disk.existsSync(join(dir, 'none'))).toBe(true);
  expect(disk.readFileSync).toBe(readFileSync);
  restore();
  expect(disk.existsSync).toBe(existsSync);
});
