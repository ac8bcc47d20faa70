import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { plainLine } from '../../base/text/lines.ts';
import type { StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../../checkpoint/read/store.ts';
import { isWritten } from '../evidence.ts';
import { readStoredEdits, touches } from '../stored-edits.ts';
import type { FoundLine, Match } from './match.ts';

/** Leaves out lines that were in the commit of a checkpoint, and that none of its sessions wrote. */
export function confirmLines(
  store: CheckpointStore,
  matches: ReadonlyMap<ObjectId, readonly Match[]>,
): Map<ObjectId, Match[]> {
  const wanted = new Map<StoredSlot, Set<string>>();
  const touched = new Set<string>();
  const keyOf = (id: CheckpointId, path: string): string => `${id} ${path}`;
  for (const { claim, lines } of [...matches.values()].flat())
    for (const path of new Set(lines.map((line) => line.path))) {
      const { id, slots } = claim.checkpoint;
      if (slots.some((slot) => touches(slot, path))) touched.add(keyOf(id, path));
      // Where one of its sessions has the file from another one's, that one wrote it elsewhere.
      for (const slot of slots) wanted.set(slot, (wanted.get(slot) ?? new Set()).add(path));
    }
  // An amend renamed it where none has it: its sessions know it by another name.
  const isKnown = ({ checkpoint }: StoredSlot, path: string): boolean => touched.has(keyOf(checkpoint, path));
  const namesOf = (slot: StoredSlot, path: string): readonly string[] =>
    isKnown(slot, path) ? [] : slot.metadata.filesTouched;
  const edits = readStoredEdits(store, wanted, namesOf);
  // Of a file that has the very contents of the checkpoint's commit, what a command may have written counts as the session's, as it did then.
  const isTheirs = ({ claim: { checkpoint }, proof, isWhole }: Match, { path, text }: FoundLine): boolean =>
    checkpoint.slots.some((slot) => {
      const evidence = edits.get(slot)?.get(path);
      if (!evidence) return false;
      const mayHaveWritten = (touches(slot, path) || !isKnown(slot, path)) && !evidence.isComplete;
      return isWritten(text, evidence) || ((isWhole || proof === 'contents') && mayHaveWritten);
    });
  const isByCommand = ({ claim: { checkpoint } }: Match, { path, text }: FoundLine): boolean => {
    const known = checkpoint.slots.flatMap((slot) => edits.get(slot)?.get(path) ?? []);
    const writers = known.filter((evidence) => isWritten(text, evidence));
    // Also what none is known to have written: its transcript alone does not say that it is not the session's.
    return writers.every(({ byCommand }) => byCommand.has(plainLine(text)));
  };
  return new Map(
    [...matches].map(([commit, found]) => [
      commit,
      found.flatMap((match): Match[] => {
        const lines = match.lines
          .filter((line) => isTheirs(match, line))
          .map((line) => (isByCommand(match, line) ? { ...line, isByCommand: true } : line));
        // A commit as a whole may have lines that are too short to be looked for.
        const isKept = lines.length > 0 || (match.isWhole && match.lines.length === 0);
        return isKept || match.proof === 'commit' ? [{ ...match, lines }] : [];
      }),
    ]),
  );
}
