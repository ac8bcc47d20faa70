import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from './disk.ts';
import { createFileAtomic, writeFileAtomic } from './write-file-atomic.ts';

let dir: string;
let restore = () => {};
const mode = (path: string) => statSync(path).mode & 0o777;
const failure = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-atomic-'));
});
afterEach(() => {
  restore();
  restore = () => {};
  rmSync(dir, { recursive: true, force: true });
});

test('creates the file and its folders, private by default', () => {
  const file = join(dir, 'a', 'b', 'c.json');
  writeFileAtomic(file, 'é');
  expect(readFileSync(file, 'utf8')).toBe('é');
  expect(mode(file)).toBe(0o600);
  expect(mode(join(dir, 'a')) & 0o027).toBe(0);
  expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['c.json']);
});

test('replaces bytes and text, also with nothing; a new file has the mode asked for', () => {
  const file = join(dir, 'f');
  writeFileAtomic(file, new Uint8Array([0, 255, 10]), { mode: 0o644, fsync: true });
  expect([...readFileSync(file)]).toEqual([0, 255, 10]);
  expect(mode(file)).toBe(0o644);
  writeFileAtomic(file, '');
  expect(readFileSync(file, 'utf8')).toBe('');
});

test('an existing file keeps its mode', () => {
  const file = join(dir, 'f');
  writeFileSync(file, 'old');
  chmodSync(file, 0o755);
  writeFileAtomic(file, 'new', { mode: 0o600 });
  expect(mode(file)).toBe(0o755);
});

test('an existing file keeps the permission bits that the umask would take', () => {
  const file = join(dir, 'f');
  writeFileSync(file, 'old');
  chmodSync(file, 0o666);
  const mask = process.umask(0o022);
  try {
    writeFileAtomic(file, 'new');
  } finally {
    process.umask(mask);
  }
  expect(mode(file)).toBe(0o666);
});

test('a write that is cut short goes on where it stopped', () => {
  restore = replaceDisk({
    writeSync: ((fd: number, bytes: Uint8Array, at: number) =>
      realWrite(fd, bytes, at, Math.min(3, bytes.length - at))) as typeof disk.writeSync,
  });
  writeFileAtomic(join(dir, 'f'), 'twelve bytes');
  expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('twelve bytes');
});
const realWrite = disk.writeSync;

test.each(['openSync', 'writeSync', 'fsyncSync', 'renameSync'] as const)(
  'when %s fails the old file is as it was, and nothing is left behind',
  (call) => {
    const file = join(dir, 'f');
    writeFileSync(file, 'old');
    restore = replaceDisk({ [call]: failure('ENOSPC') });
    expect(() => writeFileAtomic(file, 'new', { fsync: true })).toThrow('ENOSPC');
    restore();
    expect(readdirSync(dir)).toEqual(['f']);
    expect(readFileSync(file, 'utf8')).toBe('old');
  },
);

test('what is told is what failed first', () => {
  const { closeSync } = disk;
  restore = replaceDisk({
    writeSync: failure('ENOSPC'),
    closeSync: (fd) => {
      closeSync(fd);
      failure('EIO')();
    },
  });
  expect(() => writeFileAtomic(join(dir, 'f'), 'new')).toThrow('ENOSPC');
});

test('readers see the old text until the rename', () => {
  const file = join(dir, 'state.json');
  writeFileSync(file, 'old');
  const seen: { text: string; names: string[] }[] = [];
  const { renameSync } = disk;
  restore = replaceDisk({
    renameSync: (from, to) => {
      seen.push({
        text: readFileSync(file, 'utf8'),
        names: readdirSync(dir).filter((name) => name.endsWith('.json')),
      });
      renameSync(from, to);
    },
  });
  writeFileAtomic(file, 'new');
  expect(seen).toEqual([{ text: 'old', names: ['state.json'] }]);
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('two writers use two temporary names', () => {
  const names: string[] = [];
  const { openSync } = disk;
  restore = replaceDisk({
    openSync: (path, flags, bits) => {
      names.push(String(path));
      return openSync(path, flags, bits);
    },
  });
  writeFileAtomic(join(dir, 'f'), '1');
  writeFileAtomic(join(dir, 'f'), '2');
  expect(new Set(names).size).toBe(2);
});

test('a link is replaced, and what it points to is left alone', () => {
  writeFileSync(join(dir, 'target'), 'theirs');
  symlinkSync('target', join(dir, 'link'));
  writeFileAtomic(join(dir, 'link'), 'ours');
  expect(readFileSync(join(dir, 'target'), 'utf8')).toBe('theirs');
  expect(readFileSync(join(dir, 'link'), 'utf8')).toBe('ours');
});

test('a folder in the place of the file is an error, and stays', () => {
  mkdirSync(join(dir, 'f', 'sub'), { recursive: true });
  expect(() => writeFileAtomic(join(dir, 'f'), 'x')).toThrow();
  expect(readdirSync(dir)).toEqual(['f']);
});

test.each([true, false])('makes a file only where there is none, hard links %s', (links) => {
  if (!links) restore = replaceDisk({ linkSync: failure('EPERM') });
  const file = join(dir, 'script');
  expect(createFileAtomic(file, 'first', { mode: 0o755 })).toBe(true);
  expect(mode(file)).toBe(0o755);
  expect(createFileAtomic(file, 'second')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('first');
  expect(readdirSync(dir)).toEqual(['script']);
});

test('a temporary file that cannot be removed does not make the write fail that was made', () => {
  restore = replaceDisk({ rmSync: failure('EIO') });
  const file = join(dir, 'f');
  expect(createFileAtomic(file, 'first')).toBe(true);
  expect(createFileAtomic(file, 'second')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('first');
});

test.each([writeFileAtomic, createFileAtomic])(
  'a temporary file that cannot be removed does not hide why the write failed: %o',
  (write) => {
    restore = replaceDisk({ writeSync: failure('ENOSPC'), rmSync: failure('EIO') });
    expect(() => write(join(dir, 'f'), 'x')).toThrow('ENOSPC');
  },
);
