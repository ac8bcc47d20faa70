import type { ObjectId } from '../../base/ids.ts';
import type { FilePatch } from '../../git/commit/patch.ts';
import type { AskedBack, LooseLine } from './match.ts';
import type { Stood } from './stood.ts';

/** Whether a line stands in a file, by the name that git has for that. */
type IsIn = (name: string, line: LooseLine) => boolean;

/** Tells of lines that stand in another file than the one that their session wrote them into. */
interface Moves {
  /** The files that have to be read for it. */
  names(commit: ObjectId, line: LooseLine): string[];
  isMoved(commit: ObjectId, line: LooseLine, isIn: IsIn): boolean;
}

/** More commits give a file one content only where it goes back and forth. */
const MOST_MOVES = 8;

/**
 * Tells whether a commit has a line in another file because it was moved there: by a commit that this one was made of, or whose file it took over;
 * or as the whole file, which had another name below this commit, and is not there any more as it was.
 */
export function openMoves(
  asked: readonly AskedBack[],
  { stood, makersOf, isFrom }: Stood,
  fileOf: (commit: ObjectId, line: LooseLine) => FilePatch | undefined,
): Moves {
  const sources = new Map(
    asked.map(({ patch: { commit }, holds }) => [
      commit,
      holds.flatMap(({ claim }) => claim.versions.map((version) => version.commit)),
    ]),
  );
  const moversOf = (commit: ObjectId, line: LooseLine): ObjectId[] => {
    const { path, at, blob, isBeside } = line;
    if (path === at || !isBeside) return [];
    const all = [...(sources.get(commit) ?? []), ...makersOf(at, fileOf(commit, line)?.after)];
    const others = [...new Set(all)].filter((other) => other !== commit && stood(other, path, blob));
    return others.slice(0, MOST_MOVES);
  };
  const hadName = (commit: ObjectId, line: LooseLine): boolean =>
    line.path !== line.at && isFrom(commit, { ...line, at: line.path }, fileOf(commit, line)?.after, true);
  return {
    names: (commit, line) => [
      ...(hadName(commit, line) ? [nameBefore(commit, line.path)] : []),
      ...moversOf(commit, line).flatMap((mover) => Object.values(namesOf(mover, line))),
    ],
    isMoved: (commit, line, isIn) =>
      (hadName(commit, line) && !isIn(nameBefore(commit, line.path), line)) ||
      moversOf(commit, line).some((mover) => {
        const { from, left, before, after } = namesOf(mover, line);
        return isIn(from, line) && !isIn(left, line) && !isIn(before, line) && isIn(after, line);
      }),
  };
}

/** The two files of a move, before it and after. */
const namesOf = (mover: ObjectId, { path, at }: LooseLine) => ({
  from: nameBefore(mover, path),
  left: `${mover}:${path}`,
  before: nameBefore(mover, at),
  after: `${mover}:${at}`,
});

const nameBefore = (commit: ObjectId, path: string): string => `${commit}~1:${path}`;
