import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';

/** Settings files of a worktree, and what `entire config` says of them. */

export const PROJECT = '.entire/settings.json';
export const LOCAL = '.entire/settings.local.json';
export const PUSH = 'strategy_options.push_sessions';

export const get = (repo: TestRepo, key: string): string =>
  repo.entire('config', 'get', key).stdout.trimEnd();
export const set = (repo: TestRepo, ...args: string[]): string =>
  repo.entire('config', 'set', ...args).stdout;

// biome-ignore lint/suspicious/noExplicitAny: files as they are
export const json = (repo: TestRepo, file: string): any => JSON.parse(repo.read(file));

/** The file of the person for all repositories. */
export const userFile = (repo: TestRepo): string => join(repo.home, '.config/entire/settings.json');

export function putUser(repo: TestRepo, text: string): void {
  mkdirSync(join(repo.home, '.config/entire'), { recursive: true });
  writeFileSync(userFile(repo), text);
}

/** What a command says that does not do it: exit status, and stderr. */
export function refused(repo: TestRepo, ...args: string[]): { code: number | null; stderr: string } {
  const { code, stdout, stderr } = repo.tryEntire('config', ...args);
  expect(stdout).toBe('');
  return { code, stderr };
}
