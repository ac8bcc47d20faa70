import type { ObjectId, SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isSameEntry, readTree, type TreeEntry } from '../../git/object/objects.ts';
import { readUserLines } from '../../session/record/user-lines.ts';
import { renderState, type SessionState } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { dropStaging } from '../../snapshot/operation.ts';
import { storeOf } from '../../snapshot/place.ts';
import { importIfThere } from '../../snapshot/record/import-state.ts';
import {
  listRecordIds,
  newRecord,
  newRecordId,
  readRecordIfSound,
  removeRecord,
  writeRecord,
} from '../../snapshot/record/record.ts';
import {
  type PathChange,
  parseRecord,
  renderRecord,
  type SnapshotRecord,
} from '../../snapshot/record/snapshot-record.ts';
import type { FileState } from '../../snapshot/store/file-state.ts';
import type { Work } from '../../strategy/work.ts';
import { rollBackState } from '../rollback.ts';
import { isNoteOf, type OtherMore, parseMore, toStoredMore } from './note.ts';
import type { AlongPreview, RewindPreview } from './preview.ts';
import { pathsOf } from './steps.ts';
import { filesOf, turnsOf } from './together.ts';

/** What going back changes in the sessions that go along. Changes nothing. */
export const describeOthers = (work: Work, preview: RewindPreview, head: ObjectId): OtherMore[] =>
  preview.along.map((one) => {
    const { commonDir, worktreeId } = work.repo;
    const known = readStateIfReadable(work.sessions, one.sessionId);
    const state = known?.worktreeId === worktreeId ? known : undefined; // of a visitor only the files are here
    const after = state && rollBack(work, preview, one, state, head);
    const store = storeOf(work.repo, one.sessionId);
    const own = storeOf(work.repo, preview.sessionId);
    const id = newRecordId(listRecordIds(store).at(-1));
    const record = describeUndone(one, id, preview.sessionId, (path) => {
      const state = preview.corrected.get(path)?.state;
      return state && importIfThere(own, store, state);
    });
    return {
      sessionId: one.sessionId,
      state: { before: state ? renderState(state) : '', after: after ? renderState(after) : '' },
      userLines: state && readUserLines(commonDir, one.sessionId, state.attributionBaseCommit),
      files: filesOf(one),
      record: { id: record.id, value: renderRecord(record) },
    };
  });

/** Its turns of since then are taken back, as its own store knows them. */
function describeUndone(
  one: AlongPreview,
  id: string,
  within: string,
  stands: (path: RepoPath) => FileState | undefined,
): SnapshotRecord {
  const stays = new Set(one.left);
  const files = new Map<RepoPath, PathChange>();
  for (const record of one.records)
    for (const [path, { before, after }] of record.files) {
      if (stays.has(path)) continue;
      const was = files.has(path) ? files.get(path)?.after : before;
      if (was) files.set(path, { before: after, after: was, source: 'tool' }); // we did it, whoever found the change
    }
  // Such as a file that it took away, and that was not there at that point; or somebody else took it away since.
  const changed = new Set(one.files);
  for (const [path, { before, source }] of files) {
    const state = changed.has(path) ? undefined : (stands(path) ?? before);
    if (state) files.set(path, { before: state, after: state, source });
  }
  const left = new Map(one.left.map((path) => [path, 'it stayed when its session went back'] as const));
  const of = turnsOf(one).reverse();
  return newRecord({ id, kind: 'undo', of, files, left, within });
}

/**
 * Another session knows from here on that some of its turns were taken back: after all that it did since, where it is done again.
 *
 * @returns what is noted, with the id that it has now
 */
export function noteUndone({ repo }: Work, own: SessionId, other: OtherMore): OtherMore {
  const { id, value } = other.record;
  const store = storeOf(repo, other.sessionId);
  dropStaging(store); // of one that was killed at this
  const record = parseRecord(id, value);
  dropNotes(store, own, other);
  const newest = listRecordIds(store).at(-1) ?? '';
  const last = newest > id ? newRecordId(newest) : id;
  writeRecord(store, { ...record, id: last }, { fsync: true });
  return { ...other, record: { id: last, value } };
}

/** Nothing of another session is taken back any more. @param store of that session */
export function dropNotes(store: string, own: SessionId, other: OtherMore): void {
  const isNoted = isNoteOf(own, other);
  for (const id of listRecordIds(store)) {
    const record = id >= other.record.id ? readRecordIfSound(store, id) : undefined;
    if (record && isNoted(record)) removeRecord(store, id);
  }
}

/**
 * What a rewind is about to note, where some paths could not be changed after all: no turn of another session counts as taken back in
 * those.
 */
export function withoutLeft(note: unknown, left: ReadonlyMap<RepoPath, string>): unknown {
  const more = left.size > 0 ? parseMore(note) : undefined;
  if (!more || more.others.length === 0) return note;
  const others = more.others.map((other): OtherMore => {
    const record = parseRecord(other.record.id, other.record.value);
    const late = [...left].filter(([path]) => record.files.has(path));
    const files = new Map([...record.files].filter(([path]) => !left.has(path)));
    const value = renderRecord({ ...record, files, left: new Map([...record.left, ...late]) });
    return { ...other, record: { id: record.id, value } };
  });
  return toStoredMore({ ...more, others });
}

/** Without its later steps, and with the files that it has still. */
function rollBack(
  work: Work,
  { cut, corrected }: RewindPreview,
  { sessionId, records, before, left }: AlongPreview,
  state: SessionState,
  head: ObjectId,
): SessionState {
  const since = new Set(records.flatMap(({ files }) => [...files.keys()]));
  const inHead = readTree(work.git, head, [...since]) ?? new Map<string, TreeEntry>();
  const had = new Set([...before, ...pathsOf(cut.kept, sessionId)]);
  const isStill = (path: RepoPath): boolean =>
    !since.has(path) ||
    left.includes(path) ||
    (had.has(path) && !isSameEntry(corrected.get(path)?.entry, inHead.get(path)));
  const steps = cut.later.filter(({ step }) => step.sessionId === sessionId && !step.isTask).length;
  const files = state.filesTouched.filter(isStill);
  return {
    ...rollBackState(state, { steps, usage: undefined, files }),
    lastInteractionTime: state.lastInteractionTime, // nobody heard of it now
  };
}
