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
 * the commit names, nor what was committed right before or after work that is sure, nor a file that has no lines: nobody makes a picture again, byte for byte.
 */
export const openWeigh =
  ({ isElsewhere, named }: Pick<MatchFacts, 'isElsewhere' | 'named'>) =>
  ({ commit, files }: Patch, found: readonly Weighed[]): Split => {
    const isSure = ({ match: { claim, proof, isWhole }, texts }: Weighed): boolean =>
      proof === 'commit' ||
      texts.some(isDistinctive) ||
      (isWhole && files.some(isWithoutLines)) ||
      !isElsewhere(claim, commit) ||
      (named?.(commit) ?? []).includes(claim.checkpoint.id);
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

/** Whether a commit made something of it that has no lines, as of a picture; an empty file is nothing. */
const isWithoutLines = ({ after, added, removed }: FilePatch): boolean =>
  after !== undefined && !EMPTY.includes(after) && added.length === 0 && removed.length === 0;

/** What git calls a file without contents, by either of its digests. */
const EMPTY: readonly string[] = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
];

/** Whether one was committed right on top of the other. */
const areBeside = (a: Claim, b: Claim): boolean => isOnTop(a, b) || isOnTop(b, a);

const isOnTop = (upper: Claim, lower: Claim): boolean =>
  upper.versions.some(({ parents }) => lower.versions.some(({ commit }) => parents.includes(commit)));
