import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateRepo, type Repo } from './locate.ts';
import { linesToCompare } from './search-cost.ts';

/** A repository whose index has so many files. */
function withFiles(count: number): Repo {
  const root = mkdtempSync(join(tmpdir(), 'entire-search-cost-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['-C', root, ...args], { input, encoding: 'utf8' });
  git(['init', '--quiet']);
  const blob = git(['hash-object', '-w', '--stdin'], 'text\n').trim();
  const rows = Array.from({ length: count }, (_, at) => `100644 ${blob}\tfile-${at}\n`);
  if (count > 0) git(['update-index', '--index-info'], rows.join(''));
  return locateRepo(root) as Repo;
}

test('the more files there are, the fewer lines are looked for in all of them', () => {
  expect(linesToCompare(withFiles(100))).toBe(2_000);
  expect(linesToCompare(withFiles(2_000))).toBe(100);
  expect(linesToCompare(withFiles(10_000))).toBe(20);
});

test('and none where they would have to be fetched, or nobody knows how many there are', () => {
  const partial = withFiles(1);
  writeFileSync(join(partial.commonDir, 'objects/pack/pack-1.promisor'), '');
  expect(linesToCompare(partial)).toBe(0);
  expect(linesToCompare(withFiles(0))).toBe(0);
  const damaged = withFiles(1);
  writeFileSync(join(damaged.gitDir, 'index'), 'DIR');
  expect(linesToCompare(damaged)).toBe(0);
});

test('an index that has folders for entries does not tell, and one in two files does', () => {
  const root = mkdtempSync(join(tmpdir(), 'entire-search-cost-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  git('init', '--quiet');
  for (const folder of ['one', 'two']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'one/a'), 'a\n');
  writeFileSync(join(root, 'two/b'), 'b\n');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--message=x');
  const repo = locateRepo(root) as Repo;
  expect(linesToCompare(repo)).toBe(100_000);
  git('sparse-checkout', 'set', '--cone', '--sparse-index', 'one');
  expect(linesToCompare(repo)).toBe(0);
  git('sparse-checkout', 'disable');
  expect(linesToCompare(repo)).toBe(100_000);
  git('update-index', '--split-index');
  expect(linesToCompare(repo)).toBeGreaterThanOrEqual(50_000);
});
