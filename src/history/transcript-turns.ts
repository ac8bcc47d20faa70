import type { EditRecord, TranscriptFormat } from '../agents/shared/transcript/transcript.ts';

/** A turn of a session, as far as a part of its transcript has it. */
export interface TranscriptTurn {
  readonly prompt: string | undefined;
  readonly record: EditRecord;
  /** Item of the part, from 0, on which it begins: a line, or a message of a document. */
  readonly from: number;
}

/**
 * Cuts a part of a transcript at its prompts. What stands before the first of them belongs to the prompt before it.
 *
 * @param known prompts of the session up to the end of the part, as they are stored; earlier ones may be missing
 * @returns none where the part cannot be cut: a long document of several turns, or a prompt that several lines tell of
 */
export function readTurns(
  format: TranscriptFormat,
  text: string,
  known: readonly string[],
): TranscriptTurn[] {
  const own = format.readPrompts(text);
  if (format.isDocument?.(text)) {
    const prompt = own[0] ?? known.at(-1);
    return own.length > 1
      ? cutDocument(format, text, own)
      : [{ prompt, record: format.readEdits(text), from: 0 }];
  }
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => format.readPrompts(line).map((prompt) => ({ at, prompt })));
  if (!isSame(starts, own)) return [];
  const before = isSame(starts, known.slice(known.length - own.length))
    ? known.at(-own.length - 1)
    : undefined;
  return [{ at: 0, prompt: before }, ...starts].map(({ at, prompt }, index) => ({
    ...{ prompt, from: at },
    record: format.readEdits(lines.slice(at, starts[index]?.at).join('\n')),
  }));
}

/** A document is read anew for each cut. */
const MAX_DOCUMENT = { length: 4 << 20, prompts: 100 };

/** Cuts a document at its prompts: what a turn has is what stands from its prompt on, and not from the next one on. */
function cutDocument(format: TranscriptFormat, text: string, prompts: readonly string[]): TranscriptTurn[] {
  if (text.length > MAX_DOCUMENT.length || prompts.length > MAX_DOCUMENT.prompts) return [];
  const count = format.countItems(text);
  const readFrom = (item: number): string => (item === 0 ? text : format.sliceItems(text, item));
  const hasFrom = (item: number, left: number): boolean => format.readPrompts(readFrom(item)).length >= left;
  const starts = prompts.map((_, nth) => {
    let [low, high] = [0, count]; // the last item from which on this prompt and all behind it are read
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (hasFrom(middle, prompts.length - nth)) low = middle;
      else high = middle;
    }
    return low;
  });
  const records = starts.map((start) => format.readEdits(readFrom(start)));
  const lessThan = <T>(list: readonly T[], rest: readonly T[] = []): readonly T[] =>
    list.slice(0, Math.max(0, list.length - rest.length));
  return records.map(({ edits, agents, isComplete }, at) => {
    const next = records[at + 1];
    const record = {
      edits: lessThan(edits, next?.edits),
      agents: lessThan(agents, next?.agents),
      isComplete,
    };
    return { prompt: prompts[at], record, from: starts[at] ?? 0 };
  });
}

const isSame = (starts: readonly { readonly prompt: string }[], prompts: readonly string[]): boolean =>
  starts.length === prompts.length &&
  starts.every(({ prompt }, index) => prompt.trim() === prompts[index]?.trim());
