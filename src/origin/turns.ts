import type { EditRecord, RecordedEdit, TranscriptFormat } from '../agents/shared/transcript/transcript.ts';
import { subjectFromPrompt } from '../strategy/turn/words.ts';
import { gatherEvidence, isWritten } from './evidence.ts';
import type { KeptLines, LineFate } from './kept-lines.ts';

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

/** What is known of a line that a session seems to have written. */
export interface Writer {
  /** The prompt of the turn; `undefined` where it is not known, or where several turns wrote it. */
  readonly prompt: string | undefined;
  /** `<session>:<n>`, where it is kept in this worktree. */
  readonly turn: string | undefined;
  /** No turn brought it: each that wrote it had found it in the file. */
  readonly isCarried: boolean;
}

export type WriterOf = (line: string) => Writer;

/** Where lines of a file are looked for. */
export interface WriterSources {
  /** Turns of the transcript, or a part of it, the oldest first. */
  readonly turns: readonly TranscriptTurn[];
  /** How many items come before that part. */
  readonly firstItem: number;
  /** Turns of the session that are kept, the oldest first. */
  readonly kept: readonly KeptLines[];
  /** What the file was called. */
  readonly names: readonly string[];
  /** Picks the edits of the file. */
  readonly editsIn: (record: EditRecord) => readonly RecordedEdit[];
}

/**
 * Tells which turn wrote a line. A tool that writes a whole file writes lines that were there before, too: such a line is that of the
 * turn that first had it, or nobody's of the session, as far as it is kept what each turn found.
 */
export function openWriters({ turns, firstItem, kept, names, editsIn }: WriterSources): WriterOf {
  const fateIn = ({ fateOf }: KeptLines, line: string): LineFate => {
    const fates = names.map((name) => fateOf(name, line));
    return fates.find((fate) => fate === 'added') ?? fates.find(Boolean);
  };
  const covering = coverTurns(turns, firstItem, kept);
  const written = turns.map(({ prompt, record }, at) => {
    const edits = editsIn(record);
    return {
      prompt,
      covers: covering[at] ?? [],
      evidence: gatherEvidence(edits, false),
      piecewise: gatherEvidence(
        edits.filter(({ isWhole }) => !isWhole),
        false,
      ),
    };
  });
  for (const one of new Set(covering.flat())) one.expect(names);
  const isAdded = (covers: readonly KeptLines[], line: string): boolean =>
    covers.some((one) => fateIn(one, line) === 'added');
  const isFound = (covers: readonly KeptLines[], line: string): boolean =>
    covers.some((one) => fateIn(one, line) === 'carried') && !isAdded(covers, line);
  return (line) => {
    const having = written.filter(({ evidence }) => isWritten(line, evidence));
    const bringing = having.filter(
      ({ covers, piecewise }) => isWritten(line, piecewise) || !isFound(covers, line),
    );
    const [first, ...later] = bringing;
    if (!first) {
      // Where some turn brought it, what is kept is not of the turn that wrote it.
      const isCarried = having.length > 0 && !isAdded(covering.flat(), line);
      return { prompt: undefined, turn: undefined, isCarried };
    }
    const own = first.covers.filter((one) => isAdded([one], line));
    const isOther = (one: KeptLines): boolean => !own.includes(one) && isAdded([one], line);
    const again = later.filter(({ covers, piecewise }) => isWritten(line, piecewise) || covers.some(isOther));
    const isOne = again.every(({ prompt }) => prompt === first.prompt);
    return {
      prompt: isOne ? first.prompt : undefined,
      turn: again.length === 0 && own.length === 1 ? own[0]?.name : undefined,
      isCarried: false,
    };
  };
}

/**
 * For each turn of a transcript what is kept of it. A turn that is kept begins with the prompt that is nearest to where the transcript was
 * then, and goes on up to the next one: somebody may have said something in between. It is known by one of its prompts.
 */
function coverTurns(
  turns: readonly TranscriptTurn[],
  firstItem: number,
  kept: readonly KeptLines[],
): KeptLines[][] {
  const distance = (at: number, items: number): number =>
    Math.abs((turns[at]?.from ?? 0) - Math.max(0, items - firstItem));
  const starts = kept.flatMap((one) => {
    const { items } = one;
    if (items === undefined || turns.length === 0) return [];
    const nearest = turns.reduce(
      (best, _, at) => (distance(at, items) < distance(best, items) ? at : best),
      0,
    );
    return [{ one, start: nearest }];
  });
  const covering = turns.map((): KeptLines[] => []);
  for (const { one, start } of starts) {
    const next = Math.min(
      turns.length,
      ...starts.flatMap((other) => (other.start > start ? other.start : [])),
    );
    const prompts = turns.slice(start, next).flatMap(({ prompt }) => prompt ?? []);
    const isIts =
      one.subject === undefined ||
      prompts.length === 0 ||
      prompts.some((prompt) => subjectFromPrompt(prompt, '') === one.subject);
    if (isIts) for (let at = start; at < next; at++) covering[at]?.push(one);
  }
  return covering;
}
