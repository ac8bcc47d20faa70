import { EntireError } from '../../base/errors.ts';
import type { CheckpointId } from '../../base/ids.ts';
import { hasCheckpoint } from '../../checkpoint/committed.ts';
import type { Branch } from '../../history/branch.ts';
import type { Found } from '../../history/find.ts';
import { hasSummary, readScope, summariseCheckpoint } from '../../history/summarise-checkpoint.ts';
import * as text from './text.ts';

/**
 * Has the latest session of a checkpoint summarised, and stores the summary.
 *
 * @throws {EntireError} `SUMMARY_FAILED`; `NOT_FOUND` where only a remote has the checkpoint
 */
export async function generateSummary(branch: Branch, found: Found, force: boolean): Promise<CheckpointId> {
  const fail = (message: string): never => {
    throw new EntireError('SUMMARY_FAILED', message);
  };
  if (found.kind === 'temporary') return fail(text.notForTemporary(found.step.commit.oid.slice(0, 7)));
  const { checkpoint } = found;
  const { id } = checkpoint;
  // Before anything is paid for.
  if (!hasCheckpoint(branch.git, id)) {
    const { message, hint } = text.onlyOnRemote(id);
    throw new EntireError('NOT_FOUND', message, { hint });
  }
  if (hasSummary(checkpoint) && !force) return fail(text.hasSummary(id));
  const scope = await readScope(branch.store, checkpoint);
  if (!scope) return fail(text.noTranscript(id));
  if (scope.isTranscriptEmpty) return fail(text.nothingToSummarise(id));
  if (scope.entries.length === 0) return fail(text.nothingInScope(id));
  await summariseCheckpoint(branch.store, checkpoint, scope);
  return id;
}
