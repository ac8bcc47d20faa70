import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { type CommitEvidence, lineDigest } from '../../checkpoint/evidence.ts';
import type { FilePatch, Patch } from '../../git/commit/patch.ts';
import { type AskedLine, linesByDigest, type Neighbour } from './asked-lines.ts';
import type { Claim } from './claim.ts';
import { isTellingByItself, type LooseLine, type LooseMatch, type MatchFacts } from './match.ts';
import { type Names, openNames } from './names.ts';

/** What is found in commits. */
export interface FoundLines {
  readonly found: Map<ObjectId, LooseMatch[]>;
  /** Too little to be sure of, since the work of the checkpoint stands elsewhere, too. */
  readonly unsure: Map<ObjectId, LooseMatch[]>;
}

/** Makes what finds lines of claims among those that commits add. */
export function openLines(claims: readonly Claim[]): FindLines {
  const { among, isRare } = openVersions(claims);
  const names = openNames(claims);
  return (patches, { isElsewhere, isProposed, takesAll, bringingBack }, isExplained = () => false) => {
    const asked = linesByDigest(patches, isProposed);
    const all: FoundLines = { found: new Map(), unsure: new Map() };
    if (asked.size === 0) return all;
    const hasFile = openHasFile(patches);
    const isReverted = (commit: ObjectId, digest: string): boolean =>
      bringingBack?.reverted.get(commit)?.has(digest) ?? false;
    const looks = { names, isRare, isReverted };
    for (const { claim, version } of among(asked))
      for (const { commit, lines, loose, isSure, isAll } of countIn({ claim, version }, asked, looks)) {
        const isEnough = isSure || (takesAll === true && isAll);
        const isFound = isEnough || !isElsewhere(claim, commit) || hasFile(version, commit, lines);
        const put = (matches: Map<ObjectId, LooseMatch[]>, those: readonly LooseLine[]): void => {
          const open = those.filter((line) => !isExplained(commit, line));
          if (open.length === 0) return;
          const match = { claim, proof: 'lines', isWhole: false, lines: open } as const;
          matches.set(commit, [...(matches.get(commit) ?? []), match]);
        };
        put(isFound ? all.found : all.unsure, lines);
        put(all.unsure, loose);
      }
    return all;
  };
}

/** @param isExplained lines of commits that are counted, and not told: they are known to be those of others */
export type FindLines = (
  patches: readonly Patch[],
  facts: Pick<MatchFacts, 'isElsewhere' | 'isProposed' | 'takesAll' | 'bringingBack'>,
  isExplained?: (commit: ObjectId, line: LooseLine) => boolean,
) => FoundLines;

/** A commit that a checkpoint was made for. */
interface Version {
  readonly claim: Claim;
  readonly version: CommitEvidence;
}

/** A line that more commits of checkpoints have is one that stands in many files, and says of none where it is from. */
const MOST_WITH_LINE = 8;

interface Versions {
  /** Those that have some of the lines, in their order: of thousands few have any. */
  among(asked: ReadonlyMap<string, unknown>): Version[];
  /** Whether few have the line. */
  isRare(digest: string): boolean;
}

function openVersions(claims: readonly Claim[]): Versions {
  const versions = claims.flatMap((claim) => claim.versions.map((version) => ({ claim, version })));
  const read = once(() => {
    const places = new Map<string, number | number[]>();
    const put = (digest: string, place: number): void => {
      const known = places.get(digest);
      if (known === undefined) places.set(digest, place);
      else if (typeof known !== 'number') {
        if (known.at(-1) !== place) known.push(place);
      } else if (known !== place) places.set(digest, [known, place]);
    };
    versions.forEach(({ version }, place) => {
      for (const { added } of version.files)
        for (const { lines } of added)
          for (const digest of lines) if (digest !== undefined) put(digest, place);
    });
    return places;
  });
  return {
    among(asked) {
      const places = read();
      const found = new Set<number>();
      for (const digest of asked.keys()) {
        const known = places.get(digest);
        if (typeof known === 'number') found.add(known);
        else for (const place of known ?? []) found.add(place);
      }
      return [...found].sort((a, b) => a - b).map((place) => versions[place] as Version);
    },
    isRare(digest) {
      const known = read().get(digest);
      return typeof known === 'number' || (known?.length ?? 0) <= MOST_WITH_LINE;
    },
  };
}

/** What one commit has of another's lines. */
interface Count {
  readonly commit: ObjectId;
  readonly lines: readonly LooseLine[];
  /** Those that prove nothing, unless their file had the other name below the commit: before it was given this one, or as it is now. */
  readonly loose: readonly LooseLine[];
  /** There are so many that it is no chance. */
  readonly isSure: boolean;
  /** It has no other line that says something. */
  readonly isAll: boolean;
}

interface Counting {
  readonly lines: Map<string, LooseLine>;
  readonly loose: LooseLine[];
  readonly count: Set<string>;
  /** Lines of the commit that stand beside one that they stood beside there. */
  readonly beside: Set<AskedLine>;
}

const newCount = (): Counting => ({ lines: new Map(), loose: [], count: new Set(), beside: new Set() });

/** So many lines, each with one beside it that stood beside it there. */
const SURE = 3;

/** What may tell that a line in another file is in the same one: whoever gave it its name, who takes back what was done to it says so. */
interface Looks extends Pick<Versions, 'isRare'> {
  readonly names: Names;
  /** Whether a commit says that it takes back what took the line out. */
  isReverted(commit: ObjectId, digest: string): boolean;
}

/** A line in another file proves nothing without the one beside it, as far as nothing says that it may have come from there. */
function countIn(
  { claim: { checkpoint }, version }: Version,
  asked: ReadonlyMap<string, readonly AskedLine[]>,
  { names, isRare, isReverted }: Looks,
): Count[] {
  const counts = new Map<ObjectId, Counting>();
  let total = 0;
  const [parent] = version.parents;
  for (const { path, after: blob, added } of version.files)
    for (const { lines, above, below } of added)
      lines.forEach((digest, at) => {
        if (digest === undefined) return;
        total++;
        const places = asked.get(digest);
        if (!places) return;
        const [before, after] = [neighbour(lines, at, -1, above), neighbour(lines, at, 1, below)];
        for (const line of places) {
          const isBeside = line.run.isBeside(line.at, -1, before) || line.run.isBeside(line.at, 1, after);
          const isLoose = line.path !== path && !isBeside;
          const isRenamed = isLoose && (names.mayBecome(path, line.path) || isReverted(line.commit, digest));
          const isTelling = isLoose && isTellingByItself(line) && isRare(digest);
          if (isLoose && !isRenamed && !isTelling && !names.mayBeFrom(path, line.file)) continue;
          const count = counts.get(line.commit) ?? newCount();
          const found = {
            text: line.text,
            path,
            at: line.path,
            checkpoint: checkpoint.id,
            ...{ isBeside, isRenamed },
            ...(isTelling && { movers: names.changersOf(path, line.path) }),
            blob,
            parent,
          };
          if (isLoose) count.loose.push(found);
          else {
            count.lines.set(`${path}\0${line.path}\0${digest}`, found);
            count.count.add(`${path}\0${digest}`);
          }
          if (isBeside) count.beside.add(line);
          counts.set(line.commit, count);
        }
      });
  return [...counts].map(([commit, { lines, loose, count, beside }]) => ({
    ...{ commit, loose },
    lines: [...lines.values()],
    // A person writes one line, or one of two, again where they need it.
    isAll: count.size === total,
    isSure: beside.size >= SURE || (count.size * 2 >= total && (count.size > 1 || beside.size > 0)),
  }));
}

/** Tells whether a commit has all that another one put into a file there, and these lines are of it: who wrote one line again wrote no more. */
function openHasFile(
  patches: readonly Patch[],
): (version: CommitEvidence, commit: ObjectId, lines: readonly LooseLine[]) => boolean {
  const read = new Map<string, ReadonlySet<string | undefined>>();
  const files = new Map<string, FilePatch>(
    patches.flatMap(({ commit, files }) => files.map((file) => [`${commit}\0${file.path}`, file] as const)),
  );
  return (version, commit, lines) =>
    version.files.some(({ path, added }) => {
      const key = `${commit}\0${path}`;
      const there = files.get(key);
      if (!there || lines.filter((line) => line.path === path && line.at === path).length < 2) return false;
      const digests = read.get(key) ?? new Set(there.added.flatMap((run) => run.lines.map(lineDigest)));
      read.set(key, digests);
      return added.every((run) => run.lines.every((digest) => digest === undefined || digests.has(digest)));
    });
}

/** The next line that says something. */
export const nearest = (
  digests: readonly (string | undefined)[],
  at: number,
  step: 1 | -1,
): string | undefined => neighbour(digests, at, step, undefined).digest;

/** @param end the next one beyond them */
function neighbour(
  digests: readonly (string | undefined)[],
  at: number,
  step: 1 | -1,
  end: string | undefined,
): Neighbour {
  let next = at + step;
  while (next in digests && digests[next] === undefined) next += step;
  return { digest: digests[next] ?? end, between: Math.abs(next - at) - 1 };
}

/** Whether two digests are those of one line. */
export const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b;
