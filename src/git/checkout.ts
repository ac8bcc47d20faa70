import { disk } from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Git, runGit, withPrivateIndex } from './run.ts';

/** A file as a tree names it. */
export interface CheckedOut {
  /** Relative to the worktree: `.gitattributes` goes by it. */
  readonly path: string;
  readonly oid: string;
  /** `100644`, `100755` or `120000`. */
  readonly mode: string;
}

/**
 * Writes files as git would check them out (line ends, `ident`, filters such as LFS) below a folder of ours, with an index of
 * its own: the worktree and the user's index are not touched.
 *
 * @param folder absolute; made where it is missing
 * @returns paths that git could not write, and why
 */
export function checkOutInto(git: Git, folder: string, files: readonly CheckedOut[]): Map<string, string> {
  const failed = new Map<string, string>();
  if (files.length === 0) return failed;
  disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const index = `${folder}/index-${newId()}`;
  const input = files.map(({ path, oid, mode }) => `${mode} ${oid}\t${path}\0`).join('');
  try {
    runGit(withPrivateIndex(git, index), ['update-index', '-z', '--index-info'], { input });
    const how = ['--all', '--force', '--quiet', `--prefix=${folder}/`];
    runGit(withPrivateIndex(git, index), ['checkout-index', ...how]);
  } catch (error) {
    const [first] = files;
    if (files.length === 1 && first) return failed.set(first.path, describeError(error));
    // One bad filter keeps git from all of them.
    for (const file of files)
      for (const [path, why] of checkOutInto(git, folder, [file])) failed.set(path, why);
  } finally {
    disk.rmSync(index, { force: true });
  }
  return failed;
}
