import type { CheckpointId } from '../base/ids.ts';
import { readCheckpoints } from '../checkpoint/read/checkpoint.ts';
import { findMisfits } from '../checkpoint/read/fit.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { REFS_OF_PEOPLE } from '../git/ref/people.ts';
import type { Branch } from './branch.ts';

/** Of a commit that was made again many times, one is enough. */
const PER_CHECKPOINT = 8;

/**
 * The commit that each of some checkpoints led to: the newest of the branch that is checked out, else of any. None for one whose commit is
 * gone, or not in this clone.
 *
 * @param since no commit of them is older
 */
export async function findCommitsOfCheckpoints(
  branch: Branch,
  ids: readonly CheckpointId[],
  since: Date | undefined,
): Promise<Map<CheckpointId, LogRow>> {
  const found = new Map<CheckpointId, LogRow>();
  if (ids.length === 0) return found;
  const stored = await readCheckpoints(branch.store, ids);
  const look = (range: readonly string[]): void => {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return;
    const containing = missing.map((id) => `${CHECKPOINT_TRAILER}: ${id}`);
    const rows =
      readLog(branch.git, { range, containing, since, limit: missing.length * PER_CHECKPOINT }) ?? [];
    const misfits = findMisfits(branch.git, branch.repo.commonDir, rows, stored);
    for (const row of rows)
      for (const id of linkedIds(row.links))
        if (missing.includes(id) && !found.has(id) && misfits.of(row.oid, id) === undefined)
          found.set(id, row);
  };
  if (branch.head) look([branch.head]);
  look(REFS_OF_PEOPLE);
  return found;
}
