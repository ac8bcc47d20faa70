import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listWorktreeRoots } from './worktrees.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-worktrees-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function link(commonDir: string, name: string, gitdir: string): void {
  mkdirSync(join(commonDir, 'worktrees', name), { recursive: true });
  writeFileSync(join(commonDir, 'worktrees', name, 'gitdir'), `${gitdir}\n`);
}

test('the main worktree and those that are linked, by paths of either kind', () => {
  const commonDir = join(root, 'main/.git');
  expect(listWorktreeRoots({ commonDir })).toEqual([join(root, 'main')]);
  link(commonDir, 'one', join(root, 'one/.git'));
  link(commonDir, 'two', '../../../../two/.git');
  mkdirSync(join(commonDir, 'worktrees/broken/gitdir'), { recursive: true });
  expect(listWorktreeRoots({ commonDir })).toEqual(['main', 'one', 'two'].map((name) => join(root, name)));
});

test('a bare repository has those that are linked alone', () => {
  const commonDir = join(root, 'bare.git');
  link(commonDir, 'one', join(root, 'one/.git'));
  expect(listWorktreeRoots({ commonDir })).toEqual([join(root, 'one')]);
});
