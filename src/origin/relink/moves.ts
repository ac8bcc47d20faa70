import type { ObjectId } from '../../base/ids.ts';
import { oncePer } from '../../base/once.ts';
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

/** What may have moved a line to the file that a commit has it in. */
interface MayBeMoved {
  /** Commits that this one is made of, or whose file it took over. */
  readonly madeOf: readonly Move[];
  /** What commits that this one was made of are known to have moved to the file, which is as they made it: they may be here no more. */
  readonly stored: readonly Move[];
  /** Commits below, where the file was changed since. */
  readonly below: readonly Move[];
  /** The commit right before may have taken it out of the other file: to move a line is to do both, if need be one after the other. */
  readonly isNext: boolean;
  /** The whole file may have had the other name. */
  readonly hadName: boolean;
}

/** More commits give a file one content only where it goes back and forth, or change two files that nobody changes without the other. */
const MOST_MOVES = 8;

/**
 * Tells whether a commit has a line in another file because it was moved there: by a commit that this one was made of, which need not be here any
 * more, or whose file it took over; by one below, after which the line was taken out; by the one right before and this one together; or as the
 * whole file, which had another name below this commit, and is not there any more as it was.
 *
 * @param filesWith the files of a commit that have a line
 */
export function openMoves(
  asked: readonly AskedBack[],
  { stood, makersOf, namersOf, isBelow, isFrom }: Stood,
  fileOf: (commit: ObjectId, line: LooseLine) => FilePatch | undefined,
  filesWith: (commit: string, line: LooseLine) => readonly string[] | undefined,
): Moves {
  const sources = new Map(
    asked.map(({ patch: { commit }, holds }) => [commit, holds.flatMap(({ claim }) => claim.versions)]),
  );
  const madeOf = (commit: ObjectId, line: LooseLine): ObjectId[] => {
    const { path, at, blob, isBeside } = line;
    if (path === at || !isBeside) return [];
    const made = (sources.get(commit) ?? []).map((version) => version.commit);
    const all = [...made, ...makersOf(at, fileOf(commit, line)?.after)];
    const others = [...new Set(all)].filter((other) => other !== commit && stood(other, path, blob));
    return others.slice(0, MOST_MOVES);
  };
  const isWorkBelow = (commit: ObjectId, { path, blob, checkpoint }: LooseLine): boolean =>
    [...makersOf(path, blob), ...namersOf(checkpoint)].some((work) => isBelow(commit, work));
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
  // The same for all lines of two files, which thousands of commits may have changed.
  const moversBelow = oncePer(
    (commit: ObjectId, { path, at }: LooseLine) => `${commit}\0${path}\0${at}`,
    (commit, { at, movers = [] }) => {
      const below = new Set<ObjectId>();
      for (const mover of movers)
        for (const other of [mover.commit, ...makersOf(at, mover.after)]) {
          if (below.size === MOST_MOVES) return [...below];
          if (other !== commit && isBelow(commit, other)) below.add(other);
        }
      return [...below];
    },
  );
  // Asked twice: for the files that have to be read, and when they are.
  const look = oncePer(
    (_: ObjectId, line: LooseLine) => line,
    (commit, line): MayBeMoved => {
      const byAll = (movers: readonly ObjectId[]): Move[] => movers.map((mover) => moveBy(mover, line));
      const below = line.movers ? moversBelow(commit, line).filter((mover) => isWorkBelow(mover, line)) : [];
      return {
        madeOf: byAll(madeOf(commit, line)),
        stored: storedOf(commit, line),
        below: byAll(below),
        isNext: line.movers !== undefined && isWorkBelow(commit, line),
        hadName:
          line.path !== line.at &&
          isFrom(commit, { ...line, at: line.path }, fileOf(commit, line)?.after, true),
      };
    },
  );
  /** Whether it stands in these files alone: where it stands in one more, it may be from there. */
  const standsIn = (commit: string, line: LooseLine, paths: readonly string[]): boolean =>
    filesWith(commit, line)?.every((path) => paths.includes(path)) === true;
  return {
    names(commit, line) {
      const { madeOf, stored, below, isNext, hadName } = look(commit, line);
      return [
        ...(isNext || hadName ? [nameBefore(commit, line.path)] : []),
        ...(isNext ? [nameBefore(`${commit}~1`, line.path)] : []),
        ...[...madeOf, ...below, ...stored].flatMap((move) =>
          Object.values(move).filter((name) => name !== undefined),
        ),
      ];
    },
    isMoved(commit, line, held) {
      const { madeOf, stored, below, isNext, hadName } = look(commit, line);
      const has = (name: string | undefined): boolean => held.has(name, line);
      const isMove = ({ from, left, before, after }: Move): boolean =>
        has(from) && !has(left) && !has(before) && has(after);
      // What a commit that is here no more had left of a file need not be here, either.
      const isKnown = ({ left }: Move): boolean => left === undefined || held.isThere(left);
      const before = nameBefore(commit, line.path);
      if (hadName && !has(before)) return true;
      if (madeOf.some(isMove) || stored.some((move) => isKnown(move) && isMove(move))) return true;
      // Who has it in the other one, too, has copied it.
      if (has(`${commit}:${line.path}`)) return false;
      const isTakenOut = isNext && !has(before) && has(nameBefore(`${commit}~1`, line.path));
      if (!isTakenOut && !below.some(isMove)) return false;
      return standsIn(`${commit}~1`, line, []) && (!isTakenOut || standsIn(`${commit}~2`, line, [line.path]));
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
