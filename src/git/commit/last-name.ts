import type { ObjectId } from '../../base/ids.ts';
import { type Git, gitText } from '../run.ts';
import { readRenames } from './commits.ts';

/** What became of a file that is not in a commit any more. */
export interface LastName {
  /** Which took away the name that was asked for. */
  readonly commit: ObjectId;
  /** What it is called now; `undefined` where it was deleted. */
  readonly name: string | undefined;
}

/** A file that is renamed more often than this is not followed further. */
const MOST = 20;

/**
 * Follows a file that a commit has no more, by its renames.
 *
 * @returns `undefined` where no commit before it took such a file away
 */
export function findLastName(git: Git, revision: string, path: string): LastName | undefined {
  let first: ObjectId | undefined;
  let name = path;
  for (let at = 0; at < MOST; at++) {
    const search = ['log', '-1', '--format=%H', '--diff-filter=D', '--no-renames', revision, '--', name];
    const commit = gitText(git, search).trim() as ObjectId;
    if (commit === '') break;
    first ??= commit;
    const renamed = readRenames(git, `${commit}^` as ObjectId, commit).get(name);
    if (renamed === undefined) return { commit: first, name: undefined };
    name = renamed;
    if (isIn(git, revision, name)) break;
  }
  return first && { commit: first, name };
}

const isIn = (git: Git, revision: string, path: string): boolean =>
  gitText(git, ['ls-tree', '--name-only', '-z', '--full-tree', revision, '--', path]) !== '';
