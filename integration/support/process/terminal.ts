import { spawnSync } from 'node:child_process';
import type { HookResult } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';

const { stdout } = spawnSync('sh', ['-c', 'script --version'], { encoding: 'utf8' });

/** Skips a test where no terminal can be had: `script` gives one, and that of other systems takes other arguments. */
export function needsTerminal(skip: (reason: string) => never): void {
  if (!stdout.includes('util-linux'))
    skip('there is no `script` of util-linux, which gives a program a terminal');
}

/** Runs `entire` in a terminal of its own where `keys` are typed; questions come on plain lines. */
export const inTerminal = (repo: TestRepo, command: string, keys: string): HookResult =>
  repo.run('script', ['--quiet', '--return', '--command', `sleep 0.3; exec entire ${command}`, '/dev/null'], {
    input: keys,
    env: { ACCESSIBLE: '1' },
  });
