import type { StoredCheckpoint, StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { LogRow } from '../git/log.ts';
import type { Tombstone } from '../session/tombstones.ts';

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
  /** That the prompt is empty because it was forgotten. */
  readonly forgotten: Tombstone | undefined;
}

/** A point whose prompt is not known yet. */
export interface FoundPoint extends Omit<Point, 'prompt' | 'forgotten'> {
  readonly commit: LogRow;
  /** Where the prompts of a committed point are. */
  readonly slot: StoredSlot | undefined;
  /** The folder in the tree of a step where its prompts are. */
  readonly metadataDir: string | undefined;
}

/** Whether a session is the one that was asked for, by its id or the beginning of it. */
export const isOf = (sessionId: string, wanted: string | undefined): boolean =>
  wanted === undefined || sessionId.startsWith(wanted);
