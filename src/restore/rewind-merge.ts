import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { isInfrastructurePath, type RepoPath } from '../base/repo-path.ts';
import { importState } from '../snapshot/import-state.ts';
import type { Place } from '../snapshot/place.ts';
import { type SnapshotRecord, statesOf } from '../snapshot/record.ts';
import { takeOut } from '../snapshot/take-out.ts';
import type { Work } from '../strategy/work.ts';
import { type Target, toTarget } from './rewind-records.ts';
import type { Along } from './rewind-together.ts';
import { placeOf } from './step-back.ts';

/** What is known of the session that goes back. */
export interface Own {
  /** Its records since the step, oldest first; `undefined` where it is not known which those are. */
  readonly since: readonly SnapshotRecord[] | undefined;
  /** Files for which the step says what they were. */
  readonly files: ReadonlySet<RepoPath>;
  /** Files that a later step has, or that wait for one: also where no record names them. */
  readonly later: ReadonlySet<RepoPath>;
}

/** What going back comes to where what all sessions did since is taken out of the files as they now are. */
export interface TakenTogether {
  /** What a path becomes, apart from what the step says. */
  readonly targets: ReadonlyMap<RepoPath, Target>;
  /** Paths that stay, and why. */
  readonly left: ReadonlyMap<RepoPath, string>;
  /** Paths that keep lines which no session wrote. */
  readonly merged: readonly RepoPath[];
  /** Paths of which every change since the step is a session's. */
  readonly isAllKnown: ReadonlySet<RepoPath>;
  /** Own files that no session wrote since the step: they are as somebody made them, and stay. */
  readonly untouched: ReadonlySet<RepoPath>;
}

export const NOT_TOGETHER: TakenTogether = {
  ...{ targets: new Map(), left: new Map(), merged: [], isAllKnown: new Set(), untouched: new Set() },
};

/** Takes the records since a step out of the files, those of sessions that go back along among them. Keeps contents, changes no file. */
export function takeTogether(
  { git, repo }: Work,
  place: Place,
  own: Own,
  along: readonly Along[],
  like: ObjectId,
): TakenTogether {
  const targets = new Map<RepoPath, Target>();
  const left = new Map<RepoPath, string>();
  const merged: RepoPath[] = [];
  const isAllKnown = new Set<RepoPath>();
  const theirs = along.flatMap(({ sessionId, records }) =>
    records.map((record) => bringAlong(placeOf(repo, sessionId).store, place.store, record, left)),
  );
  const mine = (own.since ?? []).map((record) => withoutOurs(record));
  const all = [
    ...mine.map((record) => ({ record, isSure: true })),
    ...theirs.map((record) => ({ record, isSure: false })),
  ].sort((a, b) => (a.record.id < b.record.id ? 1 : -1));
  const taken = takeOut(place, git, all);
  for (const [path, { verdict, to, why, isContradicted }] of taken) {
    if (left.has(path)) continue;
    const isOwn = own.files.has(path);
    if (verdict === 'restored' || verdict === 'already') isAllKnown.add(path);
    if (verdict === 'merged') merged.push(path);
    const isGone = to.kind === 'missing' && verdict === 'left';
    if (verdict === 'left') {
      // What an own file was, the step knows as well; and there is nobody's line in a file that is gone.
      if (!isOwn || (isContradicted && !isGone)) left.set(path, why);
    } else if (!isOwn || verdict !== 'restored') {
      // What is there already may be what an earlier rewind made, with lines that no step has.
      const target = toTarget(place.store, to, like);
      if (target) targets.set(path, target);
      else left.set(path, 'its content was not kept');
    }
  }
  const isTouched = (path: RepoPath): boolean => taken.has(path) || left.has(path) || own.later.has(path);
  const untouched = new Set(own.since ? [...own.files].filter((path) => !isTouched(path)) : []);
  return { targets, left, merged: merged.sort(), isAllKnown, untouched };
}

/** A record of another session, with what is kept of it beside our own. What is gone there is left. */
function bringAlong(
  from: string,
  to: string,
  record: SnapshotRecord,
  left: Map<RepoPath, string>,
): SnapshotRecord {
  const files = [...record.files].filter(([path, change]) => {
    if (isInfrastructurePath(path)) return false;
    try {
      for (const state of statesOf(change)) importState(from, to, state);
      return true;
    } catch (error) {
      left.set(path, describeError(error));
      return false;
    }
  });
  return { ...record, files: new Map(files) };
}

const withoutOurs = (record: SnapshotRecord): SnapshotRecord => ({
  ...record,
  files: new Map([...record.files].filter(([path]) => !isInfrastructurePath(path))),
});
