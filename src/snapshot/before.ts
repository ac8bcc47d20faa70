import type { FileState } from './file-state.ts';

/** What is known of a path as it was before the session's first edit in a turn. */
export interface BeforeEvidence {
  /** What the client told; its text may have lost line ends and byte order mark. */
  readonly told: FileState | undefined;
  /**
   * What the worktree had when the turn began: what a prompt's hook kept, or what git has for a path that was clean.
   * `undefined` where neither is known.
   */
  readonly atPrompt: FileState | undefined;
  /** Whether what was told is the text of `atPrompt`, line ends and byte order mark aside. */
  readonly isSameText: boolean;
  /** Everything that can have written files in the turn is on record. */
  readonly isComplete: boolean;
}

/**
 * What a path was before the session's turn. What the worktree had at the prompt is known by its bytes; what the client tells is
 * a text, but of the moment of the edit. Where the two differ, somebody wrote the file in between: a shell of the session, where
 * one ran that tells nothing, and else the user, whose work stays.
 */
export function chooseBefore({
  told,
  atPrompt,
  isSameText,
  isComplete,
}: BeforeEvidence): FileState | undefined {
  if (!told || !atPrompt) return told ?? atPrompt;
  // A file that was there, and that the tool says it made: gone in between. To have it back does nobody harm.
  if (isSameText || told.kind === 'missing') return atPrompt;
  return isComplete ? told : atPrompt;
}

const MARK = Buffer.from('\uFEFF');
const CRLF = Buffer.from('\r\n');

/** The bytes that a text can have had as a file: with CRLF, with a byte order mark, with both. */
export function variantsOf(text: Buffer): Buffer[] {
  const ends = text.includes(CRLF)
    ? [text]
    : [text, Buffer.from(text.toString('utf8').replaceAll('\n', '\r\n'))];
  const isMarked = text.subarray(0, MARK.length).equals(MARK);
  return isMarked ? ends : [...ends, ...ends.map((bytes) => Buffer.concat([MARK, bytes]))];
}

/** The variant of a text that has line ends and mark as another version of the file has them. */
export function fitTo(text: Buffer, model: Buffer): Buffer {
  const [plain, crlf, marked, markedCrlf] = variantsOf(text);
  const hasCrlf = crlf !== undefined && model.includes(CRLF) && !text.includes(CRLF);
  const hasMark = model.subarray(0, MARK.length).equals(MARK) && marked !== undefined;
  const fitting = hasMark ? (hasCrlf ? markedCrlf : marked) : hasCrlf ? crlf : plain;
  return fitting ?? text;
}
