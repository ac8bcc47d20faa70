import { groupBy } from '../../base/group-by.ts';
import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { isDistinctive, lettersIn } from '../../base/text/lines.ts';
import { type AddedEvidence, lineDigest } from '../../checkpoint/evidence.ts';
import { type AddedRun, openMoved, type Patch } from '../../git/commit/patch.ts';
import { SHORT } from './asked-lines.ts';
import type { Claim } from './claim.ts';
import type { LooseMatch } from './match.ts';
import { isSame, nearest } from './match-lines.ts';

/** A file as a commit of a checkpoint made it. */
interface MadeFile {
  readonly claim: Claim;
  readonly from: ObjectId;
  readonly blob: ObjectId | undefined;
  readonly added: readonly AddedEvidence[];
}

/** Where such a commit put a line: between which, as far as that is known. */
interface Place {
  readonly file: MadeFile;
  readonly digest: string;
  readonly upper: string | undefined;
  readonly lower: string | undefined;
}

/**
 * Makes what finds short lines of claims that a commit adds: each where it stands beside the same line in the same file. Whether the commit
 * made the file what it was below it, and the claim's commit is there, is still to be asked. What is found of a commit depends on that one alone.
 */
export function openRestored(claims: readonly Claim[]): (patch: Patch) => LooseMatch[] {
  const readFiles = once(() => filesByPath(claims));
  // Of files that commits have short lines in: those of most checkpoints are never asked for.
  const known = new Map<string, ReadonlyMap<string, readonly Place[]>>();
  const placesIn = (path: string): ReadonlyMap<string, readonly Place[]> => {
    const places = known.get(path) ?? placesByDigest(readFiles().get(path) ?? []);
    known.set(path, places);
    return places;
  };
  return (patch) => {
    const isMoved = openMoved(patch);
    const matches: LooseMatch[] = [];
    for (const { path, after, added } of patch.files) {
      if (!after || !readFiles().has(path)) continue;
      const seen = new Set<string>(); // data has the same line again and again
      for (const run of added)
        run.lines.forEach((text, at) => {
          if (lettersIn(text) < SHORT || isDistinctive(text) || isMoved(text)) return;
          const digest = lineDigest(text);
          const places = digest === undefined ? undefined : placesIn(path).get(digest);
          if (!places) return;
          const [upper, lower] = besideIn(run, at);
          const key = `${digest} ${upper} ${lower}`;
          if ((upper === undefined && lower === undefined) || seen.has(key)) return;
          seen.add(key);
          for (const { file, ...theirs } of places) {
            const { claim, blob, from } = file;
            const isHere = isSame(theirs.upper, upper) || isSame(theirs.lower, lower);
            if (from === patch.commit || !isHere) continue;
            const { id: checkpoint } = claim.checkpoint;
            const line = { text, path, at: path, checkpoint, isBeside: true, blob, from };
            matches.push({ claim, proof: 'lines', isWhole: false, lines: [line] });
          }
        });
    }
    return matches;
  };
}

function filesByPath(claims: readonly Claim[]): Map<string, MadeFile[]> {
  const all = claims.flatMap((claim) =>
    claim.versions.flatMap(({ commit: from, files }) =>
      files.flatMap(({ path, after: blob, added }) => (blob ? { path, claim, from, blob, added } : [])),
    ),
  );
  return groupBy(all, ({ path }) => path);
}

function placesByDigest(files: readonly MadeFile[]): Map<string, Place[]> {
  const places = files.flatMap((file) => {
    const own = new Map<string, Place>();
    for (const { lines, above, below } of file.added)
      lines.forEach((digest, at) => {
        if (digest === undefined) return;
        const [upper, lower] = [nearest(lines, at, -1) ?? above, nearest(lines, at, 1) ?? below];
        own.set(`${digest} ${upper} ${lower}`, { file, digest, upper, lower });
      });
    return [...own.values()];
  });
  return groupBy(places, ({ digest }) => digest);
}

/** The next lines above and below that say something, as digests: of no more lines than it takes. */
function besideIn(
  { lines, above, below }: AddedRun,
  at: number,
): [upper: string | undefined, lower: string | undefined] {
  const near = (step: 1 | -1): string | undefined => {
    for (let next = at + step; next in lines; next += step) {
      const digest = lineDigest(lines[next] as string);
      if (digest !== undefined) return digest;
    }
    const end = step < 0 ? above : below;
    return end === undefined ? undefined : lineDigest(end);
  };
  return [near(-1), near(1)];
}
