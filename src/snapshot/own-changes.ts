import { type FileState, isSameState, MISSING } from './file-state.ts';
import type { LedgerEdit } from './ledger.ts';
import type { ChangePart } from './record.ts';

/** What was told of a path before an edit, held against what is known of it by its bytes. */
export interface Proof {
  /** Whether what was told is the text of a version whose bytes are known. */
  isTextOf(told: FileState, known: FileState): boolean;
  /** The bytes that a text is known to have had; `undefined` where nothing says so. */
  prove(told: FileState): FileState | undefined;
  /** What the text can have been at best, line ends and all; `undefined` where part of it is lost. */
  guess(told: FileState, after: FileState): FileState | undefined;
}

/**
 * What the agent made of a path in a turn, oldest first, by the edits that were noted and by what the worktree had when the turn
 * began. What a version differs by from the one that the edit before it left is somebody else's, and belongs to no part.
 *
 * A version that only a text tells of, and that is none whose bytes are known, is doubtful: nobody goes back to it unasked.
 *
 * @param edits at least one, in their order
 */
export function ownChanges(
  edits: readonly LedgerEdit[],
  atPrompt: FileState | undefined,
  proof: Proof,
): ChangePart[] {
  const parts: ChangePart[] = [];
  let known = atPrompt;
  for (const edit of edits) {
    const last = parts.at(-1);
    const { state, isDoubtful } = beforeEdit(edit, known, last === undefined, proof);
    // Hooks of two edits that ran side by side saw what both had made: what is told of the second was there in between.
    if (last && isDoubtful && isSameState(last.after, edit.after)) continue;
    if (last && !isDoubtful && state === known) parts[parts.length - 1] = { ...last, after: edit.after };
    else parts.push({ before: state, after: edit.after, isDoubtful });
    known = edit.after;
  }
  return parts;
}

interface Before {
  /** The version that is known itself, where it is the one. */
  readonly state: FileState | undefined;
  readonly isDoubtful: boolean;
}

function beforeEdit(edit: LedgerEdit, known: FileState | undefined, isFirst: boolean, proof: Proof): Before {
  const { before: told } = edit;
  if (told === undefined) return { state: known, isDoubtful: false };
  if (told.kind === 'missing') {
    // A file that was there, and that the tool says it made: gone in between. To have it back does nobody harm.
    const isKnown = known !== undefined && (isFirst || known.kind === 'missing');
    return { state: isKnown ? known : MISSING, isDoubtful: false };
  }
  if (known && proof.isTextOf(told, known)) return { state: known, isDoubtful: false };
  if (edit.isExact) return { state: told, isDoubtful: false };
  const proven = proof.prove(told);
  if (proven) return { state: proven, isDoubtful: false };
  const guess = proof.guess(told, edit.after) ?? (known?.kind === 'missing' ? undefined : known);
  return { state: guess, isDoubtful: true };
}

/**
 * What the agent and its shell made of a path. Whatever was written in the turn may be the shell's: what there was when it began
 * is what it is taken back to.
 */
export function changeWithShell(
  edits: readonly LedgerEdit[],
  atPrompt: FileState | undefined,
  after: FileState,
  proof: Proof,
): ChangePart {
  const [first] = edits;
  if (atPrompt || !first) return { before: atPrompt, after, isDoubtful: false };
  const { state, isDoubtful } = beforeEdit(first, undefined, true, proof);
  return { before: state, after, isDoubtful };
}
