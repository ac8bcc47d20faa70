import { EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { abortOperation, type Conclude, finishOperation, readJournal } from '../snapshot/operation.ts';
import { placeOf } from '../snapshot/place.ts';
import { readRecordIfSound } from '../snapshot/record/record.ts';
import type { PathChange, SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { alsoConcerned, settleInHand } from './in-hand.ts';
import { keepingLocks, puttingBack, withLocks } from './putting-back.ts';

/** What came of an operation that was interrupted. */
export interface Recovered {
  readonly record: SnapshotRecord;
  readonly left: ReadonlyMap<RepoPath, string>;
}

/**
 * Finishes an operation that a killed process left, or takes it back.
 *
 * @throws {EntireError} `NOTHING_TO_UNDO` when there is none
 */
export async function recover(
  repo: Repo,
  id: SessionId,
  how: 'continue' | 'abort',
  conclude: (work: Work) => Conclude,
): Promise<Recovered> {
  const work = workIn(repo);
  const place = placeOf(repo, id);
  return puttingBack(work, id, async (report) => {
    const record = readJournal(place.store);
    if (!record)
      throw new EntireError('NOTHING_TO_UNDO', 'no undo, redo or rewind is waiting to be finished.');
    const steps = record.of.flatMap((one) => readRecordIfSound(place.store, one) ?? []);
    return withLocks(work, alsoConcerned(work, [record, ...steps], id), async () => {
      if (how === 'abort') {
        const onDone = (left: ReadonlyMap<RepoPath, string>): void => {
          const files = asBefore(record.files, left);
          report(files);
          // It may have been killed behind the point where the sessions' work was settled.
          if (record.kind !== 'rewind')
            settleInHand(work, id, steps, { ...record, files, already: [] }, true);
        };
        const aborting = { conclude: conclude(work), onDone, onProgress: keepingLocks() };
        const left = abortOperation(place, record, aborting);
        return { record, left };
      }
      const finished = finishOperation(place, record, {
        conclude: conclude(work),
        onDone: (done) => {
          report(done.files);
          if (done.kind !== 'rewind') settleInHand(work, id, steps, done);
        },
        onProgress: keepingLocks(),
      });
      return { record: finished, left: finished.left };
    });
  });
}

/** What was replaced is there again. */
const asBefore = (
  files: ReadonlyMap<RepoPath, PathChange>,
  left: ReadonlyMap<RepoPath, string>,
): Map<RepoPath, PathChange> =>
  new Map(
    [...files].flatMap(([path, change]) =>
      change.before && !left.has(path) ? [[path, { ...change, after: change.before }] as const] : [],
    ),
  );
