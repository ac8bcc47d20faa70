import { describeError } from '../../base/errors.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import { isInfrastructurePath, type RepoPath } from '../../base/repo-path.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { type Place, storeOf } from '../../snapshot/place.ts';
import { importState } from '../../snapshot/record/import-state.ts';
import { withoutFiles } from '../../snapshot/record/record.ts';
import { partsOf, type SnapshotRecord, statesOf } from '../../snapshot/record/snapshot-record.ts';
import { readBlob } from '../../snapshot/store/chunks.ts';
import type { FileState } from '../../snapshot/store/file-state.ts';
import { takeOut } from '../../snapshot/undo/take-out.ts';
import { isBinary } from '../../strategy/attribution/texts.ts';
import { blobTextReader } from '../../strategy/commit/blob-text.ts';
import type { Work } from '../../strategy/work.ts';
import { type Target, toTarget } from './records.ts';
import type { Along } from './together.ts';

/** What is known of the session that goes back. */
export interface Own {
  readonly sessionId: SessionId;
  /** Its records since the step, oldest first; `undefined` where it is not known which those are. */
  readonly since: readonly SnapshotRecord[] | undefined;
  /** Files that any of its records names. */
  readonly named: ReadonlySet<RepoPath>;
  /** Files for which the step says what they were. */
  readonly files: ReadonlySet<RepoPath>;
  /** Files that a later step has, or that wait for one: also where no record names them. */
  readonly later: ReadonlySet<RepoPath>;
  /** Files of which the first record tells what a turn without one had made: only the step says what they were. */
  readonly hidden: ReadonlySet<RepoPath>;
  /** Whether a content has lines that neither the step nor HEAD has. */
  readonly hasMore: (path: RepoPath, target: Target) => boolean;
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
  const mine = (own.since ?? []).map((record) => withoutFiles(record, isInfrastructurePath));
  // What an earlier rewind of this session did to a file of both is in the records of both, and happened once.
  const rewound = new Set(mine.flatMap(({ kind, files }) => (kind === 'rewind' ? [...files.keys()] : [])));
  const theirs = along.flatMap(({ sessionId, records }) =>
    records
      .map((record) =>
        record.within === own.sessionId ? withoutFiles(record, (path) => rewound.has(path)) : record,
      )
      .map((record) => bringAlong(storeOf(repo, sessionId), place.store, record, left)),
  );
  const all = [
    ...mine.map((record) => ({ record, isSure: true })),
    ...theirs.map((record) => ({ record, isSure: false })),
  ].sort((a, b) => (a.record.id < b.record.id ? 1 : -1));
  const taken = takeOut(place, git, all);
  const ofOthers = new Set(theirs.flatMap(({ files }) => [...files.keys()]));
  const isKnownBefore = (path: RepoPath): boolean => {
    const first = all.findLast(({ record }) => record.files.has(path))?.record.files.get(path);
    return own.since !== undefined && first !== undefined && partsOf(first)[0]?.isDoubtful !== true;
  };
  for (const [path, { verdict, to, why, isContradicted }] of taken) {
    if (left.has(path)) continue;
    const isOwn = own.files.has(path);
    if (isOwn && own.hidden.has(path)) continue;
    if (own.since === undefined && !isOwn && own.named.has(path)) {
      left.set(path, 'what its session did to it since that point is not on record');
      continue;
    }
    if (verdict === 'restored' || verdict === 'already') isAllKnown.add(path);
    if (verdict === 'merged') merged.push(path);
    const isGone = to.kind === 'missing' && verdict === 'left';
    if (verdict === 'left') {
      // What an own file was, the step knows as well; and there is nobody's line in a file that is gone.
      if (!isOwn || (isContradicted && !isGone)) left.set(path, why);
    } else {
      const target = toTarget(place.store, to, like);
      // What was there before the first record also has what somebody wrote after the step, and nothing of another session's.
      const isBetter = (): boolean =>
        isKnownBefore(path) && (ofOthers.has(path) || (target !== undefined && own.hasMore(path, target)));
      // What is there already may be what an earlier rewind made, with lines that no step has.
      if (isOwn && verdict === 'restored' && !isBetter()) continue;
      if (target) targets.set(path, target);
      else left.set(path, 'its content was not kept');
    }
  }
  const isTouched = (path: RepoPath): boolean => taken.has(path) || left.has(path) || own.later.has(path);
  const untouched = new Set([...own.files].filter((path) => !isTouched(path)));
  return { targets, left, merged: merged.sort(), isAllKnown, untouched };
}

/**
 * A judge of contents: whether one has lines that are not at its path in any of some trees. What is no text has more as soon as it is
 * another one.
 *
 * @param kept contents of the first tree that git may not have: they are in the store
 */
export function comparing(
  git: Git,
  store: string,
  trees: ReadonlyArray<ReadonlyMap<string, TreeEntry>>,
  kept: ReadonlyMap<RepoPath, Target>,
): Own['hasMore'] {
  const read = blobTextReader(git);
  const linesOf = (text: string): string[] => text.split(/\r?\n/);
  return (path, { state, entry }) => {
    if (!entry) return false;
    const entries = trees.map((tree) => tree.get(path));
    if (entries.some((known) => known?.oid === entry.oid)) return false;
    const stored = kept.get(path);
    const texts = entries.map((known, at) =>
      at === 0 && stored ? textOf(store, stored.state) : known ? read(known) : '',
    );
    const text = textOf(store, state);
    if (text === undefined || texts.includes(undefined)) return true;
    const known = new Set(texts.flatMap((one) => linesOf(one ?? '')));
    return linesOf(text).some((line) => !known.has(line));
  };
}

/** `undefined` where it is no text, or cannot be read. */
function textOf(store: string, state: FileState): string | undefined {
  if (state.kind === 'missing') return '';
  if (state.kind !== 'file') return undefined;
  try {
    const bytes = readBlob(store, state.sha256);
    return isBinary(bytes) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
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
