import type { ObjectId } from '../../base/ids.ts';
import type { FilePatch } from '../../git/commit/patch.ts';
import type { Held } from './holds.ts';
import { type AskedBack, isTellingByItself, type LooseLine } from './match.ts';
import type { Stood } from './stood.ts';

/** Tells of lines that stand in another file than the one that their session wrote them into. */
interface Moves {
  /** The files that have to be read for it. */
  names(commit: ObjectId, line: LooseLine): string[];
  isMoved(commit: ObjectId, line: LooseLine, held: Held): boolean;
}

/** The two files of a move, by the names that git has for them; `undefined` where there is none. */
interface Move {
  /** The one that had the line, and what is left of it. */
  readonly from: string;
  readonly left: string | undefined;
  /** The one that got it. */
  readonly before: string | undefined;
  readonly after: string;
}

/** More commits give a file one content only where it goes back and forth, or change two files that nobody changes without the other. */
const MOST_MOVES = 8;

/**
 * Tells whether a commit has a line in another file because it was moved there: by a commit that this one was made of, which need not be here any
 * more, or whose file it took over; by one below, after which the line was taken out; by the one right before and this one together; or as the
 * whole file, which had another name below this commit, and is not there any more as it was.
 */
export function openMoves(
  asked: readonly AskedBack[],
  { stood, makersOf, namersOf, isBelow, isFrom }: Stood,
  fileOf: (commit: ObjectId, line: LooseLine) => FilePatch | undefined,
): Moves {
  const sources = new Map(
    asked.map(({ patch: { commit }, holds }) => [commit, holds.flatMap(({ claim }) => claim.versions)]),
  );
  const moversOf = (commit: ObjectId, line: LooseLine): ObjectId[] => {
    const { path, at, blob, isBeside } = line;
    if (path === at || !isBeside) return [];
    const made = (sources.get(commit) ?? []).map((version) => version.commit);
    const all = [...made, ...makersOf(at, fileOf(commit, line)?.after)];
    const others = [...new Set(all)].filter((other) => other !== commit && stood(other, path, blob));
    return others.slice(0, MOST_MOVES);
  };
  const isWorkBelow = (commit: ObjectId, { path, blob, checkpoint }: LooseLine): boolean =>
    [...makersOf(path, blob), ...namersOf(checkpoint)].some((work) => isBelow(commit, work));
  /** What commits that this one was made of are known to have moved to the file, which is as they made it: they may be here no more. */
  const storedOf = (commit: ObjectId, line: LooseLine): Move[] => {
    const { path, at } = line;
    const after = fileOf(commit, line)?.after;
    if (path === at || !after || !isTellingByItself(line)) return [];
    const moves = (sources.get(commit) ?? []).flatMap(({ files }): Move[] => {
      const [source, target] = [path, at].map((name) => files.find((file) => file.path === name));
      if (!source?.before || target?.after !== after || target.before === after) return [];
      return [{ from: source.before, left: source.after, before: target.before, after }];
    });
    return moves.length > 0 && isWorkBelow(commit, line) ? moves.slice(0, MOST_MOVES) : [];
  };
  /** Commits below that may have moved it to the file, which was changed since. */
  const moversBelow = (commit: ObjectId, line: LooseLine): ObjectId[] => {
    const { at, movers = [] } = line;
    const all = movers.flatMap((mover) => [mover.commit, ...makersOf(at, mover.after)]);
    const below = [...new Set(all)].filter((other) => other !== commit && isBelow(commit, other));
    return below.slice(0, MOST_MOVES).filter((other) => isWorkBelow(other, line));
  };
  /** Whether the commit right before may have taken it out of the other file: to move a line is to do both, if need be one after the other. */
  const mayBeNext = (commit: ObjectId, line: LooseLine): boolean =>
    line.movers !== undefined && isWorkBelow(commit, line);
  const hadName = (commit: ObjectId, line: LooseLine): boolean =>
    line.path !== line.at && isFrom(commit, { ...line, at: line.path }, fileOf(commit, line)?.after, true);
  return {
    names(commit, line) {
      const movers = [...moversOf(commit, line), ...moversBelow(commit, line)];
      const moves = [...movers.map((mover) => moveBy(mover, line)), ...storedOf(commit, line)];
      const isNext = mayBeNext(commit, line);
      return [
        ...(isNext || hadName(commit, line) ? [nameBefore(commit, line.path)] : []),
        ...(isNext ? [nameBefore(`${commit}~1`, line.path)] : []),
        ...moves.flatMap((move) => Object.values(move).filter((name) => name !== undefined)),
      ];
    },
    isMoved(commit, line, held) {
      const has = (name: string | undefined): boolean => held.has(name, line);
      const isMove = ({ from, left, before, after }: Move): boolean =>
        has(from) && !has(left) && !has(before) && has(after);
      // What a commit that is here no more had left of a file need not be here, either.
      const isKnown = ({ left }: Move): boolean => left === undefined || held.isThere(left);
      const before = nameBefore(commit, line.path);
      return (
        (hadName(commit, line) && !has(before)) ||
        moversOf(commit, line).some((mover) => isMove(moveBy(mover, line))) ||
        storedOf(commit, line).some((move) => isKnown(move) && isMove(move)) ||
        // Who has it in the other one, too, has copied it.
        (!has(`${commit}:${line.path}`) &&
          ((mayBeNext(commit, line) && !has(before) && has(nameBefore(`${commit}~1`, line.path))) ||
            moversBelow(commit, line).some((mover) => isMove(moveBy(mover, line)))))
      );
    },
  };
}

const moveBy = (mover: ObjectId, { path, at }: LooseLine): Move => ({
  from: nameBefore(mover, path),
  left: `${mover}:${path}`,
  before: nameBefore(mover, at),
  after: `${mover}:${at}`,
});

const nameBefore = (commit: string, path: string): string => `${commit}~1:${path}`;
