import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepo } from './test-repo.ts';

/** Everything that somebody could see of a run: files of the git folder with their bytes, refs, and the worktree. */
export function lookAtAll(repo: TestRepo): unknown {
  const files = readdirSync(join(repo.dir, '.git'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, readFileSync(file).toString('base64')]);
  return { files, status: repo.git('status', '--porcelain', '--ignored'), log: repo.logText() };
}
