import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { isTelling } from '../../base/text/lines.ts';
import { lineDigest } from '../../checkpoint/evidence.ts';
import { openMoved, type Patch } from '../../git/commit/patch.ts';
import { openWeigh } from './chance.ts';
import type { Claim } from './claim.ts';
import type { AskedBack, BringingBack, LooseLine, LooseMatch, Match, MatchFacts } from './match.ts';
import { matchSteps, openSteps, openWholes, openWrittenBy } from './match-contents.ts';
import { openLines } from './match-lines.ts';
import { openRestored } from './match-restored.ts';

/** What is told by the patches of commits. */
export interface Told {
  readonly found: Map<ObjectId, Match[]>;
  /** What is only found where it was there before: {@link addRestored}. */
  readonly unsure: readonly Unsure[];
  /** What may be chance, by commit. */
  readonly chances: ReadonlyMap<ObjectId, readonly Match[]>;
}

/** Lines of checkpoints that are too few to be sure of. */
interface Unsure extends Omit<AskedBack, 'lines'> {
  readonly matches: readonly LooseMatch[];
}

/**
 * Makes what tells which checkpoints' work commits hold, by commit.
 *
 * @param claims all that there are: what two of them say proves neither
 */
export function openMatcher(
  claims: readonly Claim[],
  facts: MatchFacts,
): (patches: readonly Patch[]) => Told {
  const findWhole = openWholes(claims);
  const findSteps = openSteps(claims);
  const findLines = openLines(claims);
  const weigh = openWeigh(facts);
  const findRestored = openRestored(claims);
  const byId = new Map(claims.map((claim) => [claim.checkpoint.id, claim]));
  const isLater = (claim: Claim, asked: ObjectId): boolean => facts.isAbove?.(claim, asked) ?? false;
  return (patches) => {
    const found = new Map<ObjectId, Match[]>();
    const chances = new Map<ObjectId, readonly Match[]>();
    const explained = new Map<ObjectId, Map<string, (line: string) => boolean>>();
    for (const patch of patches) {
      if (facts.isOwned?.(patch.commit)) continue;
      const whole = findWhole(patch).filter(({ claim }) => !isLater(claim, patch.commit));
      if (whole.length > 0) {
        const texts = textsOf(patch);
        const brought = whole.filter(({ proof }) => proof === 'commit' || bringsWork(patch));
        const { sure, chance } = weigh(
          patch,
          brought.map((match) => ({ match, texts })),
        );
        if (sure.length > 0) found.set(patch.commit, [...sure]);
        chances.set(patch.commit, chance);
        continue;
      }
      const isMoved = openMoved(patch);
      const stepsTo = findSteps(patch);
      const told = patch.files.map((file) => {
        const { steps: all, isAll: isEnd } = stepsTo(file);
        const steps = all.filter(({ claim }) => !isLater(claim, patch.commit));
        const isWritten = isEnd && steps.length === all.length ? openWrittenBy(steps) : undefined;
        const matches = matchSteps(file, steps, isMoved);
        // They stand and fall together where one leads to the next.
        const texts = isEnd ? textsIn(matches) : undefined;
        const weighed = matches.map((match) => ({ match, texts: texts ?? textsIn([match]) }));
        return { file, weighed, isWritten };
      });
      const { sure, chance } = weigh(
        patch,
        told.flatMap(({ weighed }) => weighed),
      );
      found.set(patch.commit, join(sure));
      chances.set(patch.commit, chance);
      explained.set(
        patch.commit,
        new Map(told.flatMap(({ file, isWritten }) => (isWritten ? [[file.path, isWritten]] : []))),
      );
    }
    const isExplained = (commit: ObjectId, { at, text }: LooseLine): boolean =>
      (explained.get(commit)?.get(at)?.(text) ?? false) || (facts.isKnown?.(commit, text) ?? false);
    const lines = findLines(patches, facts, isExplained);
    for (const some of [lines.found, lines.unsure])
      for (const [commit, matches] of some)
        some.set(
          commit,
          matches.filter(({ claim }) => !isLater(claim, commit)),
        );
    add(found, lines.found);
    for (const patch of patches) add(found, matchNamed(patch, byId, found.get(patch.commit) ?? [], facts));
    const { bringingBack } = facts;
    if (!bringingBack) return { found, unsure: [], chances };
    const isWhole = ({ commit }: Patch): boolean => (found.get(commit) ?? []).some((match) => match.isWhole);
    const reverting = patches.filter((patch) => bringingBack.reverted.has(patch.commit) && !isWhole(patch));
    const { found: reverted } = findLines(reverting, { isElsewhere: () => false, isProposed: false });
    const isCopied = bringingBack.copied([...reverted.values()].flat().flatMap((match) => match.lines));
    const isReverted = (commit: ObjectId, line: LooseLine): boolean =>
      (bringingBack.reverted.get(commit)?.has(lineDigest(line.text) ?? '') ?? false) && !isCopied(line);
    add(found, only(reverted, isReverted));
    for (const patch of patches) {
      const matches = isWhole(patch) ? [] : findRestored(patch);
      if (matches.length > 0)
        lines.unsure.set(patch.commit, [...(lines.unsure.get(patch.commit) ?? []), ...matches]);
    }
    const unsure = patches.flatMap((patch) => {
      const matches = lines.unsure.get(patch.commit);
      const holds = found.get(patch.commit) ?? [];
      const own = holds.map(({ claim }) => claim);
      const named = (facts.named?.(patch.commit) ?? []).flatMap((id) => byId.get(id) ?? []);
      return matches ? { patch, matches, madeOf: [...new Set([...own, ...named])], holds } : [];
    });
    return { found, unsure, chances };
  };
}

/** Adds what commits have brought back. A few processes, where there is anything to ask. */
export function addRestored(
  found: Map<ObjectId, Match[]>,
  unsure: readonly Unsure[],
  { restored }: BringingBack,
): void {
  if (unsure.length === 0) return;
  const asked = unsure.map(({ matches, ...one }) => ({
    ...one,
    lines: matches.flatMap(({ lines }) => lines),
  }));
  const all = new Map(unsure.map(({ patch, matches }) => [patch.commit, matches]));
  add(found, only(all, restored(asked)));
}

/** Whether there is a line in it that was not there before, or something that has no lines: to move and to remove leaves nothing of anybody. */
function bringsWork(patch: Patch): boolean {
  const isMoved = openMoved(patch);
  return patch.files.some(
    ({ after, added, removed }) =>
      added.some(({ lines }) => lines.some((line) => isTelling(line) && !isMoved(line))) ||
      (after !== undefined && added.length === 0 && removed.length === 0),
  );
}

/** Who names a checkpoint says what is to be looked for: that is no proof, and a line of it is. */
function matchNamed(
  patch: Patch,
  claims: ReadonlyMap<CheckpointId, Claim>,
  found: readonly Match[],
  { named }: MatchFacts,
): Map<ObjectId, Match[]> {
  const isFound = new Set(found.map(({ claim }) => claim.checkpoint.id));
  const ids = new Set(named?.(patch.commit).filter((id) => !isFound.has(id)));
  if (ids.size === 0) return new Map();
  const own = [...ids].flatMap((id) => claims.get(id) ?? []);
  return openLines(own)([patch], { isElsewhere: () => false, isProposed: true }).found;
}

function add(found: Map<ObjectId, Match[]>, more: ReadonlyMap<ObjectId, readonly Match[]>): void {
  for (const [commit, matches] of more) found.set(commit, join([...(found.get(commit) ?? []), ...matches]));
}

/** As far as commits bring that back. */
const only = (
  found: ReadonlyMap<ObjectId, readonly LooseMatch[]>,
  isBack: (commit: ObjectId, line: LooseLine) => boolean,
): Map<ObjectId, Match[]> =>
  new Map(
    [...found].map(([commit, matches]) => [
      commit,
      matches.flatMap((match): Match[] => {
        const lines = match.lines.filter((line) => isBack(commit, line));
        return lines.length > 0 ? [{ ...match, lines }] : [];
      }),
    ]),
  );

const textsOf = ({ files }: Patch): string[] =>
  files.flatMap(({ added }) => added.flatMap(({ lines }) => lines));

const textsIn = (matches: readonly Match[]): string[] =>
  matches.flatMap(({ lines }) => lines.map(({ text }) => text));

/** What may be chance goes along, where nothing else is found of the checkpoint. */
export function withChances(
  found: Map<ObjectId, Match[]>,
  chances: ReadonlyMap<ObjectId, readonly Match[]>,
): Map<ObjectId, Match[]> {
  for (const [commit, matches] of chances) {
    const sure = found.get(commit) ?? [];
    const isFound = new Set(sure.map(({ claim }) => claim.checkpoint.id));
    const open = matches.filter(({ claim }) => !isFound.has(claim.checkpoint.id));
    if (open.length > 0)
      found.set(commit, [...sure, ...join(open).map((match) => ({ ...match, isChance: true }))]);
  }
  return found;
}

/** All that is found of one checkpoint in a commit, as one. */
function join(matches: readonly Match[]): Match[] {
  const byId = new Map<CheckpointId, Match>();
  for (const match of matches) {
    const { id } = match.claim.checkpoint;
    const known = byId.get(id);
    const lines = new Map(
      [...(known?.lines ?? []), ...match.lines].map((line) => [`${line.path}\0${line.text}`, line]),
    );
    byId.set(id, { ...(known ?? match), lines: [...lines.values()] });
  }
  return [...byId.values()];
}
