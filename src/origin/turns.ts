import type { EditRecord, RecordedEdit, TranscriptFormat } from '../agents/shared/transcript/transcript.ts';
import { gatherEvidence, isWritten } from './evidence.ts';

/** The prompt of the turn that wrote a line; `undefined` where it is not known, or where several turns wrote it. */
export type PromptOf = (line: string) => string | undefined;

/** A turn of a session, as far as a part of its transcript has it. */
export interface TranscriptTurn {
  readonly prompt: string | undefined;
  readonly record: EditRecord;
}

/**
 * Cuts a part of a transcript at its prompts. What stands before the first of them belongs to the prompt before it.
 *
 * @param known prompts of the session up to the end of the part, as they are stored; earlier ones may be missing
 * @returns none where the part cannot be cut: a document of several turns, or a prompt that several lines tell of
 */
export function readTurns(
  format: TranscriptFormat,
  text: string,
  known: readonly string[],
): TranscriptTurn[] {
  const own = format.readPrompts(text);
  if (format.isDocument?.(text)) {
    const prompt = own[0] ?? known.at(-1);
    return own.length > 1 ? [] : [{ prompt, record: format.readEdits(text) }];
  }
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => format.readPrompts(line).map((prompt) => ({ at, prompt })));
  if (!isSame(starts, own)) return [];
  const before = isSame(starts, known.slice(known.length - own.length))
    ? known.at(-own.length - 1)
    : undefined;
  return [{ at: 0, prompt: before }, ...starts].map(({ at, prompt }, index) => ({
    prompt,
    record: format.readEdits(lines.slice(at, starts[index]?.at).join('\n')),
  }));
}

const isSame = (starts: readonly { readonly prompt: string }[], prompts: readonly string[]): boolean =>
  starts.length === prompts.length &&
  starts.every(({ prompt }, index) => prompt.trim() === prompts[index]?.trim());

/** Tells which of these turns wrote a line of a file. @param editsIn picks the edits of the file */
export function promptsOf(
  turns: readonly TranscriptTurn[],
  editsIn: (record: EditRecord) => readonly RecordedEdit[],
): PromptOf {
  const written = turns.map(({ prompt, record }) => ({
    prompt,
    evidence: gatherEvidence(editsIn(record), false),
  }));
  return (line) => {
    const found = written.filter(({ evidence }) => isWritten(line, evidence)).map(({ prompt }) => prompt);
    return new Set(found).size === 1 ? found[0] : undefined;
  };
}
