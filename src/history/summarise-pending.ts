import { join } from 'node:path';
import { now } from '../base/clock.ts';
import { describeError } from '../base/errors.ts';
import type { CheckpointId, SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { readCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { openCheckpoints } from '../checkpoint/read/store.ts';
import type { Repo } from '../git/locate.ts';
import { gitFor } from '../git/run.ts';
import { withSessionLock } from '../session/lock.ts';
import { countAttempt, listPending, settle } from './pending-summaries.ts';
import { hasSummary, readScope, summariseCheckpoint } from './summarise-checkpoint.ts';

/** Name of the lock beside our other records; held by the one process that summarises. */
const LOCK = 'summaries' as SessionId;

/**
 * Summarises the checkpoints that wait for it, one after the other, until none is left. A failure is logged; it is tried
 * once more after a later turn.
 *
 * @throws {EntireError} `LOCKED` while another process does so
 */
export async function summarisePending(repo: Repo): Promise<void> {
  await withSessionLock(join(repo.commonDir, 'entire'), LOCK, async () => {
    const done = new Set<CheckpointId>();
    for (;;) {
      const id = listPending(repo.commonDir, now().getTime()).find((pending) => !done.has(pending));
      if (id === undefined) return;
      done.add(id);
      await summariseOne(repo, id);
    }
  });
}

async function summariseOne(repo: Repo, id: CheckpointId): Promise<void> {
  countAttempt(repo.commonDir, id);
  const git = gitFor(repo);
  try {
    const store = openCheckpoints(git, repo.commonDir);
    const checkpoint = await readCheckpoint(store, id);
    const scope = checkpoint && !hasSummary(checkpoint) ? await readScope(store, checkpoint) : undefined;
    if (checkpoint && scope && scope.entries.length > 0) {
      await summariseCheckpoint(store, checkpoint, scope);
      log('info', 'checkpoint summarised', { checkpoint: id });
    }
    settle(repo.commonDir, id);
  } catch (error) {
    log('warn', 'no summary', { checkpoint: id, error: describeError(error) });
  }
}
