import { join } from 'node:path';
import { readOwnIfUsable } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { type CheckpointId, parseCheckpointId } from '../base/ids.ts';
import { parseJson } from '../base/text/json.ts';
import { readVerdicts, type Verdict } from '../session/record/verdicts.ts';

/** A checkpoint that was made longer ago is left alone: switching summaries on is not about the past. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** So many of the newest are looked at, so that a rebase of a long branch does not cost a summary for each commit. */
const MAX_PENDING = 5;
const MAX_ATTEMPTS = 2;
const VERDICTS_READ = 50;

/** How often each checkpoint was tried; one that has its summary counts as tried for good. */
type Attempts = ReadonlyMap<CheckpointId, number>;

const file = (commonDir: string): string => join(commonDir, 'entire', 'summaries.json');

/** Checkpoints of new commits that wait for a summary, newest first. Reads two small files. */
export function listPending(commonDir: string, nowMs: number): CheckpointId[] {
  return selectPending(readVerdicts(commonDir, VERDICTS_READ), readAttempts(commonDir), nowMs);
}

/** The choice alone. */
export function selectPending(
  verdicts: readonly Verdict[],
  attempts: Attempts,
  nowMs: number,
): CheckpointId[] {
  const ids = verdicts.flatMap(({ reason, checkpoint, at }) => {
    const isNew = nowMs - Date.parse(at) < MAX_AGE_MS;
    return (reason === 'linked' && isNew && parseCheckpointId(checkpoint)) || [];
  });
  const newest = [...new Set(ids)].slice(0, MAX_PENDING);
  return newest.filter((id) => (attempts.get(id) ?? 0) < MAX_ATTEMPTS);
}

/**
 * Counts an attempt, before it is made: one that is killed counts, too. Under the lock of who summarises.
 *
 * @throws the system error
 */
export function countAttempt(commonDir: string, id: CheckpointId): void {
  write(commonDir, id, (readAttempts(commonDir).get(id) ?? 0) + 1);
}

/** The checkpoint has its summary, or can have none. @throws the system error */
export const settle = (commonDir: string, id: CheckpointId): void => write(commonDir, id, MAX_ATTEMPTS);

function write(commonDir: string, id: CheckpointId, count: number): void {
  const others = [...readAttempts(commonDir)].filter(([other]) => other !== id);
  const attempts = Object.fromEntries([...others, [id, count]].slice(-VERDICTS_READ));
  writeFileAtomic(file(commonDir), JSON.stringify({ version: 1, attempts }));
}

/** Missing or broken: nothing was tried. */
function readAttempts(commonDir: string): Map<CheckpointId, number> {
  const value = parseJson(readOwnIfUsable(file(commonDir), 'mark') ?? '') as
    | { attempts?: unknown }
    | null
    | undefined;
  const attempts = typeof value?.attempts === 'object' && value.attempts !== null ? value.attempts : {};
  return new Map(
    Object.entries(attempts).flatMap(([key, count]) => {
      const id = parseCheckpointId(key);
      return id && typeof count === 'number' ? [[id, count] as const] : [];
    }),
  );
}
