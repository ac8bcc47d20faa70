import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { newId, type ObjectId } from '../../base/ids.ts';
import { type Git, gitText, runGit } from '../run.ts';
import { withPrivateIndex } from '../worktree/private-index.ts';

/** A file whose blob exists, or one that goes. */
export type BulkChange =
  | { readonly path: string; readonly mode: string; readonly oid: ObjectId }
  | { readonly path: string; readonly removed: true };

/**
 * The tree that many changes make of `base`, through an index that nobody else sees. fast-import searches a folder from
 * its beginning for each name, which takes minutes for a folder of a hundred thousand; an index is sorted.
 */
export function writeBulkTree(
  git: Git,
  base: ObjectId | undefined,
  changes: readonly BulkChange[],
): ObjectId {
  const file = join(tmpdir(), `entire-index-${newId()}`);
  try {
    if (base) runGit(withPrivateIndex(git, file), ['read-tree', base]);
    const like = base ?? changes.flatMap((change) => ('oid' in change ? change.oid : []))[0];
    const nothing = '0'.repeat(like?.length ?? 40);
    const lines = changes.map((change) => {
      const entry = 'oid' in change ? `${change.mode} ${change.oid}` : `0 ${nothing}`;
      return `${entry}\t${change.path}\0`;
    });
    const input = lines.join('');
    runGit(withPrivateIndex(git, file), ['update-index', '-z', '--replace', '--index-info'], { input });
    return gitText(withPrivateIndex(git, file), ['write-tree']) as ObjectId;
  } finally {
    disk.rmSync(file, { force: true });
    disk.rmSync(`${file}.lock`, { force: true });
  }
}
