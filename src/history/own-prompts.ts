import { transcriptFormatOf } from '../agents/registry.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { ownLines, readParts, wholeText } from '../checkpoint/read/parts.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import type { LeftBehind } from './left-behind.ts';
import { tellOwnTurns } from './own-turns.ts';

/** What the own part of a point says of prompts. */
export interface OwnPrompts {
  readonly prompts: readonly string[];
  /** Something was taken out of it: it was private, or forgotten. */
  readonly isMasked: boolean;
}

/** A line that was taken out is empty, the first of several a note. Where there is no text at all, nothing was taken out. */
export const isMasked = (text: string): boolean =>
  text !== '' && (text.includes('"entire-private"') || /^$/m.test(text.trimEnd()));

/** The prompts of each slot's own part of its session, from the stored transcript. @param left of {@link findLeftBehind} */
export function readOwnPrompts(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  left: ReadonlyMap<StoredSlot, LeftBehind>,
): Map<StoredSlot, OwnPrompts> {
  const found = new Map<StoredSlot, OwnPrompts>();
  for (const batch of readParts(store, slots))
    for (const [slot, parts] of batch) {
      const { agent, checkpointTranscriptStart: start } = slot.metadata;
      const format = transcriptFormatOf(agent);
      // A document has no lines that could be left out.
      const own = format.isDocument ? format.sliceItems(wholeText(parts), start) : ownLines(slot, parts);
      const behind = left.get(slot);
      found.set(
        slot,
        behind
          ? { prompts: promptsOf(slot, own, behind), isMasked: false }
          : { prompts: format.readPrompts(own), isMasked: isMasked(own) },
      );
    }
  return found;
}

/** Where it cannot be told which turns have a part in it, all of them may. */
function promptsOf(slot: StoredSlot, text: string, left: LeftBehind): readonly string[] {
  const turns = tellOwnTurns(slot, text, left);
  return turns?.flatMap(({ prompt, isOwn }) => (isOwn ? prompt : [])) ?? left.prompts;
}
