import type { ObjectId } from '../../base/ids.ts';
import { type Git, runGit } from '../run.ts';

/**
 * Files of one commit that have another name in a later one, as git sees that by their contents: new names by old ones.
 *
 * @see https://git-scm.com/docs/git-diff-tree#Documentation/git-diff-tree.txt--M
 */
export function readRenames(git: Git, from: ObjectId, to: ObjectId): Map<string, string> {
  const args = ['diff-tree', '-r', '-M', '--name-status', '-z', '--diff-filter=R', from, to];
  const fields = runGit(git, args).stdout.toString('utf8').split('\0');
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) found.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
  return found;
}
