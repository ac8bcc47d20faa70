import type { ObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readChanges } from '../../git/commit/commits.ts';
import type { Git } from '../../git/run.ts';
import { recordMs } from '../../snapshot/record/record.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { listMarks } from '../../snapshot/record/step-marks.ts';
import type { ChangedStep } from './steps.ts';

/** Where a step is not marked: it has whole seconds, and the record of a turn is made about when its step is. */
const SLACK_MS = 2_000;

/**
 * What a session wrote in its first step. That also holds what was different before the session, so that only paths count
 * which the records of its turns name; without records it is not known, and none.
 *
 * @param store of the session
 * @param records of the session
 * @throws the system error
 */
export function pathsOfFirst(
  git: Git,
  store: string,
  records: readonly SnapshotRecord[],
  head: ObjectId,
  { step: { commit }, changes }: ChangedStep,
): RepoPath[] {
  const held = commit.parents.length > 0 ? changes : readChanges(git, head, commit.oid);
  const marks = listMarks(store);
  let at = marks.findIndex(({ step }) => step === commit.oid);
  while (marks[at]?.old !== undefined) at--; // its other names
  const older = marks[at - 1]?.last;
  const sinceMs = Date.parse(commit.committedAt) - SLACK_MS;
  const isSince = ({ id }: SnapshotRecord): boolean =>
    at > 0 && older !== undefined ? id > older : recordMs(id) >= sinceMs;
  const recorded = new Set(
    records
      .filter((record) => record.kind === 'turn' && isSince(record))
      .flatMap(({ files }) => [...files.keys()]),
  );
  return [...held.keys()].filter((path) => recorded.has(path));
}
