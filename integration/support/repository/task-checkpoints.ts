import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from './test-repo.ts';

/** Marks of running sub-agents. */
export const marks = (repo: TestRepo): string[] =>
  readdirSync(join(repo.dir, '.entire', 'tmp')).filter((name) => name.startsWith('pre-task-'));

/** The shadow branch, of which there is to be one. */
export function onlyBranch(repo: TestRepo): string {
  const [branch, ...more] = repo.shadowBranches();
  expect(more).toEqual([]);
  return branch as string;
}

/** User files in which a step differs from the commit before it, or from another one. */
export const changedIn = (repo: TestRepo, commit: string, since = `${commit}~`): string[] =>
  repo
    .git('diff', '--name-only', since, commit)
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('.'));
