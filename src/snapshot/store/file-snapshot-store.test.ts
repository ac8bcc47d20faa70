import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceDisk } from '../../base/file/disk.ts';
import { defaultSnapshotRoot, FileSnapshotStore } from './file-snapshot-store.ts';

let scratch: string;
let cwd: string;
let root: string;
let store: FileSnapshotStore;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'entire-snaps-')));
  cwd = join(scratch, 'work');
  root = join(scratch, 'store');
  mkdirSync(cwd);
  store = new FileSnapshotStore({ root, cwd });
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const write = (path: string, text: string | Buffer) => {
  mkdirSync(join(cwd, path, '..'), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
const sizeOf = (dir: string): number =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

describe('a store of snapshots', () => {
  it('brings back contents, modes, links and that a file was missing; outside of any repository', () => {
    write('a/one.txt', 'one\n');
    write('run.sh', 'echo\n');
    chmodSync(join(cwd, 'run.sh'), 0o750);
    symlinkSync('a/one.txt', join(cwd, 'link'));
    const snapshot = store.snap(['a/one.txt', 'run.sh', 'link', 'new.txt']);
    rmSync(join(cwd, 'a'), { recursive: true });
    write('run.sh', 'rm\n');
    chmodSync(join(cwd, 'run.sh'), 0o644);
    rmSync(join(cwd, 'link'));
    write('link', 'a file\n');
    write('new.txt', 'new\n');
    expect(store.restore(snapshot)).toEqual({
      restored: ['a/one.txt', 'run.sh', 'link', 'new.txt'],
      left: new Map(),
    });
    expect([read('a/one.txt'), read('run.sh'), existsSync(join(cwd, 'new.txt'))]).toEqual([
      'one\n',
      'echo\n',
      false,
    ]);
    expect(readlinkSync(join(cwd, 'link'))).toBe('a/one.txt');
    expect(statSync(join(cwd, 'run.sh')).mode & 0o777).toBe(0o750);
  });

  it('remembers all files it ever looked at in each snapshot', () => {
    write('a.txt', 'a\n');
    store.snap(['a.txt']);
    write('b.txt', 'b\n');
    store.snap(['b.txt']);
    expect([...(store.latest()?.files.keys() ?? [])]).toEqual(['a.txt', 'b.txt']);
    expect(store.list().map(({ files }) => files.size)).toEqual([1, 2]);
  });

  it('keeps what is there before it puts another thing in its place', () => {
    write('a.txt', 'old\n');
    const snapshot = store.snap(['a.txt']);
    write('a.txt', 'kept nowhere else\n');
    store.restore(snapshot);
    const blobs = readdirSync(join(root, 'blobs')).map((name) =>
      readFileSync(join(root, 'blobs', name), 'utf8'),
    );
    expect(blobs).toContain('kept nowhere else\n');
  });

  it('ten versions of a file of 1 MiB with 1 KiB changed in each cost no more than 1.3 MiB, an unchanged one nothing', () => {
    const bytes = Buffer.alloc(1 << 20);
    for (let at = 0, state = 1; at < bytes.length; at++) {
      state = (Math.imul(state, 1103515245) + 12345) | 0;
      bytes[at] = state >>> 16;
    }
    for (let turn = 0; turn <= 10; turn++) {
      bytes.fill(`turn ${turn} `, turn * 80_000, turn * 80_000 + 1024);
      write('big.bin', bytes);
      store.snap(['big.bin']);
    }
    const blobs = join(root, 'blobs');
    expect(sizeOf(root)).toBeLessThan(1.3 * (1 << 20));
    const before = sizeOf(blobs);
    store.snap(['big.bin']);
    expect(sizeOf(blobs)).toBe(before);
    expect(store.list()).toHaveLength(12);
  });

  it('leaves a folder that took the place of a file, and files behind a link', () => {
    write('a.txt', 'a\n');
    write('dir/b.txt', 'b\n');
    const snapshot = store.snap(['a.txt', 'dir/b.txt']);
    rmSync(join(cwd, 'a.txt'));
    mkdirSync(join(cwd, 'a.txt'));
    renameSync(join(cwd, 'dir'), join(cwd, 'elsewhere'));
    symlinkSync('elsewhere', join(cwd, 'dir'));
    write('elsewhere/b.txt', 'changed\n');
    const { restored, left } = store.restore(snapshot);
    expect(restored).toEqual([]);
    expect([...left.keys()]).toEqual(['a.txt', 'dir/b.txt']);
    expect([lstatSync(join(cwd, 'a.txt')).isDirectory(), read('elsewhere/b.txt')]).toEqual([
      true,
      'changed\n',
    ]);
  });

  it('a disk that is full when the new contents are written: nothing is changed, and nothing stays behind', () => {
    write('a.txt', 'a\n');
    write('b.txt', 'b\n');
    const snapshot = store.snap(['a.txt', 'b.txt']);
    write('a.txt', 'A\n');
    write('b.txt', 'B\n');
    let opened = 0;
    const undo = replaceDisk({
      fsyncSync: () => {
        if (++opened === 4)
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      },
    });
    try {
      expect(() => store.restore(snapshot)).toThrow(/nothing was changed: .*ENOSPC/);
    } finally {
      undo();
    }
    expect([read('a.txt'), read('b.txt')]).toEqual(['A\n', 'B\n']);
    expect(readdirSync(root).sort()).toEqual(['blobs', 'snaps']);
    expect(store.restore(snapshot).restored).toEqual(['a.txt', 'b.txt']);
  });

  it('drops contents that nothing names, but none that is young', () => {
    write('a.txt', 'a\n');
    store.snap(['a.txt']);
    const stray = join(root, 'blobs', 'f'.repeat(64));
    writeFileSync(stray, 'nobody names it\n');
    expect(store.gcBlobs()).toEqual({ files: 0, bytes: 0 });
    utimesSync(stray, 1, 1);
    expect(store.gcBlobs()).toEqual({ files: 1, bytes: 16 });
    expect(store.latest()?.files.size).toBe(1);
    expect(readdirSync(join(root, 'blobs'))).toHaveLength(1);
  });

  it.each(['../outside.txt', '/etc/passwd', '.git/config', 'sub/.git/HEAD', ''])('refuses %j', (path) => {
    expect(() => store.snap([path])).toThrow(/no file that can be kept/);
  });

  it('has a place in the data folder of the user', () => {
    expect(defaultSnapshotRoot('s1', { XDG_DATA_HOME: '/data' })).toBe('/data/entire/snapshots/s1');
    expect(() => defaultSnapshotRoot('../s1')).toThrow(/no session id/);
  });
});
