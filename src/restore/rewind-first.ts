import type { ObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readChanges } from '../git/commits.ts';
import type { Git } from '../git/run.ts';
import { recordMs, type SnapshotRecord } from '../snapshot/record.ts';
import type { ChangedStep } from './rewind-steps.ts';

/** Steps have whole seconds, and the record of a turn is made about when its step is. */
const SLACK_MS = 2_000;

/**
 * What a session wrote in its first step. That also holds what was different before the session, so that only paths count
 * which the records of its turns name; without records it is not known, and none.
 *
 * @param records of the session
 */
export function pathsOfFirst(
  git: Git,
  records: readonly SnapshotRecord[],
  head: ObjectId,
  { step: { commit }, changes }: ChangedStep,
): RepoPath[] {
  const held = commit.parents.length > 0 ? changes : readChanges(git, head, commit.oid);
  const since = Date.parse(commit.committedAt) - SLACK_MS;
  const recorded = new Set(
    records
      .filter(({ id, kind }) => kind === 'turn' && recordMs(id) >= since)
      .flatMap(({ files }) => [...files.keys()]),
  );
  return [...held.keys()].filter((path) => recorded.has(path));
}
