import type { Lines, UserLines } from '../../session/record/user-lines.ts';

export const NO_LINES: Lines = { added: 0, removed: 0 };

export const addLines = (a: Lines, b: Lines): Lines => ({
  added: a.added + b.added,
  removed: a.removed + b.removed,
});

const atMost = (a: Lines, b: Lines): Lines => ({
  added: Math.min(a.added, b.added),
  removed: Math.min(a.removed, b.removed),
});

const lessBy = (a: Lines, b: Lines): Lines => ({
  added: Math.max(0, a.added - b.added),
  removed: Math.max(0, a.removed - b.removed),
});

/** A look at one file when a prompt was submitted. */
export interface FileLook {
  readonly reference: string;
  readonly fingerprint: string;
  readonly measured: Lines;
  /** More than this is not the user's: HEAD moved, and brought the rest. */
  readonly limit?: Lines | undefined;
  /** Somebody else may have written what is new. */
  readonly isForeign: boolean;
  /** The last prompt's attribution went into a step. */
  readonly isTaken: boolean;
}

/**
 * What is known of the user's hand in a file after another look. As long as the session's steps have the same version
 * of it, differences are counted once, however many prompts see them; the version of a new step holds what was counted
 * so far. One that HEAD brought holds nothing of it.
 */
export function nextUserLines(before: UserLines | undefined, look: FileLook): UserLines {
  const { reference, fingerprint, measured, limit, isForeign, isTaken } = look;
  const isSame = before?.reference === reference;
  const known = isSame ? before : undefined;
  const held = before && !isSame && isTaken ? before.user : NO_LINES;
  const settled = addLines(before?.settled ?? NO_LINES, held);
  const grown = isForeign ? NO_LINES : lessBy(measured, known?.measured ?? NO_LINES);
  const own = atMost(grown, limit ?? grown);
  const user = atMost(measured, addLines(known?.user ?? NO_LINES, own));
  const taken = known ? atMost(user, isTaken ? known.user : known.taken) : NO_LINES;
  return { reference, fingerprint, measured, user, taken, settled };
}

/** What the next attribution says of the file. */
export const pendingLines = ({ user, taken }: UserLines): Lines => lessBy(user, taken);
