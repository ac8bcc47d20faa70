import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { disk, replaceDisk } from './file/disk.ts';
import { createFileAtomic, writeFileAtomic } from './file/write-file-atomic.ts';
import { explainSystemError } from './system-failure.ts';

const thrown = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

test('what went wrong, with which path, and what to do', () => {
  expect(explainSystemError(thrown(() => readFileSync('/nowhere/a.txt')))).toEqual({
    message: '/nowhere/a.txt could not be opened: there is no such file or folder (ENOENT)',
    remedy: 'Something removed it meanwhile.',
  });
  expect(explainSystemError(thrown(() => disk.readFileSync(tmpdir(), 'utf8')))?.message).toBe(
    `${tmpdir()} could not be read: it is a folder (EISDIR)`,
  );
  expect(explainSystemError(thrown(() => renameSync('/nowhere/a', '/nowhere/b')))?.message).toBe(
    '/nowhere/b could not be replaced: there is no such file or folder (ENOENT)',
  );
});

test.each([
  ['EACCES', 'permission denied (EACCES)', /permissions/],
  ['EPERM', 'the operation is not permitted (EPERM)', /permissions/],
  ['ENOSPC', 'the disk is full (ENOSPC)', /room/],
  ['EDQUOT', 'the disk quota is used up (EDQUOT)', /room/],
  ['EROFS', 'the file system is read-only (EROFS)', /writable/],
  ['EIO', 'the disk reports an error (EIO)', /disk/],
  ['EXYZ', 'EXYZ', /./],
])('%s', (code, reason, remedy) => {
  const error = Object.assign(new Error(`${code}: x`), { code, syscall: 'mkdir', path: '/a' });
  const found = explainSystemError(error);
  expect(found?.message).toBe(`/a could not be made: ${reason}`);
  expect(found?.remedy).toMatch(remedy);
});

test('a bug is none: no code, no call, or one that only we can have got wrong', () => {
  for (const error of [
    new Error('x'),
    undefined,
    'EACCES',
    Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' }),
    Object.assign(new Error('x'), { code: 'EACCES' }),
    Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    Object.assign(new Error('x'), { code: 'EBADF', syscall: 'read' }),
    Object.assign(new Error('x'), { code: 'EINVAL', syscall: 'read' }),
  ])
    expect(explainSystemError(error)).toBeUndefined();
});

test('a write that has no path of its own is known by its file, not by that of the moment', () => {
  const dir = mkdtempSync(join(tmpdir(), 'entire-'));
  const file = join(dir, 'state.json');
  const fail = (syscall: string) => () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall });
  };
  for (const act of [() => writeFileAtomic(file, 'x'), () => createFileAtomic(file, 'x')])
    for (const call of ['writeSync', 'fsyncSync'] as const) {
      const restore = replaceDisk({ [call]: fail('write') });
      const error = thrown(() =>
        call === 'fsyncSync' ? writeFileAtomic(file, 'x', { fsync: true }) : act(),
      );
      restore();
      expect(explainSystemError(error)?.message).toBe(
        `${file} could not be written: the disk is full (ENOSPC)`,
      );
    }
  writeFileSync(join(dir, 'is-a-file'), '');
  const below = join(dir, 'is-a-file', 'state.json');
  expect(explainSystemError(thrown(() => writeFileAtomic(below, 'x')))?.message).toContain(
    `${below} could not`,
  );
  rmSync(dir, { recursive: true });
});
