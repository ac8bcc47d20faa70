import { join } from 'node:path';
import { describeError, EntireError } from '../base/errors.ts';
import { disk, lstatIfExists } from '../base/file/disk.ts';
import { locateRepo } from '../git/locate.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';

/** A worktree whose folder has another name now, and so nobody finds it who does not stand in it. */
export interface Aside {
  readonly root: string;
  /** Gives it its name back. @throws {EntireError} `WRITE_FAILED` that says where it lies */
  putBack(): void;
}

/** The name that a worktree's folder has while it is removed. */
export const asideOf = (root: string, id: string): string => `${root}.removing-${id}`;

/**
 * Renames the folder of a worktree that is about to go: what somebody writes by its path from now on fails where they see it, and is not
 * deleted behind their back.
 *
 * @returns `undefined` where it cannot be renamed: the removal works in place then
 */
export function setAside({ root, gitDir }: Worktree, aside: string): Aside | undefined {
  const link = join(gitDir, 'gitdir');
  const before = disk.readFileSync(link);
  try {
    disk.renameSync(root, aside);
  } catch {
    return undefined; // a mount, or a folder above that is not ours to write
  }
  const putBack = (): void => {
    rename(aside, root);
    // Git that somebody ran in it meanwhile may have noted the other name.
    if (!disk.readFileSync(link).equals(before)) disk.writeFileSync(link, before);
  };
  return { root: aside, putBack };
}

function rename(aside: string, root: string): void {
  try {
    disk.renameSync(aside, root);
  } catch (error) {
    throw new EntireError('WRITE_FAILED', `the worktree lies in ${aside} now: ${describeError(error)}`, {
      hint: `Move away what stands at ${root}, then run the command again.`,
      cause: error,
    });
  }
}

/**
 * Gives a worktree its folder back that was set aside by a removal which was killed.
 *
 * @returns whether there was one
 * @throws {EntireError} `WRITE_FAILED` that says where it lies
 */
export function bringBack({ root, gitDir, isMissing }: Worktree, aside: string): boolean {
  const isOurs =
    isMissing && lstatIfExists(aside)?.isDirectory() === true && locateRepo(aside)?.gitDir === gitDir;
  if (isOurs) rename(aside, root);
  return isOurs;
}
