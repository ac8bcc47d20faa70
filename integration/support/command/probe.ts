import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookResult } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';

/** Folders of the machine's own programs; no `entire` there. */
export const SYSTEM_PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((dir) => /^\/(usr\/)?(local\/)?bin$/.test(dir))
  .join(':');

/** An executable script in the worktree. */
export function script(repo: TestRepo, file: string, ...lines: string[]): void {
  repo.write(file, `${['#!/bin/sh', ...lines].join('\n')}\n`);
  chmodSync(join(repo.dir, file), 0o755);
}

/** An `entire` that writes down how it is called, reads all it can, and fails. */
export function withProbe(repo: TestRepo): { env: Record<string, string>; calls(): string[] } {
  const dir = join(repo.scratch, 'probe');
  const log = join(dir, 'calls');
  mkdirSync(dir);
  writeFileSync(
    join(dir, 'entire'),
    `#!/bin/sh\ncat >/dev/null\nshift 2\necho "entire $*" >>'${log}'\nexit 3\n`,
  );
  chmodSync(join(dir, 'entire'), 0o755);
  writeFileSync(log, '');
  return {
    env: { PATH: `${dir}:${SYSTEM_PATH}`, LOG: log },
    calls: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
}

/** Where git keeps the message of a commit that is being made. */
export const MESSAGE = '.git/COMMIT_EDITMSG';
/** An empty commit, in an environment. */
export const commitAt = (repo: TestRepo, env: Record<string, string>, ...args: string[]): HookResult =>
  repo.run('git', ['commit', '--allow-empty', '-m', 'work', ...args], { env });
