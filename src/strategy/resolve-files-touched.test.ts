import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RepoPath } from '../base/repo-path.ts';
import { resolveFilesTouched, toWorktreePaths } from './resolve-files-touched.ts';

const paths = (...names: string[]) => names as RepoPath[];

describe('what is known of the files', () => {
  test('state and tracking file together, sorted, without doubles; the transcript is not asked', () => {
    const fromTranscript = vi.fn(() => paths('t'));
    const known = { fromState: paths('b', 'a'), fromTrackingFile: paths('c', 'a'), fromTranscript };
    expect(resolveFilesTouched(known)).toEqual(['a', 'b', 'c']);
    expect(resolveFilesTouched({ ...known, fromState: [] })).toEqual(['a', 'c']);
    expect(resolveFilesTouched({ ...known, fromTrackingFile: [] })).toEqual(['a', 'b']);
    expect(fromTranscript).not.toHaveBeenCalled();
  });

  test('only where both are empty the transcript answers', () => {
    const nothing = { fromState: [], fromTrackingFile: [] };
    expect(resolveFilesTouched({ ...nothing, fromTranscript: () => paths('b', 'a', 'b') })).toEqual([
      'a',
      'b',
    ]);
    expect(resolveFilesTouched({ ...nothing, fromTranscript: () => [] })).toEqual([]);
  });
});

describe('paths as an agent named them', () => {
  let dir: string;
  let root: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-resolve-')));
    root = join(dir, 'repo');
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src', 'a.ts'), '');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('absolute and relative ones, in their order', () => {
    const files = [join(root, 'src/a.ts'), 'src/new.ts', join(root, 'gone/x.ts')];
    expect(toWorktreePaths(root, files)).toEqual(['src/a.ts', 'src/new.ts', 'gone/x.ts']);
  });

  test('those outside, and those that are not the user’s, are dropped', () => {
    const files = [
      '/etc/passwd',
      '../x',
      `${root}-2/a`,
      root,
      '.git/config',
      join(root, '.entire/x'),
      'a\nb',
    ];
    expect(toWorktreePaths(root, files)).toEqual([]);
  });

  test('a file of that name with dots stays', () => {
    expect(toWorktreePaths(root, [join(root, '..foo')])).toEqual(['..foo']);
  });

  test('a root that the agent reached through a link', () => {
    symlinkSync('repo', join(dir, 'link'));
    expect(toWorktreePaths(root, [join(dir, 'link/src/a.ts'), join(dir, 'link/new.ts')])).toEqual([
      'src/a.ts',
      'new.ts',
    ]);
  });

  test('a file that is a link is named as the edit hook names it', () => {
    symlinkSync('src/a.ts', join(root, 'link.ts'));
    expect(toWorktreePaths(root, [join(root, 'link.ts')])).toEqual(['src/a.ts']);
  });
});
