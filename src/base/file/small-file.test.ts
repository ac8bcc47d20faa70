import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, replaceDisk } from './disk.ts';
import { readOwnText, readUserText, readWorktreeText, SMALL_FILES } from './small-file.ts';

let dir: string;
let root: string;
const at = (...names: string[]) => join(root, ...names);
const ofWorktree = (path = 'f') => readWorktreeText(root, path, 'settings');
const own = (path = 'f') => readOwnText(at(path), 'settings');
const users = (path = 'f') => readUserText(at(path), 'settings');
const READERS = { ofWorktree, own, users };

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-small-')));
  root = join(dir, 'repo');
  mkdirSync(at('d'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe.each(Object.entries(READERS))('%s', (_, read) => {
  test('a file is its text, and none is none', () => {
    writeFileSync(at('f'), 'text\0ü');
    expect(read()).toBe('text\0ü');
    expect(read('none')).toBeUndefined();
    expect(read('f/below')).toBeUndefined();
    writeFileSync(at('empty'), '');
    expect(read('empty')).toBe('');
  });

  test('a folder and a socket are refused', async () => {
    expect(() => read('d')).toThrow(/is not read: it is a folder\./);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
    expect(() => read('socket')).toThrow(/a socket, not a regular file/);
    server.close();
  });

  test('one byte more than the limit is refused, and nothing of it is read', () => {
    writeFileSync(at('f'), '');
    truncateSync(at('f'), SMALL_FILES.settings);
    expect(read()?.length).toBe(SMALL_FILES.settings);
    truncateSync(at('f'), SMALL_FILES.settings + 1);
    const restore = replaceDisk({
      readSync: (() => {
        throw new Error('was read');
      }) as typeof disk.readSync,
    });
    try {
      expect(() => read()).toThrow('larger than 1 MiB');
    } finally {
      restore();
    }
    truncateSync(at('f'), 3 * 1024 ** 3);
    expect(() => read()).toThrow('larger than 1 MiB');
  });

  test('a device is refused without being opened', () => {
    symlinkSync('/dev/zero', at('f'));
    const opened: string[] = [];
    const restore = replaceDisk({
      openSync: ((file: string) => {
        opened.push(file);
        throw new Error('was opened');
      }) as typeof disk.openSync,
    });
    try {
      expect(() => read()).toThrow(/is not read: it is a /);
    } finally {
      restore();
    }
    expect(opened).toEqual([]);
  });

  test('links without end are refused', () => {
    symlinkSync('g', at('f'));
    symlinkSync('f', at('g'));
    expect(() => read()).toThrow(/is a link/);
  });

  test('any other failure is the one of the system', () => {
    writeFileSync(at('f'), 'x');
    const restore = replaceDisk({
      openSync: (() => {
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      }) as typeof disk.openSync,
    });
    try {
      expect(() => read()).toThrow('EACCES: permission denied');
    } finally {
      restore();
    }
  });
});

test('a file that grows while it is read ends at the limit', () => {
  writeFileSync(at('f'), 'x');
  const restore = replaceDisk({
    readSync: ((_fd: number, buffer: Buffer, offset: number, length: number) => {
      buffer.fill('y', offset, offset + length);
      return length;
    }) as typeof disk.readSync,
  });
  try {
    expect(() => own()).toThrow('larger than 1 MiB');
  } finally {
    restore();
  }
});

test('what became something else since it was looked at is not read', () => {
  writeFileSync(at('f'), 'x');
  writeFileSync(join(dir, 'secret'), 'secret');
  const { openSync } = disk;
  const restore = replaceDisk({
    openSync: ((file: string, flags: number) => {
      rmSync(file);
      symlinkSync('../secret', file);
      return openSync(file, flags);
    }) as typeof disk.openSync,
  });
  try {
    for (const read of Object.values(READERS)) {
      rmSync(at('f'));
      writeFileSync(at('f'), 'x');
      expect(() => read()).toThrow('it is a link.');
    }
  } finally {
    restore();
  }
});

describe('links', () => {
  beforeEach(() => {
    writeFileSync(join(dir, 'outside'), 'outside');
    writeFileSync(at('inside'), 'inside');
  });

  test('a link of a worktree is followed within it, and nowhere else', () => {
    symlinkSync('../inside', at('d', 'in'));
    expect(ofWorktree('d/in')).toBe('inside');
    symlinkSync('../../outside', at('d', 'out'));
    expect(() => ofWorktree('d/out')).toThrow('a link to outside of the repository');
    symlinkSync('..', at('up'));
    expect(() => ofWorktree('up/outside')).toThrow('a link to outside of the repository');
    symlinkSync('nowhere', at('dangling'));
    expect(() => ofWorktree('dangling')).toThrow('a link that leads nowhere');
  });

  test('the root of a worktree may be reached by a link itself', () => {
    symlinkSync('repo', join(dir, 'alias'));
    expect(readWorktreeText(join(dir, 'alias'), 'inside', 'settings')).toBe('inside');
  });

  test('a file of ours is no link; one of the user may be', () => {
    symlinkSync('inside', at('in'));
    expect(() => own('in')).toThrow('it is a link.');
    expect(users('in')).toBe('inside');
    symlinkSync('../outside', at('out'));
    expect(users('out')).toBe('outside');
    symlinkSync('nowhere', at('dangling'));
    expect(users('dangling')).toBeUndefined();
  });
});
