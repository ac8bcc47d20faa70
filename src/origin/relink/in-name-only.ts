import type { ObjectId } from '../../base/ids.ts';
import { isAncestor } from '../../git/commit/commits.ts';
import type { Git } from '../../git/run.ts';
import type { NamedBy } from './elsewhere.ts';
import { isTellingByItself, type LooseMatch, type Match } from './match.ts';
import type { Told } from './matcher.ts';

/** Finds the work of checkpoints in commits below those that name them, and hold nothing of it: these were made anew. */
interface InNameOnly {
  /** Takes what was found of checkpoints, and is too little to be sure of while their work stands elsewhere. */
  add(unsure: Told['unsure']): void;
  /** @param confirmed what all commits hold */
  find(confirmed: ReadonlyMap<ObjectId, readonly Match[]>): Map<ObjectId, Match[]>;
}

interface Waiting {
  readonly commit: ObjectId;
  readonly match: LooseMatch;
  /** The commits that name its checkpoint. */
  readonly namers: readonly ObjectId[];
}

/** A process for each that may be one. @param isLookedAt of others nobody knows what they hold */
export function openInNameOnly(
  git: Git,
  namedBy: NamedBy | undefined,
  isLookedAt: (commit: ObjectId) => boolean,
): InNameOnly {
  const waiting: Waiting[] = [];
  return {
    add(unsure) {
      for (const { patch, matches } of unsure)
        for (const match of matches) {
          const lines = match.lines.filter((line) => line.path === line.at && isTellingByItself(line));
          if (lines.length === 0) continue;
          const namers = namedBy?.(match.claim, patch.commit) ?? [];
          if (namers.length > 0 && namers.every(isLookedAt))
            waiting.push({ commit: patch.commit, match: { ...match, lines }, namers });
        }
    },
    find(confirmed) {
      const found = new Map<ObjectId, Match[]>();
      for (const { commit, match, namers } of waiting) {
        const holds = (other: ObjectId): boolean =>
          confirmed.get(other)?.some(({ claim, isChance }) => claim === match.claim && !isChance) ?? false;
        if (holds(commit) || namers.some(holds)) continue;
        if (!namers.every((namer) => isAncestor(git, commit, namer))) continue;
        found.set(commit, [...(found.get(commit) ?? []), match]);
      }
      return found;
    },
  };
}
