import type { SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import { readTree, type TreeEntry } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import type { Work } from '../work.ts';

/** What the commit before the one that is judged has at paths. One process, where some of them are none that it changes. */
export type ReadBefore = (paths: readonly RepoPath[]) => (path: RepoPath) => TreeEntry | undefined;

/** @param changes what is staged, or what HEAD changed: everything else is there as HEAD has it */
export const beforeReader =
  (git: Git, changes: PathChanges): ReadBefore =>
  (paths) => {
    const rest = paths.filter((path) => !changes.has(path));
    const head = rest.length > 0 ? readTree(git, 'HEAD', rest) : undefined;
    return (path) => (changes.has(path) ? changes.get(path)?.before : head?.get(path));
  };

/**
 * Where that has no file, what was there when the work of a session began that waits now: since then somebody may have given it another name
 * as it was, and taken the work back.
 */
export const orAtStart =
  ({ git, sessions }: Pick<Work, 'git' | 'sessions'>, id: SessionId, read: ReadBefore): ReadBefore =>
  (paths) => {
    const entryOf = read(paths);
    const rest = paths.filter((path) => !entryOf(path));
    const start = rest.length > 0 ? readStateIfReadable(sessions, id)?.attributionBaseCommit : undefined;
    const old = start ? readTree(git, start, rest) : undefined;
    return (path) => entryOf(path) ?? old?.get(path);
  };
