import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { newId } from '../../base/ids.ts';
import { byHalves, type Git, runGit } from '../run.ts';
import { withPrivateIndex } from './private-index.ts';

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
  if (files.length === 0) return new Map();
  disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // One bad filter keeps git from all of them.
  return new Map(
    byHalves(
      files,
      (some) => writeAll(git, folder, some),
      ({ path }, error) => [[path, describeError(error)]],
    ),
  );
}

/** @throws where git could not write one of them */
function writeAll(git: Git, folder: string, files: readonly CheckedOut[]): [] {
  const index = `${folder}/index-${newId()}`;
  const input = files.map(({ path, oid, mode }) => `${mode} ${oid}\t${path}\0`).join('');
  try {
    runGit(withPrivateIndex(git, index), ['update-index', '-z', '--index-info'], { input });
    const how = ['--all', '--force', '--quiet', `--prefix=${folder}/`];
    runGit(withPrivateIndex(git, index), ['checkout-index', ...how]);
    return [];
  } finally {
    disk.rmSync(index, { force: true });
  }
}
