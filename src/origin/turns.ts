import type { EditRecord, RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import type { TranscriptTurn } from '../history/transcript-turns.ts';
import { subjectFromPrompt } from '../strategy/turn/words.ts';
import { gatherWritten, isWritten } from './evidence.ts';
import type { KeptLines, LineFate } from './kept-lines.ts';

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
  // What was over before that part of the transcript began is none of its turns.
  const begun = Math.max(0, ...kept.flatMap(({ items = 0 }) => (items <= firstItem ? items : [])));
  const written = turns.map(({ prompt, record }, at) => {
    const edits = editsIn(record).filter(({ isBroughtByGit }) => !isBroughtByGit);
    const evidence = gatherWritten(edits);
    return {
      prompt,
      covers: covering[at] ?? [],
      evidence,
      piecewise: edits.some(({ isWhole }) => isWhole)
        ? gatherWritten(edits.filter(({ isWhole }) => !isWhole))
        : evidence,
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
    // Contents are read only where what the turn is on record with does not say it.
    const current = first.covers.filter(({ items = 0 }) => items >= begun);
    const isSure = current.length === 1 && having.length === 1 && isWritten(line, first.piecewise);
    const own = isSure ? current : first.covers.filter((one) => isAdded([one], line));
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
  const subjects = new Map<string, string>();
  const subjectOf = (prompt: string): string => {
    const subject = subjects.get(prompt) ?? subjectFromPrompt(prompt, '');
    subjects.set(prompt, subject);
    return subject;
  };
  for (const { one, start } of starts) {
    const next = Math.min(
      turns.length,
      ...starts.flatMap((other) => (other.start > start ? other.start : [])),
    );
    const prompts = turns.slice(start, next).flatMap(({ prompt }) => prompt ?? []);
    const isIts =
      one.subject === undefined ||
      prompts.length === 0 ||
      prompts.some((prompt) => subjectOf(prompt) === one.subject);
    if (isIts) for (let at = start; at < next; at++) covering[at]?.push(one);
  }
  return covering;
}
