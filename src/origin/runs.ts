import type { ObjectId } from '../base/ids.ts';
import { isDistinctive, isTelling } from '../base/text/lines.ts';
import type { AgeOf } from './ages.ts';
import { fromNeighbours, type LineOrigin } from './classify.ts';

/** Lines one below the other that one commit brought into a file, as they were judged. */
export interface JudgedRun<S> {
  /** The commit, and the name of the file there. */
  readonly place: string;
  readonly commit: ObjectId | undefined;
  readonly texts: readonly string[];
  readonly origins: readonly LineOrigin<S>[];
}

/**
 * All lines of a file. A run of which no line proves anything, as a brace that stayed where the lines above it were changed
 * since, goes with what came into the file with it and stood beside it, as far as everything in between is newer.
 */
export function joinRuns<S>(runs: readonly JudgedRun<S>[], ageOf: AgeOf): LineOrigin<S>[] {
  const isTold = ({ texts, origins }: JudgedRun<S>): boolean =>
    texts.some(isTelling) || origins.some(({ reason }) => reason !== 'unseen');
  if (runs.every(isTold)) return runs.flatMap(({ origins }) => origins);
  const before = lastTold(runs, ageOf, ({ origins }) => origins.at(-1));
  const after = lastTold(runs.toReversed(), ageOf, ({ origins }) => origins[0]).toReversed();
  return runs.flatMap((run, at) =>
    isTold(run) ? run.origins : run.origins.map(() => fromNeighbours(before[at], after[at])),
  );
}

/**
 * For each run what the last one up to there told that can tell anything, and that came into the file with it; unless a line in
 * between is older, so that the two did not stand beside each other.
 */
function lastTold<S>(
  runs: readonly JudgedRun<S>[],
  ageOf: AgeOf,
  nearest: (run: JudgedRun<S>) => LineOrigin<S> | undefined,
): (LineOrigin<S> | undefined)[] {
  /** Of places that are older than those behind them. */
  const told: { readonly run: JudgedRun<S>; readonly origin: LineOrigin<S> | undefined }[] = [];
  return runs.map((run) => {
    const isOver = (last: JudgedRun<S> | undefined) =>
      last && last.place !== run.place && ageOf(last.commit) >= ageOf(run.commit);
    while (isOver(told.at(-1)?.run)) told.pop();
    const isOpen = told.at(-1)?.run.place === run.place;
    if (!run.texts.some(isTelling)) return isOpen ? told.at(-1)?.origin : undefined;
    if (isOpen) told.pop();
    const origin = nearest(run);
    told.push({ run, origin });
    return origin;
  });
}

/** A line of a file, as it was judged. */
interface JudgedLine<S> {
  readonly text: string;
  readonly origin: LineOrigin<S>;
  /** By another commit than its own. */
  readonly isAnew: boolean;
  /** It came from somewhere together with the one above it. */
  readonly isCarried: boolean;
}

/** All lines of a file, where some of them were judged anew: those that prove nothing go with such a one above them. */
export function fillRuns<S>(runs: readonly (readonly JudgedLine<S>[])[]): LineOrigin<S>[] {
  return runs.flatMap((run) => {
    let above: LineOrigin<S> | undefined;
    return run.map(({ text, origin, isAnew, isCarried }) => {
      const isUntold = origin.kind !== 'agent' && !isAnew && (isCarried || !isTelling(text));
      const isOpen = origin.reason === 'neighbours' || isUntold;
      const isFilled = above !== undefined && isOpen && !isDistinctive(text);
      const filled = isFilled ? fromNeighbours(above, undefined) : origin;
      above = isAnew || isFilled ? filled : undefined;
      return filled;
    });
  });
}
