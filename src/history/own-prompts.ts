import { transcriptFormatOf } from '../agents/registry.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { ownLines, readParts, wholeText } from '../checkpoint/read/parts.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';

/** What the own part of a point says of prompts. */
export interface OwnPrompts {
  readonly prompts: readonly string[];
  /** Something was taken out of it: it was private, or forgotten. */
  readonly isMasked: boolean;
}

/** A line that was taken out is empty, the first of several a note. Where there is no text at all, nothing was taken out. */
export const isMasked = (text: string): boolean =>
  text !== '' && (text.includes('"entire-private"') || /^$/m.test(text.trimEnd()));

/** The prompts of each slot's own part of its session, from the stored transcript. */
export function readOwnPrompts(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
): Map<StoredSlot, OwnPrompts> {
  const found = new Map<StoredSlot, OwnPrompts>();
  for (const batch of readParts(store, slots))
    for (const [slot, parts] of batch) {
      const { agent, checkpointTranscriptStart: start } = slot.metadata;
      const format = transcriptFormatOf(agent);
      // A document has no lines that could be left out.
      const own = format.isDocument ? format.sliceItems(wholeText(parts), start) : ownLines(slot, parts);
      found.set(slot, { prompts: format.readPrompts(own), isMasked: isMasked(own) });
    }
  return found;
}
