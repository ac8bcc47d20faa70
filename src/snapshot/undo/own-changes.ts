import type { ChangePart } from '../record/snapshot-record.ts';
import { type FileState, isSameState, MISSING } from '../store/file-state.ts';
import type { LedgerEdit } from '../turn/ledger.ts';

/** What was told of a path before an edit, held against what is known of it by its bytes. */
export interface Proof {
  /** Whether what was told is the text of a version whose bytes are known. */
  isTextOf(told: FileState, known: FileState): boolean;
  /** The bytes that a text is known to have had; `undefined` where nothing says so. */
  prove(told: FileState): FileState | undefined;
  /**
   * What an edit made of a known version, by the texts that it replaced: of that version itself, where nothing else explains the
   * difference, or of one that somebody else made of it. `undefined` where it told of none, or of others than what else it told.
   */
  byReplaced(edit: LedgerEdit, known: FileState): ChangePart | undefined;
  /** What the text can have been at best, line ends and all; `undefined` where part of it is lost. */
  guess(told: FileState, after: FileState): FileState | undefined;
}

/** What else is known of an edit. */
export interface Noted {
  /** What others had committed came with it, and nothing else: what comes next goes on from there. */
  readonly isBrought?: boolean;
}

/** What is known of a turn besides the edits of a path. */
export interface Around {
  /** What there was when the turn began. */
  readonly atPrompt: FileState | undefined;
  /** What the path was in the end. */
  readonly now: FileState;
  /**
   * Which stretches of the turn a shell of the agent may have written in, that says nothing of what it writes: those before a path was
   * noted first, where one ran by then, or any, where no hook told of the one that ran. Once a path is noted, the hook behind each
   * command looks at it.
   *
   * @param isProven what was there at the end of the stretch is known by its bytes
   */
  readonly mayBeShells: (first: LedgerEdit | undefined, isProven: boolean) => boolean;
  /** Every command of a shell reported what it wrote. */
  readonly isComplete: boolean;
}

/**
 * What the agent made of a path in a turn, oldest first, by the edits that were noted and by what the worktree had when the turn
 * began. What a version differs by from the one that the edit before it left is somebody else's, and belongs to no part; unless a
 * shell of the agent may have written it.
 *
 * A version that only a text tells of, and that is none whose bytes are known, is doubtful: nobody goes back to it unasked.
 *
 * @param edits at least one, in their order
 */
export function ownChanges(
  edits: readonly (LedgerEdit & Noted)[],
  around: Around,
  proof: Proof,
): ChangePart[] {
  const parts: ChangePart[] = [];
  const { now, mayBeShells } = around;
  let known = around.atPrompt;
  for (const edit of edits) {
    if (edit.isBrought) {
      known = edit.after;
      continue;
    }
    const last = parts.at(-1);
    const part = edit.isLook && around.isComplete ? undefined : partOf(edit, known, !last, around, proof);
    // Hooks of two edits that ran side by side saw what both had made: what is told of the second was there in between.
    const isBeside = last && part?.isDoubtful && isSameState(last.after, edit.after);
    if (last && part && !part.isDoubtful && part.before === known && last.after === known)
      parts[parts.length - 1] = { ...last, after: part.after, ...(part.isMixed && { isMixed: true }) };
    else if (part && !isBeside) parts.push(part);
    known = edit.after;
  }
  const last = parts.at(-1);
  if (!last || !known || isStill(known, now) || !mayBeShells(undefined, true)) return parts;
  if (last.after === known) parts[parts.length - 1] = { ...last, after: now, isMixed: true };
  else parts.push({ before: known, after: now, isDoubtful: false, isMixed: true });
  return parts;
}

/** A hook leaves the contents of large files for later. */
const isStill = (known: FileState, now: FileState): boolean =>
  isSameState(known, now) || (known.kind === 'unkept' && now.kind === 'file' && known.size === now.size);

function partOf(
  edit: LedgerEdit,
  known: FileState | undefined,
  isFirst: boolean,
  { mayBeShells, isComplete }: Around,
  proof: Proof,
): ChangePart {
  const part = changeOf(edit, known, isFirst, proof);
  const isUnreported = !isComplete && edit.source === 'bash' && edit.tool === '';
  const isGap = part.isDoubtful || part.before !== known || part.after !== edit.after;
  const isShells = () => mayBeShells(isFirst ? edit : undefined, !part.isDoubtful);
  const isMixed = known !== undefined && (isUnreported || (isGap && isShells()));
  if (isMixed) return { before: known, after: edit.after, isDoubtful: false, isMixed };
  // What the client saw change while a command ran can be somebody else's as well.
  return edit.source === 'bash' && !part.isDoubtful ? { ...part, isMixed: true } : part;
}

/** What one edit made of a path. */
function changeOf(
  edit: LedgerEdit,
  known: FileState | undefined,
  isFirst: boolean,
  proof: Proof,
): ChangePart {
  const { before: told, after } = edit;
  const as = (before: FileState | undefined, isDoubtful = false): ChangePart => ({
    before,
    after,
    isDoubtful,
  });
  if (told === undefined) return (known && proof.byReplaced(edit, known)) || as(known);
  if (told.kind === 'missing') {
    // A file that was there, and that the tool says it made: gone in between. To have it back does nobody harm.
    const isKnown = known !== undefined && (isFirst || known.kind === 'missing');
    return as(isKnown ? known : MISSING);
  }
  if (known && proof.isTextOf(told, known)) return as(known);
  if (edit.isExact) return as(told);
  const proven = proof.prove(told);
  if (proven) return as(proven);
  const part = known && proof.byReplaced(edit, known);
  if (part && !part.isDoubtful) return part;
  return as(proof.guess(told, after) ?? (known?.kind === 'missing' ? undefined : known), true);
}
