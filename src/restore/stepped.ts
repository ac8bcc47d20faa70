import type { SessionId } from '../base/ids.ts';
import type { Repo } from '../git/locate.ts';
import { hasJournal } from '../snapshot/operation.ts';
import { storeOf } from '../snapshot/place.ts';
import { listRecordIds } from '../snapshot/record/record.ts';
import { listStoresOf } from '../snapshot/store/collect.ts';
import { hasOpenEdits } from '../snapshot/turn/ledger.ts';

/** Sessions that have something kept for this worktree. */
export const listStepped = (repo: Repo): SessionId[] =>
  listStoresOf(repo).flatMap(({ id, store }) =>
    listRecordIds(store).length > 0 || hasOpenEdits(store) || hasJournal(store) ? id : [],
  );

/** Whether an operation of the session waits to be finished. */
export const isUnfinished = (repo: Repo, id: SessionId): boolean => hasJournal(storeOf(repo, id));
