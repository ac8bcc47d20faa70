import { type Evidence, isTelling, isWritten } from './evidence.ts';

/** Whose a line is. `human` is everything that no agent wrote: typed by hand, or by a tool that somebody ran. */
export type LineClass = 'agent' | 'human' | 'unknown';

/** How we know, or why we do not. Stable codes. */
export type LineReason =
  | 'written' // agent: the session's transcript has the line
  | 'neighbours' // a line that proves nothing, between lines of one class
  | 'untouched' // human: no session of the checkpoint touched the file
  | 'not-written' // human: all that the sessions wrote is on record, and this is not among it
  | 'no-session' // human: it was committed while no session had touched the file
  | 'unseen' // unknown: something in a session may have written it and left no lines on record
  | 'no-record' // unknown: nothing is recorded about the commit
  | 'foreign-checkpoint' // unknown: the commit names the checkpoint of another one
  | 'checkpoint-missing'; // unknown: the commit's checkpoint is not in this clone

export interface LineOrigin<S> {
  readonly kind: LineClass;
  readonly reason: LineReason;
  /** The session that wrote it. */
  readonly session: S | undefined;
}

/** A session that touched the file in a commit, and what it is known to have written. */
export interface Suspect<S> {
  readonly session: S;
  readonly evidence: Evidence;
}

const of = <S>(kind: LineClass, reason: LineReason, session?: S): LineOrigin<S> => ({
  kind,
  reason,
  session,
});

/** What holds for all lines of a commit that has no checkpoint to look into. */
export function judgeUnlinked(
  status: 'no-session' | 'no-record' | 'checkpoint-missing' | 'foreign-checkpoint' | 'unseen',
): LineOrigin<never> {
  return of(status === 'no-session' ? 'human' : 'unknown', status);
}

/**
 * Judges lines that a linked commit brought into a file, one below the other.
 *
 * @param suspects sessions of its checkpoint that touched the file
 */
export function judgeLines<S>(lines: readonly string[], suspects: readonly Suspect<S>[]): LineOrigin<S>[] {
  if (suspects.length === 0) return lines.map(() => of<S>('human', 'untouched'));
  const rest = suspects.every(({ evidence }) => evidence.isComplete)
    ? of<S>('human', 'not-written')
    : of<S>('unknown', 'unseen');
  const judged = lines.map((line) => {
    if (!isTelling(line)) return undefined;
    const writer = suspects.find(({ evidence }) => isWritten(line, evidence));
    return writer ? of<S>('agent', 'written', writer.session) : rest;
  });
  const before = carryForward(judged);
  const after = carryForward(judged.toReversed()).toReversed();
  return judged.map((origin, at) => origin ?? fromNeighbours(before[at], after[at]));
}

/** For each place the last thing known up to there. */
function carryForward<T>(values: readonly (T | undefined)[]): (T | undefined)[] {
  let last: T | undefined;
  return values.map((value) => {
    last = value ?? last;
    return last;
  });
}

/** A line that proves nothing goes with those around it, if they agree. */
function fromNeighbours<S>(
  before: LineOrigin<S> | undefined,
  after: LineOrigin<S> | undefined,
): LineOrigin<S> {
  const one = before ?? after;
  const other = after ?? before;
  if (!one || !other || one.kind !== other.kind || one.session !== other.session)
    return of('unknown', 'unseen');
  return of(one.kind, one.kind === 'unknown' ? 'unseen' : 'neighbours', one.session);
}
