import type { CheckpointId } from '../base/ids.ts';
import { readCheckpoints } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { readLog } from '../git/log.ts';
import type { Git } from '../git/run.ts';
import { ALL_REFS } from '../history/detail.ts';

/** So many of them are dated, and so many commits are looked at. */
const MOST = 500;
const MOST_COMMITS = 50;
/** Git's dates and ours differ. */
const SLACK_MS = 60_000;

/**
 * Counts those of some checkpoints that no commit on any branch names, where HEAD has commits since then that name none: these may have been made of
 * what they were made for, as by a forge's squash, and `entire relink` may find out. A few processes.
 */
export async function countLoose(
  git: Git,
  store: CheckpointStore,
  ids: readonly CheckpointId[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = readLog(git, { range: ALL_REFS, containing: `${CHECKPOINT_TRAILER}: ` }) ?? [];
  const named = new Set(rows.flatMap(({ links }) => linkedIds(links)));
  const loose = ids.filter((id) => !named.has(id));
  if (loose.length === 0) return 0;
  const stored = await readCheckpoints(store, loose.slice(0, MOST));
  const made = [...stored.values()].flatMap(({ slots }) =>
    slots.flatMap(({ metadata }) => Date.parse(metadata.createdAt) || []),
  );
  if (made.length === 0) return 0;
  const since = new Date(Math.min(...made) - SLACK_MS);
  const newest = readLog(git, { range: ['--no-merges', 'HEAD'], limit: MOST_COMMITS, since }) ?? [];
  return newest.some(({ links }) => links.all.length === 0) ? loose.length : 0;
}
