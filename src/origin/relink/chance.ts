import { isDistinctive } from '../../base/text/lines.ts';
import type { FilePatch, Patch } from '../../git/commit/patch.ts';
import type { Claim } from './claim.ts';
import type { Match, MatchFacts } from './match.ts';

/** What is found of a checkpoint, and the lines that say whether that is chance. */
export interface Weighed {
  readonly match: Match;
  readonly texts: readonly string[];
}

export interface Split {
  readonly sure: readonly Match[];
  /** It may be so, and nothing proves it. */
  readonly chance: readonly Match[];
}

/**
 * Takes out what may be chance: two people bump the same version, or write the same short line. Work that stands nowhere else is no chance, nor is what
 * the commit names, nor what was committed right before or after work that is sure, nor a file that is no text: nobody makes a picture again, byte for byte.
 */
export const openWeigh =
  ({ isElsewhere, isBinary, named }: Pick<MatchFacts, 'isElsewhere' | 'isBinary' | 'named'>) =>
  ({ commit, files }: Patch, found: readonly Weighed[]): Split => {
    const isSure = ({ match: { claim, proof, isWhole }, texts }: Weighed): boolean =>
      proof === 'commit' ||
      texts.some(isDistinctive) ||
      !isElsewhere(claim, commit) ||
      (named?.(commit) ?? []).includes(claim.checkpoint.id) ||
      (isWhole && files.some(({ after, ...file }) => after && isWithoutLines(file) && isBinary(after)));
    const sure: Match[] = [];
    let chance: Match[] = [];
    for (const one of found) (isSure(one) ? sure : chance).push(one.match);
    for (let at = 0; chance.length > 0 && at < sure.length; at++) {
      const { claim } = sure[at] as Match;
      const beside = chance.filter((match) => areBeside(match.claim, claim));
      sure.push(...beside);
      chance = chance.filter((match) => !beside.includes(match));
    }
    return { sure, chance };
  };

/** Whether git names no line of it, as of a picture; and as of a text that is very long, or for which it was told so. */
const isWithoutLines = ({ added, removed }: Pick<FilePatch, 'added' | 'removed'>): boolean =>
  added.length === 0 && removed.length === 0;

/** Whether one was committed right on top of the other. */
const areBeside = (a: Claim, b: Claim): boolean => isOnTop(a, b) || isOnTop(b, a);

const isOnTop = (upper: Claim, lower: Claim): boolean =>
  upper.versions.some(({ parents }) => lower.versions.some(({ commit }) => parents.includes(commit)));
