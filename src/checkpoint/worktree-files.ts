import { join } from 'node:path';
import { disk } from '../base/disk.ts';
import type { ObjectId } from '../base/ids.ts';
import { blobId, type Change, type FileMode, hashFiles, type TreeEntry } from '../git/objects.ts';
import type { Git } from '../git/run.ts';

/**
 * Turns worktree paths into changes of a tree, leaving out those that the tree already has. Links are stored as
 * links; what is neither file nor link (a nested repository, a socket) is left as the tree has it; what is gone
 * is removed.
 *
 * `like` is any id of the repository.
 */
export function readWorktreeChanges(
  git: Git,
  paths: readonly string[],
  tree: ReadonlyMap<string, TreeEntry>,
  like: ObjectId,
): Change[] {
  const changes: Change[] = [];
  const files: Array<{ path: string; mode: FileMode }> = [];
  for (const path of paths) {
    const full = join(git.cwd, path);
    const stat = disk.lstatSync(full, { throwIfNoEntry: false });
    if (stat === undefined) changes.push({ path, removed: true });
    else if (stat.isSymbolicLink())
      changes.push({ path, mode: '120000', data: disk.readlinkSync(full, 'buffer') });
    else if (stat.isFile()) files.push({ path, mode: stat.mode & 0o111 ? '100755' : '100644' });
  }
  const ids = hashFiles(
    git,
    files.map(({ path }) => path),
  );
  changes.push(...files.map(({ path, mode }, index) => ({ path, mode, oid: ids[index] as ObjectId })));
  return changes.filter((change) => !isAlready(change, tree.get(change.path), like));
}

/** Whether a tree entry is what the change would make it. */
export function isAlready(change: Change, entry: TreeEntry | undefined, like: ObjectId): boolean {
  if ('removed' in change) return entry === undefined;
  const oid = 'oid' in change ? change.oid : blobId(change.data, like);
  return entry?.oid === oid && entry.mode === change.mode;
}
