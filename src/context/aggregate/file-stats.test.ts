import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { FileItem } from '../file-item.ts';
import { computeFileStats, groupFilesByDir } from './file-stats.ts';

test('lines and symbols of a file are counted; none where it is no text', async () => {
  const base = makeTemporaryFolder('file-stats-');
  try {
    const stats = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(base, name), content);
      return computeFileStats(join(base, name));
    };
    expect(await stats('a.py', 'class A:\n    def b(self): ...\nx = 1')).toEqual({ lines: 3, symbols: 3 });
    expect(await stats('a.txt', 'one\ntwo\n')).toEqual({ lines: 2, symbols: 0 });
    expect(await stats('a.bin', Uint8Array.of(0, 10, 10))).toEqual({ lines: 0, symbols: 0 });
    expect(await computeFileStats(join(base, 'gone'))).toEqual({ lines: 0, symbols: 0 });
  } finally {
    disk.rmSync(base, { recursive: true });
  }
});

test('files are grouped by folder, folders by name, files as they came', () => {
  const files = ['src/b.py', 'README.md', 'src/a.py', './src/sub/../c.py', 'a/x/y.py', '__proto__/z.py'];
  expect([...groupFilesByDir(files)]).toEqual([
    ['.', ['README.md']],
    ['__proto__', ['__proto__/z.py']],
    ['a/x', ['a/x/y.py']],
    ['src', ['src/b.py', 'src/a.py', './src/sub/../c.py']],
  ]);
  const item = new FileItem({ path: 'src/a.py' });
  expect(groupFilesByDir([item]).get('src')).toEqual([item]);
});
