import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Where a worktree lies unless something is said. */
export const placeOf = (repo: TestRepo, name: string): string => join(`${repo.dir}.worktrees`, name);

export const manifestOf = (repo: TestRepo): string => join(repo.home, '.entire', 'worktrees', 'index.json');

/** Makes one, and returns its top. */
export function create(repo: TestRepo, name: string, ...flags: string[]): string {
  // biome-ignore lint/suspicious/noExplicitAny: what the program prints is looked at as it is
  const made: any = JSON.parse(repo.entire('worktree', 'create', name, '--json', ...flags).stdout);
  return made.path;
}

// biome-ignore lint/suspicious/noExplicitAny: see above
export const list = (repo: TestRepo, ...flags: string[]): any[] =>
  JSON.parse(repo.entire('worktree', 'list', '--json', ...flags).stdout).worktrees;

// biome-ignore lint/suspicious/noExplicitAny: see above
export const rowOf = (repo: TestRepo, name: string): any => list(repo).find((row) => row.name === name);

/** Names in the manifest, as they stand there. */
export function noted(repo: TestRepo): string[] {
  if (!existsSync(manifestOf(repo))) return [];
  const { worktrees } = JSON.parse(readFileSync(manifestOf(repo), 'utf8'));
  return worktrees.map(({ name }: { name: string }) => name);
}

/** Works as if somebody stood in a worktree. */
export function within<T>(repo: TestRepo, root: string, act: () => T): T {
  const before = repo.dir;
  repo.dir = root;
  try {
    return act();
  } finally {
    repo.dir = before;
  }
}

/** Refuses, with everything it says. */
export function refusal(repo: TestRepo, ...args: string[]): string {
  const { code, stderr, stdout } = repo.tryEntire('worktree', ...args);
  if (code !== 1 && code !== 2)
    throw new Error(`entire worktree ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`);
  return stderr;
}

/** A worktree with a commit of its own. */
export function withCommit(repo: TestRepo, name: string): string {
  const root = create(repo, name);
  writeFileSync(join(root, 'own.txt'), 'own\n');
  within(repo, root, () => repo.commit('Own', 'own.txt'));
  return root;
}

/** What it says when it refuses; everything is as it was then. */
export function refusedRemoval(repo: TestRepo, name: string, ...flags: string[]): string {
  const before = [repo.git('worktree', 'list'), repo.git('for-each-ref'), noted(repo)];
  const said = refusal(repo, 'remove', name, ...flags);
  expect([repo.git('worktree', 'list'), repo.git('for-each-ref'), noted(repo)]).toEqual(before);
  return said;
}
