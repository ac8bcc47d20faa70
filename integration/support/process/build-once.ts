import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READY_REPOS } from '../repository/ready-repo.ts';
import { root } from './builds.ts';

/**
 * Makes both builds, once for the whole run, and a folder for each in which it is called `entire`: git hooks and
 * agents find the command by name. `ENTIRE_TEST_SKIP_BUILD=1` keeps what `dist` has.
 */
export function setup(): void {
  if (process.env.ENTIRE_TEST_SKIP_BUILD !== '1') {
    execFileSync('npx', ['tsx', 'scripts/build.ts'], { cwd: root, stdio: 'inherit' });
  }
  const bin = join(root, 'dist', 'test', 'bin');
  if (process.env.ENTIRE_TEST_SKIP_BUILD === '1' && existsSync(bin)) return; // another run may be using it
  for (const folder of [bin, READY_REPOS]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(bin, 'native'), { recursive: true });
  mkdirSync(join(bin, 'node'), { recursive: true });
  symlinkSync(join(root, 'dist', 'entire'), join(bin, 'native', 'entire'));
  const script = join(bin, 'node', 'entire');
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist', 'entire.mjs')}" "$@"\n`);
  chmodSync(script, 0o755);
}
