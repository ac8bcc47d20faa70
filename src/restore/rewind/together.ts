import { describeError, EntireError } from '../../base/errors.ts';
import { isChangedAfter } from '../../base/file/change-time.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { isInfrastructurePath, type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { hasJournal } from '../../snapshot/operation.ts';
import { storeOf } from '../../snapshot/place.ts';
import { listRecordIds, recordMs, withoutFiles } from '../../snapshot/record/record.ts';
import { isUnclaimed, type SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { listMarks } from '../../snapshot/record/step-marks.ts';
import { listStoresOf } from '../../snapshot/store/collect.ts';
import { readOpenEdits } from '../../snapshot/turn/ledger.ts';
import { keepOpenTurn, peekOpenTurn } from '../../strategy/turn/keep.ts';
import type { Work } from '../../strategy/work.ts';
import { isAtWork } from '../at-work.ts';
import type { StepPoint } from '../points.ts';
import { readRecords } from './records.ts';

/** Another session, and what it did behind a point. */
export interface Along {
  readonly sessionId: SessionId;
  /** Oldest first. */
  readonly records: readonly SnapshotRecord[];
  /** Paths that it had written before, as far as that is known. */
  readonly before: ReadonlySet<RepoPath>;
}

/** What other sessions did behind a point. */
export interface Together {
  /** Sessions that do not run: what they did goes back along. */
  readonly along: readonly Along[];
  /** Files of the others, which stay, and whose they are. */
  readonly stays: ReadonlyMap<RepoPath, SessionId>;
  /** Sessions that do not run and did nothing since: what is noted for their next commit they wrote before. */
  readonly quiet: ReadonlySet<string>;
}

/** Other sessions that have something kept for this worktree and do not run: those whose work may go back along. */
export const listIdle = (work: Work, own: SessionId): SessionId[] =>
  listStoresOf(work.repo)
    .flatMap(({ id, store }) => (id === own || hasJournal(store) || isAtWork(work, id) ? [] : id))
    .sort();

/**
 * Looks for what other sessions did since a step was saved.
 *
 * @param idle sessions that may go back along
 * @param isKept turns of theirs that had no end become records: only under their locks
 */
export async function findTogether(
  work: Work,
  point: StepPoint,
  own: SessionId,
  idle: readonly SessionId[],
  isKept: boolean,
): Promise<Together> {
  const sinceMs = timeOf(work, point, own);
  const along: Along[] = [];
  const stays = new Map<RepoPath, SessionId>();
  const quiet = new Set<string>();
  for (const { id, store } of listStoresOf(work.repo)) {
    if (id === own) continue;
    const isIdle = idle.includes(id);
    const isOpen = isOpenSince(store, sinceMs);
    if (isIdle && isKept && isOpen) await keepOpenTurn(work, id, { isOver: !isAtWork(work, id) });
    const open = isOpen && !(isIdle && isKept) ? await peekIfPossible(work, id) : undefined;
    const kept = readRecords(store);
    const ids = new Set(kept.map((record) => record.id));
    if (listRecordIds(store).some((one) => recordMs(one) > sinceMs && !ids.has(one))) throw unreadable(id);
    const records = kept.flatMap((record) => (record.kind === 'snap' ? [] : ownOf(record)));
    const before = records.filter((record) => madeMs(record) <= sinceMs);
    const since = [...records.filter((record) => madeMs(record) > sinceMs), ...(open ? [ownOf(open)] : [])];
    if (since.length === 0) {
      if (isIdle) quiet.add(id);
      continue;
    }
    const named = (list: readonly SnapshotRecord[]) =>
      new Set(list.flatMap(({ files }) => [...files.keys()]));
    if (isIdle && isOfItsOwn(since)) along.push({ sessionId: id, records: since, before: named(before) });
    else {
      const tracked = isIdle ? [] : readFilesTouched(work.sessions, id);
      for (const path of [...named(since), ...tracked]) if (!isInfrastructurePath(path)) stays.set(path, id);
    }
  }
  // What has not changed since is as it was: its turn had begun before, and wrote it by then.
  const isOld = (path: RepoPath): boolean => !isChangedAfter(work.repo.worktreeRoot, path, sinceMs);
  const late = along.map((one) => ({
    ...one,
    records: one.records.map((record) => withoutFiles(record, isOld)),
  }));
  return { along: late, stays, quiet };
}

/** Without a record of what a session did nothing can be taken out of what is there. */
export const unreadable = (id: SessionId): EntireError =>
  new EntireError(
    'SNAPSHOT_DAMAGED',
    `what session ${id} did since that point cannot be read, so nothing was done.`,
    {
      hint: '`entire verify` says what is damaged. With --session-only files of the session of that point become what they were, but for those that another one wrote since.',
    },
  );

/** A record without what is known to be somebody else's. */
const ownOf = (record: SnapshotRecord): SnapshotRecord =>
  record.kind === 'turn' ? withoutFiles(record, (_, change) => isUnclaimed(record, change)) : record;

/** When a step was saved: its own time has whole seconds, and the last record before it may be that of an earlier turn. */
function timeOf(work: Work, { id, step }: StepPoint, own: SessionId): number {
  const last = listMarks(storeOf(work.repo, own)).findLast(({ step: marked }) => marked === id)?.last;
  const [ms, second] = [
    last === undefined ? Number.NaN : recordMs(last),
    Date.parse(step.commit.committedAt),
  ];
  return Number.isNaN(ms) ? second + 999 : Math.max(ms, second);
}

const madeMs = ({ id }: SnapshotRecord): number => recordMs(id);

const isOpenSince = (store: string, sinceMs: number): boolean =>
  readOpenEdits(store).some(({ at }) => Date.parse(at) > sinceMs);

async function peekIfPossible(work: Work, id: SessionId): Promise<SnapshotRecord | undefined> {
  return peekOpenTurn(work, id, { isOver: !isAtWork(work, id) }).catch((error) => {
    log('warn', 'running turn not looked at', { session_id: id, error: describeError(error) });
    return undefined;
  });
}

/** Nothing of before the point was taken back or brought back since: then what was before is known by what came after. */
function isOfItsOwn(since: readonly SnapshotRecord[]): boolean {
  const ids = new Set(since.map(({ id }) => id));
  return since.every(
    ({ kind, of, files }) =>
      kind === 'turn' || files.size === 0 || (kind !== 'rewind' && of.every((id) => ids.has(id))),
  );
}

/** The turns of a session that go back. */
export const turnsOf = ({ records }: Along): string[] =>
  records.flatMap(({ id, kind }) => (kind === 'turn' ? id : []));

/** The files that a session wrote behind the point. */
export const filesOf = ({ records }: Along): RepoPath[] =>
  sortedUnique(
    records.flatMap(({ files }) => [...files.keys()].filter((path) => !isInfrastructurePath(path))),
  );
