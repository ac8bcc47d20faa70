import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { isDistinctive, lettersIn } from '../../base/text/lines.ts';
import { type CommitEvidence, lineDigest } from '../../checkpoint/evidence.ts';
import { type AddedRun, type FilePatch, openMoved, type Patch } from '../../git/commit/patch.ts';
import type { Claim } from './claim.ts';
import type { LooseLine, LooseMatch, MatchFacts } from './match.ts';
import { type Names, openNames } from './names.ts';

/** A line that some commit adds. */
interface AskedLine {
  readonly commit: ObjectId;
  readonly path: string;
  readonly text: string;
  readonly run: Run;
  readonly at: number;
  readonly file: FilePatch;
}

/** What is found in commits. */
export interface FoundLines {
  readonly found: Map<ObjectId, LooseMatch[]>;
  /** Too little to be sure of, since the work of the checkpoint stands elsewhere, too. */
  readonly unsure: Map<ObjectId, LooseMatch[]>;
}

/** Makes what finds lines of claims among those that commits add. */
export function openLines(claims: readonly Claim[]): FindLines {
  const among = openVersions(claims);
  const names = openNames(claims);
  return (patches, { isElsewhere, isProposed, bringingBack }, isExplained = () => false) => {
    const asked = linesByDigest(patches, isProposed);
    const all: FoundLines = { found: new Map(), unsure: new Map() };
    if (asked.size === 0) return all;
    const hasFile = openHasFile(patches);
    const isReverted = (commit: ObjectId, digest: string): boolean =>
      bringingBack?.reverted.get(commit)?.has(digest) ?? false;
    const looks = { names, isReverted };
    for (const { claim, version } of among(asked))
      for (const { commit, lines, loose, isSure } of countIn({ claim, version }, asked, looks)) {
        const isFound = isSure || !isElsewhere(claim, commit) || hasFile(version, commit, lines);
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
  facts: Pick<MatchFacts, 'isElsewhere' | 'isProposed' | 'bringingBack'>,
  isExplained?: (commit: ObjectId, line: LooseLine) => boolean,
) => FoundLines;

/** A commit that a checkpoint was made for. */
interface Version {
  readonly claim: Claim;
  readonly version: CommitEvidence;
}

/** Makes what finds those that have some of the lines, in their order: of thousands few have any. */
function openVersions(claims: readonly Claim[]): (asked: ReadonlyMap<string, unknown>) => Version[] {
  const versions = claims.flatMap((claim) => claim.versions.map((version) => ({ claim, version })));
  const read = once(() => {
    const places = new Map<string, number | number[]>();
    const put = (digest: string, place: number): void => {
      const known = places.get(digest);
      if (known === undefined) places.set(digest, place);
      else if (typeof known !== 'number') known.push(place);
      else if (known !== place) places.set(digest, [known, place]);
    };
    versions.forEach(({ version }, place) => {
      for (const { added } of version.files)
        for (const { lines } of added)
          for (const digest of lines) if (digest !== undefined) put(digest, place);
    });
    return places;
  });
  return (asked) => {
    const places = read();
    const found = new Set<number>();
    for (const digest of asked.keys()) {
      const known = places.get(digest);
      if (typeof known === 'number') found.add(known);
      else for (const place of known ?? []) found.add(place);
    }
    return [...found].sort((a, b) => a - b).map((place) => versions[place] as Version);
  };
}

/** A line with so many letters and digits that stands once in a file is not one that stands everywhere. */
export const SHORT = 8;

/** Tells which added lines prove something by their text. */
function openProving(patch: Patch, isProposed: boolean): (line: string, path: string) => boolean {
  const isMoved = openMoved(patch);
  const counts = new Map<string, number>();
  const keyOf = (line: string, path: string): string => `${path}\0${line.trim()}`;
  if (isProposed)
    for (const { path, added } of patch.files)
      for (const key of added.flatMap(({ lines }) => lines.map((line) => keyOf(line, path))))
        counts.set(key, (counts.get(key) ?? 0) + 1);
  const isOnce = (line: string, path: string): boolean =>
    counts.get(keyOf(line, path)) === 1 && lettersIn(line) >= SHORT;
  return (line, path) => (isDistinctive(line) || isOnce(line, path)) && !isMoved(line);
}

function linesByDigest(patches: readonly Patch[], isProposed: boolean): Map<string, AskedLine[]> {
  const asked = new Map<string, AskedLine[]>();
  for (const patch of patches) {
    const isProving = openProving(patch, isProposed);
    for (const file of patch.files) {
      const { path } = file;
      for (const part of file.added) {
        const run = new Run(part);
        part.lines.forEach((text, at) => {
          const digest = isProving(text, path) ? run.digest(at) : undefined;
          if (digest === undefined) return;
          const places = asked.get(digest) ?? [];
          // Data has the same line again and again.
          if (places.some((place) => place.commit === patch.commit && place.path === path)) return;
          places.push({ commit: patch.commit, path, text, run, at, file });
          asked.set(digest, places);
        });
      }
    }
  }
  return asked;
}

/** Lines one below the other, with those right above and below: the digest of each is made once, and only where it is asked for. */
class Run {
  private readonly lines: readonly (string | undefined)[];
  private readonly digests: (string | false | undefined)[] = [];

  constructor({ lines, above, below }: AddedRun) {
    this.lines = [above, ...lines, below];
  }

  /** Of one of its own lines, from 0. */
  digest(at: number): string | undefined {
    return this.read(at + 1);
  }

  /** Of the next line that says something. */
  beside(at: number, step: 1 | -1): string | undefined {
    let digest: string | undefined;
    for (let next = at + 1 + step; digest === undefined && next in this.lines; next += step)
      digest = this.read(next);
    return digest;
  }

  private read(place: number): string | undefined {
    const line = this.lines[place];
    this.digests[place] ??= (line !== undefined && lineDigest(line)) || false;
    return this.digests[place] || undefined;
  }
}

/** What one commit has of another's lines. */
interface Count {
  readonly commit: ObjectId;
  readonly lines: readonly LooseLine[];
  /** Those that prove nothing, unless their file had the other name below the commit: before it was given this one, or as it is now. */
  readonly loose: readonly LooseLine[];
  /** There are so many that it is no chance. */
  readonly isSure: boolean;
}

interface Counting {
  readonly lines: Map<string, LooseLine>;
  readonly loose: LooseLine[];
  readonly count: Set<string>;
  beside: number;
}

const newCount = (): Counting => ({ lines: new Map(), loose: [], count: new Set(), beside: 0 });

/** So many lines, each with one beside it that stood beside it there. */
const SURE = 3;

/** What may tell that a line in another file is in the same one: whoever gave it its name, who takes back what was done to it says so. */
interface Looks {
  readonly names: Names;
  /** Whether a commit says that it takes back what took the line out. */
  isReverted(commit: ObjectId, digest: string): boolean;
}

/** A line in another file proves nothing without the one beside it, as far as names do not say that it may be the same file. */
function countIn(
  { claim: { checkpoint }, version }: Version,
  asked: ReadonlyMap<string, readonly AskedLine[]>,
  { names, isReverted }: Looks,
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
        const [before, after] = [nearest(lines, at, -1) ?? above, nearest(lines, at, 1) ?? below];
        for (const line of places) {
          const isBeside =
            isSame(line.run.beside(line.at, -1), before) || isSame(line.run.beside(line.at, 1), after);
          const isLoose = line.path !== path && !isBeside;
          const isRenamed = isLoose && (names.mayBecome(path, line.path) || isReverted(line.commit, digest));
          if (isLoose && !isRenamed && !names.mayBeFrom(path, line.file)) continue;
          const count = counts.get(line.commit) ?? newCount();
          const found = {
            text: line.text,
            path,
            at: line.path,
            checkpoint: checkpoint.id,
            ...{ isBeside, isRenamed },
            blob,
            parent,
          };
          if (isLoose) count.loose.push(found);
          else {
            count.lines.set(`${path}\0${line.path}\0${digest}`, found);
            count.count.add(`${path}\0${digest}`);
          }
          if (isBeside) count.beside++;
          counts.set(line.commit, count);
        }
      });
  return [...counts].map(([commit, { lines, loose, count, beside }]) => ({
    ...{ commit, loose },
    lines: [...lines.values()],
    // A person writes one line, or one of two, again where they need it.
    isSure: beside >= SURE || (count.size * 2 >= total && (count.size > 1 || beside > 0)),
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
export function nearest(
  digests: readonly (string | undefined)[],
  at: number,
  step: 1 | -1,
): string | undefined {
  let next = at + step;
  while (next >= 0 && next < digests.length && digests[next] === undefined) next += step;
  return digests[next];
}

/** Whether two digests are those of one line. */
export const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b;
