import type { StoredCheckpoint, StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { LogRow } from '../git/log.ts';

/** A moment of a branch that a checkpoint tells of. */
export interface Point {
  readonly commit: Pick<LogRow, 'oid' | 'committedAt' | 'subject'>;
  /** The checkpoint a commit leads to; `undefined` for a step that no commit has yet. */
  readonly checkpoint: StoredCheckpoint | undefined;
  /** The session whose prompt stands for it; for a checkpoint of several the latest, or the one that was asked for. */
  readonly sessionId: string;
  readonly isTask: boolean;
  /** First prompt of what it holds, as it was stored; empty when it has none. */
  readonly prompt: string;
}

/** A point whose prompt is not known yet. */
export interface FoundPoint extends Omit<Point, 'prompt'> {
  /** Where the prompts of a committed point are. */
  readonly slot: StoredSlot | undefined;
  /** Where the prompts of a step are: a name that git knows. */
  readonly promptFile: string | undefined;
}

/** Whether a session is the one that was asked for, by its id or the beginning of it. */
export const isOf = (sessionId: string, wanted: string | undefined): boolean =>
  wanted === undefined || sessionId.startsWith(wanted);
