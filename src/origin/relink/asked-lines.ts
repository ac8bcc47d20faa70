import type { ObjectId } from '../../base/ids.ts';
import { isDistinctive, lettersIn } from '../../base/text/lines.ts';
import { lineDigest } from '../../checkpoint/evidence.ts';
import { type AddedRun, type FilePatch, openMoved, type Patch } from '../../git/commit/patch.ts';

/** A line that some commit adds. */
export interface AskedLine {
  readonly commit: ObjectId;
  readonly path: string;
  readonly text: string;
  readonly run: Run;
  readonly at: number;
  readonly file: FilePatch;
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

/** Lines of commits that prove something by their text, by their digests. */
export function linesByDigest(patches: readonly Patch[], isProposed: boolean): Map<string, AskedLine[]> {
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

/** The next line of evidence, above or below one, that has a digest. */
export interface Neighbour {
  readonly digest: string | undefined;
  /** How many without one stand between: they say nothing, or their commit only moved them there. */
  readonly between: number;
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

  /** Whether a line stands beside one: the next that says something, but for such as may stand where there were others that proved nothing. */
  isBeside(at: number, step: 1 | -1, { digest, between }: Neighbour): boolean {
    for (let skipped = 0; digest !== undefined; skipped++) {
      const next = at + 1 + step * (skipped + 1);
      const found = this.read(next);
      if (found === digest) return true;
      if (!(next in this.lines) || (found !== undefined && skipped >= between)) return false;
    }
    return false;
  }

  private read(place: number): string | undefined {
    const line = this.lines[place];
    this.digests[place] ??= (line !== undefined && lineDigest(line)) || false;
    return this.digests[place] || undefined;
  }
}
