import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendText, disk, openToRead, readPieces, readTail, replaceDisk } from './disk.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-disk-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('what never ends is not read, in whichever way', () => {
  const fifo = (() => ({ isFile: () => false, isDirectory: () => false, isFIFO: () => true })) as never;
  const restore = replaceDisk({ statSync: fifo });
  try {
    expect(() => openToRead(join(dir, 'pipe'))).toThrow('it is a pipe, not a regular file');
    expect(() => [...readPieces(join(dir, 'pipe'))]).toThrow('a pipe');
  } finally {
    restore();
  }
  for (const read of [openToRead, disk.readFileSync, (file: string) => readTail(file, 9)])
    expect(() => read('/dev/zero')).toThrow('/dev/zero is not read: it is a device, not a regular file.');
});

test('a folder is told by the system', () => {
  mkdirSync(join(dir, 'd'));
  expect(() => disk.readFileSync(join(dir, 'd'))).toThrow('EISDIR');
});

test('nothing is appended to what is no file, or to a link', () => {
  appendText(join(dir, 'f'), 'a\n');
  appendText(join(dir, 'f'), 'b\n');
  expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('a\nb\n');
  symlinkSync('f', join(dir, 'link'));
  mkdirSync(join(dir, 'd'));
  for (const name of ['link', 'd']) expect(() => appendText(join(dir, name), 'c\n')).toThrow();
  expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('a\nb\n');
  expect(() => appendText('/dev/null', 'x')).toThrow('a device, not a regular file');
});

test('calls are replaced one by one, and put back', () => {
  const { readFileSync, existsSync } = disk;
  const restore = replaceDisk({ existsSync: () => true });
  expect(disk.existsSync(join(dir, 'none'))).toBe(true);
  expect(disk.readFileSync).toBe(readFileSync);
  restore();
  expect(disk.existsSync).toBe(existsSync);
});
