import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readChanges } from '../git/commits.ts';
import type { Git } from '../git/run.ts';
import { listRecordIds, readRecord } from '../snapshot/record.ts';
import type { ChangedStep } from './rewind-steps.ts';

/** Steps have whole seconds, and the record of a turn is made about when its step is. */
const SLACK_MS = 2_000;

/**
 * What a session wrote in its first step. That also holds what was different before the session, so that only paths count
 * which the records of its turns name; without records it is not known, and none.
 *
 * @param store where the records are
 */
export function pathsOfFirst(
  git: Git,
  store: string,
  head: ObjectId,
  { step: { commit }, changes }: ChangedStep,
): RepoPath[] {
  const held = commit.parents.length > 0 ? changes : readChanges(git, head, commit.oid);
  const since = Date.parse(commit.committedAt) - SLACK_MS;
  const recorded = new Set(
    listRecordIds(store)
      .filter((id) => Number(id.slice(0, 13)) >= since)
      .flatMap((id) => pathsOfTurn(store, id)),
  );
  return [...held.keys()].filter((path) => recorded.has(path));
}

function pathsOfTurn(store: string, id: string): RepoPath[] {
  try {
    const { kind, files } = readRecord(store, id);
    return kind === 'turn' ? [...files.keys()] : [];
  } catch (error) {
    log('warn', 'record of a turn passed over', { store, id, error: describeError(error) });
    return [];
  }
}
