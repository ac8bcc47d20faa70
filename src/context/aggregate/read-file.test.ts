import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, makeTemporaryFolder, replaceDisk } from '../../base/file/disk.ts';
import { readFileForContext } from './read-file.ts';

let base: string;
beforeEach(() => {
  base = makeTemporaryFolder('read-file-');
});
afterEach(() => disk.rmSync(base, { recursive: true, force: true }));

function read(content: string | Uint8Array, maxBytes?: number) {
  const file = join(base, 'file');
  writeFileSync(file, content);
  utimesSync(file, 1000, 1000.5);
  return readFileForContext(file, maxBytes);
}

test('a text is read as it is, but for a byte order mark', () => {
  expect(read('a\r\nß\n')).toEqual({ status: 'text', text: 'a\r\nß\n', mtime: 1000.5 });
  expect(read('')).toEqual({ status: 'text', text: '', mtime: 1000.5 });
  expect(read('\ufeffa')).toMatchObject({ text: 'a' });
});

test('of what is no text it is said why, and how large it is', () => {
  const mtime = 1000.5;
  expect(read(Uint8Array.of(137, 80, 0, 1))).toEqual({
    status: 'not-text',
    reason: 'binary; 4 bytes',
    mtime,
  });
  expect(read(Uint8Array.of(0x63, 0xe9, 0x0a))).toEqual({
    status: 'not-text',
    reason: 'not UTF-8; 3 bytes',
    mtime,
  });
  const utf16 = Buffer.from('\ufeffab', 'utf16le');
  expect(read(utf16)).toEqual({ status: 'not-text', reason: 'UTF-16, not UTF-8; 6 bytes', mtime });
  expect(read('12345', 4)).toEqual({ status: 'not-text', reason: '5 bytes, the limit is 4', mtime });
  expect(read('1234', 4)).toMatchObject({ status: 'text' });
});

test('a file that is not there is missing, also below something that is no folder', () => {
  writeFileSync(join(base, 'file'), '');
  symlinkSync('gone', join(base, 'link'));
  expect(readFileForContext(join(base, 'gone'))).toEqual({ status: 'missing' });
  expect(readFileForContext(join(base, 'file/below'))).toEqual({ status: 'missing' });
  expect(readFileForContext(join(base, 'link'))).toEqual({ status: 'missing' });
});

test('folders, devices and links in a circle are not read', () => {
  mkdirSync(join(base, 'folder'));
  symlinkSync('circle', join(base, 'circle'));
  const reasonOf = (name: string) => readFileForContext(resolve(base, name));
  expect(reasonOf('folder')).toMatchObject({ status: 'unreadable', reason: 'a folder' });
  expect(reasonOf('circle')).toMatchObject({ status: 'unreadable', reason: 'a link that leads in a circle' });
  expect(reasonOf('/dev/null')).toMatchObject({
    status: 'unreadable',
    reason: 'neither a file nor a folder',
  });
});

test('a file that may not be read says so, without its path', () => {
  writeFileSync(join(base, 'file'), 'secret');
  chmodSync(join(base, 'file'), 0);
  const denied = Object.assign(new Error(`EACCES: permission denied, open '${base}/file'`), {
    code: 'EACCES',
  });
  const putBack = replaceDisk({
    openSync: () => {
      throw denied;
    },
  });
  try {
    expect(readFileForContext(join(base, 'file'))).toMatchObject({
      status: 'unreadable',
      reason: 'permission denied',
    });
  } finally {
    putBack();
  }
});
