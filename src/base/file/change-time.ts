import { dirname } from 'node:path';
import { lstatIfExists, lstatInWorktree } from './disk.ts';

/**
 * Whether a worktree path may have changed after some time: its content, its mode or its place. Of one that is gone the folder tells in
 * which it was, and that may have changed for another reason. The clock of the file system may lag some milliseconds behind.
 *
 * @param ms in milliseconds since 1970
 */
export function isChangedAfter(root: string, path: string, ms: number): boolean {
  const stat = lstatInWorktree(root, path) ?? lstatOfFolder(root, path);
  return stat === undefined || Math.floor(Math.max(stat.mtimeMs, stat.ctimeMs)) > ms;
}

/** The nearest folder that is there. */
function lstatOfFolder(root: string, path: string): ReturnType<typeof lstatIfExists> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stat = lstatInWorktree(root, folder);
    if (stat) return stat;
  }
  return lstatIfExists(root);
}
