import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { replaceDisk } from '../../base/file/disk.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { PathChange } from '../record/snapshot-record.ts';
import { findMoved } from './moved.ts';

const root = mkdtempSync(join(tmpdir(), 'entire-moved-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('looks into no other store where no file is gone', () => {
  const [stores, cwd] = [join(root, 'snapshots'), join(root, 'work')];
  for (const dir of [join(stores, 'own'), join(stores, 'other'), cwd]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(cwd, 'there.txt'), 'there\n');
  const looked: string[] = [];
  const restore = replaceDisk({
    readdirSync: ((folder: string) => {
      looked.push(folder);
      return readdirSync(folder);
    }) as typeof readdirSync,
  });
  const made: PathChange = {
    before: { kind: 'missing' },
    after: { kind: 'file', sha256: 'a'.repeat(64), size: 5, mode: 0o644 },
    source: 'scan',
  };
  const view = { git: { cwd, env: {} }, unsure: ['there.txt' as RepoPath] };
  const moved = findMoved(join(stores, 'own'), view, undefined, new Map([['new.txt' as RepoPath, made]]));
  restore();
  expect([moved.size, looked]).toEqual([0, []]);
});
