import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { isDistinctive, lettersIn } from '../../base/text/lines.ts';
import { type CommitEvidence, lineDigest } from '../../checkpoint/evidence.ts';
import { openMoved, type Patch } from '../../git/commit/patch.ts';
import type { Claim } from './claim.ts';
import type { LooseLine, LooseMatch } from './match.ts';
import { nearest, SHORT } from './match-lines.ts';

/** A short line of a file that a commit made what it was before. */
interface ShortLine {
  readonly commit: ObjectId;
  readonly text: string;
  readonly beside: string;
}

/**
 * Makes what finds short lines of claims in files that commits make what they were before: each where it stands between the same two lines in the
 * same file. Whether the file was so below the commit, and the claim's commit is there, is still to be asked; here is left out what cannot have been, as far as that costs nothing.
 */
export function openRestored(
  claims: readonly Claim[],
): (patches: readonly Patch[]) => Map<ObjectId, LooseMatch[]> {
  const read = once(() => {
    const states = new Set<string>();
    for (const { path, before, after } of filesOf(claims)) {
      if (before) states.add(`${path}\0${before}`);
      if (after) states.add(`${path}\0${after}`);
    }
    return states;
  });
  return (patches) => {
    const asked = askedIn(patches, read);
    const found = new Map<ObjectId, LooseMatch[]>();
    if (asked.size === 0) return found;
    for (const claim of claims)
      for (const { commit, line } of claim.versions.flatMap((version) => linesIn(version, asked))) {
        const matches = found.get(commit) ?? [];
        found.set(commit, [...matches, { claim, proof: 'lines', isWhole: false, lines: [line] }]);
      }
    return found;
  };
}

function linesIn(
  { commit: from, files }: CommitEvidence,
  asked: ReadonlyMap<string, readonly ShortLine[]>,
): { commit: ObjectId; line: LooseLine }[] {
  return files.flatMap(({ path, after: blob, added }) =>
    added.flatMap(({ lines, above, below }) =>
      lines.flatMap((digest, at) => {
        const places = digest === undefined ? undefined : asked.get(`${path}\0${digest}`);
        if (!places) return [];
        const [upper, lower] = [nearest(lines, at, -1), nearest(lines, at, 1)];
        const beside = besideOf(upper ?? above, lower ?? below);
        return places
          .filter((place) => place.beside === beside)
          .map(({ commit, text }) => ({
            commit,
            line: { text, path, at: path, isBeside: true, blob, from },
          }));
      }),
    ),
  );
}

const filesOf = (claims: readonly Claim[]) =>
  claims.flatMap(({ versions }) => versions.flatMap(({ files }) => files));

/** Of so few commits every short line is looked at: git tells what was there before. */
const FEW = 50;

/** @param patches the newest first: what an older one found may be what a newer one made again */
function askedIn(patches: readonly Patch[], readStates: () => ReadonlySet<string>): Map<string, ShortLine[]> {
  const asked = new Map<string, ShortLine[]>();
  const digestOf = (line: string | undefined) => (line === undefined ? undefined : lineDigest(line));
  const left = new Map<string, number>();
  patches.forEach(({ files }, place) => {
    for (const { path, before } of files) if (before) left.set(`${path}\0${before}`, place);
  });
  for (const [place, patch] of patches.entries()) {
    const isMoved = openMoved(patch);
    const wasSo = (path: string, blob: ObjectId): boolean =>
      patches.length <= FEW ||
      (left.get(`${path}\0${blob}`) ?? -1) > place ||
      readStates().has(`${path}\0${blob}`);
    for (const { path, after, added } of patch.files) {
      if (!after || added.length === 0 || !wasSo(path, after)) continue;
      for (const { lines, above, below } of added) {
        const digests = lines.map(lineDigest);
        lines.forEach((text, at) => {
          if (isDistinctive(text) || lettersIn(text) < SHORT || isMoved(text)) return;
          const beside = besideOf(
            nearest(digests, at, -1) ?? digestOf(above),
            nearest(digests, at, 1) ?? digestOf(below),
          );
          if (beside === NOTHING) return;
          const key = `${path}\0${digests[at]}`;
          asked.set(key, [...(asked.get(key) ?? []), { commit: patch.commit, text, beside }]);
        });
      }
    }
  }
  return asked;
}

const besideOf = (above: string | undefined, below: string | undefined): string =>
  `${above ?? ''}/${below ?? ''}`;

const NOTHING = besideOf(undefined, undefined);
