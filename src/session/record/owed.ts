import { join } from 'node:path';
import * as z from 'zod/mini';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { type CheckpointId, parseCheckpointId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';

/**
 * A promise that is not kept yet: a trailer went into a commit message, and the checkpoint it names is to be written
 * after the commit. `<git-common-dir>/entire/owed/<checkpoint-id>.json` stands from before the trailer goes out until
 * everything is done, so that whatever is killed in between is completed by the next hook of the worktree.
 */
export interface OwedCheckpoint {
  readonly id: CheckpointId;
  readonly worktreeId: string;
  /** HEAD when the trailer was written, or `''`: as long as it is the same, there is no commit. */
  readonly head: string;
  /** The session in whose shell the commit was made, where the agent says so. */
  readonly shell: string | undefined;
  /** When the trailer was written, in milliseconds since 1970. */
  readonly atMs: number;
  /** Times that a later hook tried. */
  readonly attempts: number;
  /** Set for a commit that auto-commit makes itself, whose checkpoint is written together with it. */
  readonly own?: OwnCommit | undefined;
}

/** What a session's state has to learn of a commit that auto-commit makes. */
export interface OwnCommit {
  readonly sessionId: SessionId;
  /** Checkpoints that the state counted before. */
  readonly checkpointCount: number;
  /** Transcript items in its checkpoint; `undefined` for that of a task, which the state does not count. */
  readonly items: number | undefined;
}

const owedDir = (commonDir: string): string => join(commonDir, 'entire', 'owed');
const owedFile = (commonDir: string, id: CheckpointId): string => join(owedDir(commonDir), `${id}.json`);

/** Notes that a checkpoint will be owed. @throws the system error */
export function oweCheckpoint(
  commonDir: string,
  owed: Pick<OwedCheckpoint, 'id' | 'worktreeId' | 'head' | 'shell' | 'own'>,
): OwedCheckpoint {
  const promise = { ...owed, atMs: now().getTime(), attempts: 0 };
  writeOwed(commonDir, promise);
  return promise;
}

/** Counts one more attempt. @throws the system error */
export function countAttempt(commonDir: string, owed: OwedCheckpoint): void {
  writeOwed(commonDir, { ...owed, attempts: owed.attempts + 1 });
}

/** Somebody has seen to what stood in the way: the attempts count anew. @throws the system error */
export function resetAttempts(commonDir: string, owed: OwedCheckpoint): void {
  writeOwed(commonDir, { ...owed, attempts: 0 });
}

function writeOwed(commonDir: string, owed: OwedCheckpoint): void {
  const { id, worktreeId, head, shell, atMs, attempts, own } = owed;
  const value = {
    version: 1,
    worktree_id: worktreeId,
    head,
    shell,
    at_ms: atMs,
    attempts,
    own: own && { session_id: own.sessionId, checkpoint_count: own.checkpointCount, items: own.items },
  };
  writeFileAtomic(owedFile(commonDir, id), JSON.stringify(value));
}

/** The promise is kept, or there was no commit. */
export function forgetOwed(commonDir: string, id: CheckpointId): void {
  disk.rmSync(owedFile(commonDir, id), { force: true });
}

const stored = z.object({
  version: z.literal(1),
  worktree_id: z.string(),
  head: z.string(),
  shell: z.optional(z.string()),
  at_ms: z.number(),
  attempts: z.number(),
  own: z.optional(
    z.object({ session_id: z.string(), checkpoint_count: z.number(), items: z.optional(z.number()) }),
  ),
});

/** What is owed in a worktree, oldest first. Usually nothing. */
export const listOwed = (commonDir: string, worktreeId: string): OwedCheckpoint[] =>
  listAllOwed(commonDir).filter((owed) => owed.worktreeId === worktreeId);

/** {@link listOwed} of all worktrees, also of those that are gone. */
export function listAllOwed(commonDir: string): OwedCheckpoint[] {
  return listNames(owedDir(commonDir))
    .flatMap((name) => {
      const id = name.endsWith('.json') ? parseCheckpointId(name.slice(0, -'.json'.length)) : undefined;
      return id ? (readOwed(commonDir, id) ?? []) : [];
    })
    .sort((a, b) => a.atMs - b.atMs);
}

function readOwed(commonDir: string, id: CheckpointId): OwedCheckpoint | undefined {
  const file = owedFile(commonDir, id);
  try {
    const text = readOwnText(file, 'mark');
    if (text === undefined) return undefined; // kept meanwhile
    const value = stored.parse(JSON.parse(text));
    const sessionId = parseSessionId(value.own?.session_id);
    return {
      id,
      worktreeId: value.worktree_id,
      head: value.head,
      shell: value.shell,
      atMs: value.at_ms,
      attempts: value.attempts,
      own:
        value.own && sessionId
          ? { sessionId, checkpointCount: value.own.checkpoint_count, items: value.own.items }
          : undefined,
    };
  } catch (error) {
    log('warn', 'unreadable record of an owed checkpoint', { file, error: describeError(error) });
    return undefined;
  }
}
