import { join } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk, lstatInWorktree } from '../base/file/disk.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { releaseMemory, spareMemory } from '../base/memory.ts';
import { hashFiles } from '../git/object/blobs.ts';
import { blobId, type Change, type FileMode, type TreeEntry } from '../git/object/objects.ts';
import { byHalves, type Git } from '../git/run.ts';

/** How much of the worktree is stored at once, in bytes. */
export interface Budget {
  readonly ofOneFile: number;
  readonly bytes: number;
}

const NO_LIMIT: Budget = { ofOneFile: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Looking at so many files makes garbage enough to be taken away at once: a hook has little memory. */
const SPARED_FILES = 10_000;

/**
 * Turns worktree paths into changes of a tree, leaving out those that the tree already has. Links are stored as
 * links; what is neither file nor link (a nested repository, a socket) is left as the tree has it; what is gone
 * is removed. Files that could not be read, or for which git failed, are told to `onLeftOut`, and so is what is beyond `budget`.
 *
 * `like` is any id of the repository.
 */
export function readWorktreeChanges(
  git: Git,
  paths: readonly string[],
  tree: ReadonlyMap<string, TreeEntry>,
  like: ObjectId,
  onLeftOut: (path: string) => void = () => {},
  budget: Budget = NO_LIMIT,
): Change[] {
  const changes: Change[] = [];
  let left = budget.bytes;
  const files: Array<{ path: string; mode: FileMode }> = [];
  for (const [at, path] of paths.entries()) {
    spareMemory(at, SPARED_FILES);
    const full = join(git.cwd, path);
    const stat = lstatInWorktree(git.cwd, path);
    if (stat === undefined) changes.push({ path, removed: true });
    else if (stat.isSymbolicLink())
      changes.push({ path, mode: '120000', data: disk.readlinkSync(full, 'buffer') });
    else if (stat.isFile()) {
      if (stat.size > Math.min(budget.ofOneFile, left)) {
        log('warn', 'file too large for the step', { file: path, bytes: stat.size });
        onLeftOut(path);
        continue;
      }
      left -= stat.size;
      files.push({ path, mode: stat.mode & 0o111 ? '100755' : '100644' });
    }
  }
  releaseMemory(paths.length);
  const hashed = hashReadable(git, files, onLeftOut);
  return [...changes, ...hashed].filter((change) => !isAlready(change, tree.get(change.path), like));
}

/** All files with one process; when that fails, without those that cannot be read. */
const hashReadable = (
  git: Git,
  files: ReadonlyArray<{ path: string; mode: FileMode }>,
  onLeftOut: (path: string) => void,
): readonly Change[] =>
  byHalves(
    files,
    (some): Change[] => {
      const ids = hashFiles(
        git,
        some.map(({ path }) => path),
      );
      return some.map(({ path, mode }, at) => ({ path, mode, oid: ids[at] as ObjectId }));
    },
    ({ path }, error) => {
      log('warn', 'file left out of the step', { file: path, error: describeError(error) });
      onLeftOut(path);
      return [];
    },
  );

/** Whether a tree entry is what the change would make it. */
export function isAlready(change: Change, entry: TreeEntry | undefined, like: ObjectId): boolean {
  if ('removed' in change) return entry === undefined;
  const oid = 'oid' in change ? change.oid : blobId(change.data, like);
  return entry?.oid === oid && entry.mode === change.mode;
}
