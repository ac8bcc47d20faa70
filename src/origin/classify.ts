import { blockAround, isDistinctive, isTelling, plainLine } from '../base/text/lines.ts';
import type { LinePlace } from '../git/commit/blame.ts';
import { findClosing, openCommon, type WayOf } from './common-lines.ts';
import { type CarriedLine, type EditWay, type Evidence, isAnyReformatted, isWritten } from './evidence.ts';
import type { Writer, WriterOf } from './turns.ts';

/** Whose a line is. `human` is everything that no agent wrote: typed by hand, or by a tool that somebody ran. */
export type LineClass = 'agent' | 'human' | 'unknown';

/** How we know, or why we do not. Stable codes. */
export type LineReason =
  | 'written' // agent: the session's transcript has the line
  | 'made-again' // agent: the session wrote it for another commit, which this one was made of
  | 'git-ai' // agent or human: a note of git-ai says so, and there is no record of ours
  | 'neighbours' // a line that proves nothing, between lines of one class
  | 'untouched' // human: no session of the checkpoint touched the file
  | 'not-written' // human: all that the sessions wrote is on record, and this is not among it
  | 'no-session' // human: it was committed while no session had uncommitted work in the file
  | 'elsewhere' // unknown: a session may have written it for another commit, or wrote it in a turn that was cut off
  | 'unseen' // unknown: something in a session may have written it and left no lines on record
  | 'reformatted' // unknown: what sessions wrote was formatted before it was committed, and this may have come of it
  | 'no-record' // unknown: nothing is recorded about the commit
  | 'foreign-checkpoint' // unknown: the commit names the checkpoint of another one
  | 'checkpoint-missing'; // unknown: the commit's checkpoint is not in this clone

export interface LineOrigin<S> {
  readonly kind: LineClass;
  readonly reason: LineReason;
  /** The session that wrote it. */
  readonly session: S | undefined;
  /** What the session was asked for in the turn that wrote it, where that is known. */
  readonly prompt?: string | undefined;
  /** The turn that wrote it, as other commands take it (`<session>:<n>`); where something of it is kept in this worktree. */
  readonly turn?: string | undefined;
  /** How the session wrote it, looked for when it is asked. */
  readonly way?: () => EditWay | undefined;
  /** Where it was when that was told of it; left out where it is where its own commit has it. */
  readonly place?: LinePlace;
  /** Sessions, one of which may have written it: what they wrote is not all on record. */
  readonly among?: readonly S[];
  /** It may have been somewhere before, and be whose it was there: in these files, by names of a session's tools. */
  readonly isFrom?: readonly Pick<CarriedLine, 'from' | 'to'>[];
  /** What holds where it was nowhere before. */
  readonly otherwise?: LineOrigin<S>;
}

/** A session that touched the file in a commit, and what it is known to have written. */
export interface Suspect<S> {
  readonly session: S;
  readonly evidence: Evidence;
  /** Which turn of it wrote a line, and whether any did. */
  readonly writerOf?: WriterOf | undefined;
  /** Whether a turn of it brought a line into the file, by what is kept of its turns alone. */
  readonly hasBrought?: ((line: string) => boolean) | undefined;
}

const of = <S>(kind: LineClass, reason: LineReason, session?: S): LineOrigin<S> => ({
  kind,
  reason,
  session,
});

/** What holds for a line of a commit that has no checkpoint to look into. */
export const judgeUnlinked = (status: Unlinked): LineOrigin<never> => of('unknown', status);

export type Unlinked = 'no-record' | 'checkpoint-missing' | 'foreign-checkpoint' | 'unseen';

/** Sessions, one of which may have written a line for another commit; who did, where that is known. */
export interface Elsewhere<S> {
  readonly session: S | undefined;
  /** It wrote the line in such a block. */
  readonly isBlock?: boolean;
  /** It wrote it for no other commit, and in this one nobody has linked it. */
  readonly isWaiting?: boolean;
  /** It may have found the line there: it wrote it with the whole file, or another commit is linked to it for it. */
  readonly mayHaveFound?: boolean;
  /** It only had it from there. */
  readonly isFrom?: LineOrigin<S>['isFrom'];
}

/**
 * Tells of a line, and the one above it, what is known from other commits; `undefined` where nothing is.
 *
 * @param block of one that many files have, the lines around it that are together like no others
 */
export type FindElsewhere<S> = (
  line: string,
  above: string,
  block: readonly string[],
) => Elsewhere<S> | undefined;

const NOWHERE = (): undefined => undefined;

/** What else is known where lines are judged. */
interface Known<S> {
  readonly all?: readonly string[];
  /** The whole file in the commit. */
  readonly file?: (() => string) | undefined;
  readonly elsewhere?: FindElsewhere<S>;
  readonly isAllTold?: boolean;
}

/**
 * Judges lines that a linked commit brought into a file, one below the other.
 *
 * @param suspects sessions of its checkpoint that touched the file
 * @param known `all`: what else the commit brought into the file, and these; `elsewhere`: of a line that none of them wrote, what is known
 *   from other commits; `isAllTold`: no session of the checkpoint is missing, as one that was forgotten
 */
export function judgeLines<S>(
  lines: readonly string[],
  suspects: readonly Suspect<S>[],
  { all = lines, file = () => all.join('\n'), elsewhere = NOWHERE, isAllTold = true }: Known<S> = {},
): LineOrigin<S>[] {
  const rest = isAllTold ? judgeRest(suspects, all) : of<S>('unknown', 'unseen');
  const findOther: FindElsewhere<S> = (line, ...beside) =>
    elsewhere(line, ...beside) ??
    (suspects.some((suspect) => hasBrought(suspect, line)) ? { session: undefined } : undefined);
  const wayOf = openCommon({ all, file, evidence: suspects.map(({ evidence }) => evidence) });
  const carriedBy = (line: string) =>
    suspects.flatMap(({ evidence }) => evidence.carried.get(plainLine(line)) ?? []);
  const wroteBelow = (session: S | undefined, line: string, above: string): boolean =>
    suspects.some((suspect) => suspect.session === session && isNear(suspect, line, above));
  const others = { elsewhere: findOther, rest, wayOf, carriedBy, wroteBelow };
  return judgeEach(lines, others, (line, above) => {
    for (const { session, evidence, writerOf } of nearestFirst(suspects, line, above)) {
      const writer = isWritten(line, evidence) ? (writerOf?.(line) ?? UNTOLD) : undefined;
      if (!writer || writer.isCarried) continue;
      const isFrom = evidence.byCommand.has(plainLine(line)) && { isFrom: [] };
      const way = () => evidence.wayOf(line);
      return { ...of('agent', 'written', session), prompt: writer.prompt, turn: writer.turn, way, ...isFrom };
    }
    return undefined;
  });
}

/** A line that many files have is first of all that session's which wrote it below the same one. */
function nearestFirst<S>(
  suspects: readonly Suspect<S>[],
  line: string,
  above: string,
): readonly Suspect<S>[] {
  if (suspects.length < 2 || isDistinctive(line)) return suspects;
  const isHere = (suspect: Suspect<S>) => isNear(suspect, line, above);
  return [...suspects.filter(isHere), ...suspects.filter((suspect) => !isHere(suspect))];
}

/** Whether a session wrote a line that many files have below another one. */
const isNear = <S>({ evidence }: Suspect<S>, line: string, above: string): boolean =>
  evidence.short.get(plainLine(line))?.some((one) => plainLine(one) === plainLine(above)) ?? false;

/** What a turn brought into a file it need not have written: it may have taken it from another one. */
const hasBrought = <S>({ evidence, hasBrought }: Suspect<S>, line: string): boolean =>
  hasBrought?.(line) === true && !evidence.carried.has(plainLine(line));

const UNTOLD: Writer = { prompt: undefined, turn: undefined, isCarried: false };

/** What holds for lines that no session is known to have written. */
function judgeRest<S>(suspects: readonly Suspect<S>[], all: readonly string[]): LineOrigin<S> {
  if (suspects.length === 0) return of('human', 'untouched');
  const open = suspects.filter(({ evidence }) => !evidence.isComplete);
  if (open.length > 0) return { ...of<S>('unknown', 'unseen'), among: open.map(({ session }) => session) };
  const isFormatted = suspects.some(({ evidence }) => isAnyReformatted(all, evidence));
  return isFormatted ? of('unknown', 'reformatted') : of('human', 'not-written');
}

/** Lines of a commit that was watched, and that no session here had work in: a person's, unless they come from another commit. */
export const judgeWatched = <S>(lines: readonly string[], elsewhere: FindElsewhere<S>): LineOrigin<S>[] =>
  judgeEach(lines, { elsewhere, rest: of('human', 'no-session') });

/** Lines of a commit that has no checkpoint to look into: unknown, unless another commit tells whose they are. */
export const judgeByOthers = <S>(
  lines: readonly string[],
  elsewhere: FindElsewhere<S>,
  status: Unlinked,
): LineOrigin<S>[] => judgeEach(lines, { elsewhere, rest: of('unknown', status) });

/** How lines are judged of which it is not on record who wrote them. */
interface Others<S> {
  readonly elsewhere: FindElsewhere<S>;
  readonly rest: LineOrigin<S>;
  /** By what a line is judged below another one. */
  readonly wayOf?: WayOf;
  /** Where sessions had it from that only carried it. */
  readonly carriedBy?: (line: string) => readonly CarriedLine[];
  /** Whether a session wrote a line that many files have below another one. */
  readonly wroteBelow?: (session: S | undefined, line: string, above: string) => boolean;
}

function judgeEach<S>(
  lines: readonly string[],
  { elsewhere, rest, wayOf = () => 'text', carriedBy = () => [], wroteBelow = () => false }: Others<S>,
  findWriter: (line: string, above: string) => LineOrigin<S> | undefined = NOWHERE,
): LineOrigin<S>[] {
  let above: LineOrigin<S> | undefined;
  let aboveText = '';
  const torn = new Set<number>();
  const telling = lines.map((line) => (isTelling(line) ? line : undefined));
  const fromHere = carryForward(telling.toReversed()).toReversed();
  const long = lines.findIndex(isDistinctive);
  const firstLong = long === -1 ? Number.POSITIVE_INFINITY : long;
  const judged = lines.map((line, at) => {
    const isKnown = above !== undefined && (above.kind !== 'unknown' || above.isFrom !== undefined);
    const way = isKnown ? wayOf(line, aboveText, fromHere[at + 1] ?? '') : 'text';
    if (way === 'torn' && above?.kind === 'human') torn.add(at);
    if (!isTelling(line) || way !== 'text') return undefined;
    const written = findWriter(line, aboveText);
    const standsBelow = aboveText;
    aboveText = line;
    // Below a long line it goes with that one, or is judged by it.
    const findOther = () => elsewhere(line, standsBelow, at > firstLong ? [] : blockOf(lines, at));
    const found = written ? undefined : findOther();
    const isFrom = written || found ? [] : carriedBy(line);
    if ((found?.session || isFrom.length > 0) && isKnown && !isSure(line, found)) return undefined;
    above =
      written ??
      (isFrom.length > 0
        ? { ...of<S>('unknown', 'unseen'), isFrom, ...(isFound(isFrom) && { otherwise: rest }) }
        : judgeElsewhere(found, line, rest));
    return above;
  });
  // Where all that can tell is as the rest, so is what cannot.
  if (
    rest.reason !== 'not-written' &&
    (rest.kind === 'human' || rest.reason !== 'unseen') &&
    judged.every((origin) => (origin ?? rest) === rest)
  )
    return lines.map(() => rest);
  const closing = findClosing(
    lines,
    (at) => judged[at] && (judged[at].reason === 'written' ? 'own' : 'other'),
    (at, line) => wroteBelow(judged[at]?.session, line, lines[at] as string),
  );
  for (const [at, last] of closing) judged[at] = fromNeighbours(judged[last], undefined);
  const before = carryForward(judged);
  const after = carryForward(judged.toReversed()).toReversed();
  return judged.map(
    (origin, at) =>
      origin ?? (torn.has(at) ? of('unknown', 'unseen') : fromNeighbours(before[at], after[at])),
  );
}

const blockOf = (lines: readonly string[], at: number): readonly string[] =>
  isDistinctive(lines[at] as string) ? [] : lines.slice(...(blockAround(lines, at) ?? [0, 0]));

const isSure = <S>(line: string, found: Elsewhere<S> | undefined): boolean =>
  isDistinctive(line) || found?.isBlock === true;

/** Whether it is known of all where they were: what git brought may be anybody's. */
const isFound = (lines: readonly CarriedLine[]): boolean => lines.every(({ from }) => from.length > 0);

/** A line that says little by itself, as one that stands in many files, is a session's only below one of it. */
function judgeElsewhere<S>(
  found: Elsewhere<S> | undefined,
  line: string,
  rest: LineOrigin<S>,
): LineOrigin<S> {
  if (!found) return rest;
  if (found.session && isSure(line, found)) {
    const made = of<S>('agent', found.isWaiting ? 'written' : 'made-again', found.session);
    return found.mayHaveFound ? { ...of<S>('unknown', 'elsewhere'), isFrom: [], otherwise: made } : made;
  }
  const { isFrom } = found;
  return { ...(rest.kind === 'human' ? of<S>('unknown', 'elsewhere') : rest), ...(isFrom && { isFrom }) };
}

/** For each place the last thing known up to there. */
function carryForward<T>(values: readonly (T | undefined)[]): (T | undefined)[] {
  let last: T | undefined;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}

/** A line that proves nothing goes with the one above it that does, in the same piece of a commit, or else with the one below. */
export function fromNeighbours<S>(
  before: LineOrigin<S> | undefined,
  after: LineOrigin<S> | undefined,
): LineOrigin<S> {
  const one = before ?? after;
  if (!one) return of('unknown', 'unseen');
  const { kind, session, prompt, turn } = one;
  const origin = of(kind, kind === 'unknown' ? 'unseen' : 'neighbours', session);
  return { ...origin, ...(prompt !== undefined && { prompt }), ...(turn !== undefined && { turn }) };
}
