import { cpSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Build, root } from '../process/builds.ts';

/** Repositories that tests begin with; `build-once.ts` throws them away. */
export const READY_REPOS = join(root, 'dist', 'test', 'ready');

/** The folder of the repository that was made ready by this build, as it is now. It need not exist. */
export function readyRepoOf({ name, program }: Build): string {
  return join(READY_REPOS, `${name}-${statSync(program).mtimeMs}`);
}

/** Keeps a copy of a repository. Of several workers that do so at once, one wins. */
export function keepReadyRepo(dir: string, kept: string): void {
  const ours = `${kept}.${process.pid}`;
  mkdirSync(dirname(kept), { recursive: true });
  copyFolder(dir, ours);
  try {
    renameSync(ours, kept);
  } catch {
    rmSync(ours, { recursive: true });
  }
}

/** With modes; its files are of this moment. */
export const copyFolder = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
