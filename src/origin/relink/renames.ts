import type { ObjectId } from '../../base/ids.ts';
import type { AskedFile, Held } from './holds.ts';
import type { LooseLine } from './match.ts';
import type { Stood } from './stood.ts';

/** Tells of lines that stood in a file below a commit, where a session had written them under another name that it had. */
interface Renames {
  /** What has to be read for it. */
  files(commit: ObjectId, line: LooseLine): AskedFile[];
  isRenamed(commit: ObjectId, line: LooseLine, held: Held): boolean;
}

/** More commits make one file only where it comes and goes. */
const MOST_CREATORS = 8;

/**
 * Whether a file had another name is told by a commit below the one that is asked about, whatever others say of these names: it made the file, with the
 * line in it, where the session's work was below it or its own, and left none of the other name. Else it is a copy.
 */
export function openRenames({ creatorsOf, makersOf, namersOf, isBelow }: Stood): Renames {
  const creatorsFor = (commit: ObjectId, line: LooseLine): ObjectId[] => {
    const { path, at, blob, checkpoint, isRenamed = false } = line;
    if (!isRenamed) return [];
    // What was made anew of the session's commit names its checkpoint.
    const works = [...makersOf(path, blob), ...namersOf(checkpoint)];
    const creators: ObjectId[] = [];
    for (const creator of creatorsOf(at)) {
      if (creators.length === MOST_CREATORS) break;
      const hasWork = (): boolean => works.some((work) => work === creator || isBelow(creator, work));
      if (creator !== commit && isBelow(commit, creator) && hasWork()) creators.push(creator);
    }
    return creators;
  };
  return {
    files: (commit, line) =>
      creatorsFor(commit, line).flatMap((creator): AskedFile[] => [
        [`${creator}:${line.at}`, line],
        [`${creator}:${line.path}`, line],
      ]),
    isRenamed: (commit, line, held) =>
      creatorsFor(commit, line).some(
        (creator) => held.has(`${creator}:${line.at}`, line) && !held.isThere(`${creator}:${line.path}`),
      ),
  };
}
