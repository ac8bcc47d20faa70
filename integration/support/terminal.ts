import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('sh', ['-c', 'script --version'], { encoding: 'utf8' });

/** Skips a test where no terminal can be had: `script` gives one, and that of other systems takes other arguments. */
export function needsTerminal(skip: (reason: string) => never): void {
  if (!stdout.includes('util-linux'))
    skip('there is no `script` of util-linux, which gives a program a terminal');
}
