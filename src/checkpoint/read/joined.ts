import { sortedUnique } from '../../base/repo-path.ts';
import type { StoredCheckpoint, StoredSlot } from './checkpoint.ts';
import { sumUsage } from './metadata.ts';

/**
 * Several checkpoints of one commit as if they were one: of each session the newest slot, which has all of it up to there, in the order in
 * which they were stored. It goes by the first one's id.
 */
export function joinCheckpoints(
  first: StoredCheckpoint,
  others: readonly StoredCheckpoint[],
): StoredCheckpoint {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const newest = new Map<string, StoredSlot>();
  for (const slot of all.flatMap(({ slots }) => slots).sort((a, b) => madeMs(a) - madeMs(b))) {
    newest.delete(slot.metadata.sessionId);
    newest.set(slot.metadata.sessionId, slot);
  }
  return {
    ...first,
    slots: [...newest.values()],
    filesTouched: sortedUnique(all.flatMap(({ filesTouched }) => filesTouched)),
    tokenUsage: sumUsage(all.map(({ tokenUsage }) => tokenUsage)),
    problems: all.flatMap(({ problems }) => problems),
  };
}

const madeMs = ({ metadata }: StoredSlot): number => Date.parse(metadata.createdAt) || 0;
