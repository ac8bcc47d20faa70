import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateRepo, type Repo } from './locate.ts';
import { linesToSearchFor } from './search-cost.ts';

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
  expect(linesToSearchFor(withFiles(100))).toBe(1_980);
  expect(linesToSearchFor(withFiles(2_000))).toBe(80);
  expect(linesToSearchFor(withFiles(10_000))).toBe(0);
});

test('and none where they would have to be fetched, or nobody knows how many there are', () => {
  const partial = withFiles(1);
  writeFileSync(join(partial.commonDir, 'objects/pack/pack-1.promisor'), '');
  expect(linesToSearchFor(partial)).toBe(0);
  expect(linesToSearchFor(withFiles(0))).toBe(0);
  const damaged = withFiles(1);
  writeFileSync(join(damaged.gitDir, 'index'), 'DIR');
  expect(linesToSearchFor(damaged)).toBe(0);
});
