import { findLines } from './find-lines.ts';
import { type Anchor, digester, hashLines } from './slice-anchor.ts';
import { type Fit, fullWeight, isTelling, Places } from './surroundings.ts';

/** A place where a slice may be now; lines counted from 0, `end` is behind the last one. */
export interface Site {
  readonly start: number;
  readonly end: number;
  /** How well what is around it fits. */
  readonly score: number;
  /** Whether all of what stood around the slice stands around it as it was. */
  readonly isComplete: boolean;
  /** Whether it has at least half of the slice's lines, indentation aside. */
  readonly isKept: boolean;
}

/** One side of a site. */
interface Boundary {
  readonly at: number;
  readonly score: number;
  readonly isComplete: boolean;
}

/** Looks for a slice in a text. Linear in its lines, but for a logarithm where surroundings repeat. */
export class SliceSites {
  private readonly lines: readonly string[];
  private readonly anchor: Anchor;
  private readonly places: Places;
  private readonly raw: readonly string[];
  private readonly bare: readonly string[];
  /** How many lines of the slice stand before each line. */
  private readonly ownBefore: readonly number[];

  constructor(lines: readonly string[], anchor: Anchor) {
    const digest = digester();
    this.lines = lines;
    this.anchor = anchor;
    this.places = new Places(lines);
    this.raw = lines.map(digest);
    this.bare = lines.map((line) => digest(line.trim()));
    const own = new Set(anchor.bare);
    let count = 0;
    this.ownBefore = [0, ...this.bare.map((line) => (own.has(line) ? ++count : count))];
  }

  /** Where the text of the slice stands as it was. */
  exact(): Site[] {
    const starts = findLines(this.raw, this.anchor.raw);
    const [first] = starts;
    if (first === undefined) return [];
    const end = first + this.anchor.length;
    if (hashLines(this.lines.slice(first, end)) !== this.anchor.contentHash) return []; // digests are short
    return starts.map((start) => this.site(start));
  }

  /** Where the text stands with other white space around its lines, and has letters or digits to know it by. */
  reindented(): Site[] {
    const bonus = (SCALE / 2) * (fullWeight(this.anchor.before) + fullWeight(this.anchor.after));
    return findLines(this.bare, this.anchor.bare)
      .filter((start) => this.lines.slice(start, start + this.anchor.length).some(isTelling))
      .map((start) => this.site(start))
      .map((site) => ({ ...site, score: site.score + bonus }));
  }

  /** Where the surroundings leave room for other text: for each line that may come first, the likeliest that comes last. */
  surrounded(): Site[] {
    const starts = this.boundaries('fitBefore', this.anchor.before);
    const ends = new Ends(this.boundaries('fitAfter', this.anchor.after));
    return starts.flatMap((start) => {
      const end = ends.find(start.at, start.at + this.anchor.length);
      return end === undefined ? [] : this.join(start, end);
    });
  }

  /** Places as long as the slice, with all of one of its sides beside them. */
  besideOneSide(): Site[] {
    const { before, after, length } = this.anchor;
    const starts = this.boundaries('fitBefore', before).filter(({ isComplete }) => isComplete);
    const ends = this.boundaries('fitAfter', after).filter(({ isComplete }) => isComplete);
    const all = new Set([...starts.map(({ at }) => at), ...ends.map(({ at }) => at - length)]);
    return [...all]
      .filter((start) => start >= 0 && start + length <= this.lines.length)
      .map((start) => this.site(start));
  }

  /** Whether half of the slice's lines stand anywhere, those that are found everywhere aside. */
  isScattered(): boolean {
    const telling = new Set(this.bare.filter((_, at) => isTelling(this.lines[at] as string)));
    const found = this.anchor.bare.filter((line) => telling.has(line)).length;
    return found > 0 && 2 * found >= this.anchor.length;
  }

  private site(start: number): Site {
    const end = start + this.anchor.length;
    const { before, after } = this.anchor;
    return this.join(
      boundary(start, this.places.fitBefore(before, start)),
      boundary(end, this.places.fitAfter(after, end)),
    );
  }

  private join(start: Boundary, end: Boundary): Site {
    const own = (this.ownBefore[end.at] as number) - (this.ownBefore[start.at] as number);
    return {
      start: start.at,
      end: end.at,
      score: start.score + end.score,
      isComplete: start.isComplete && end.isComplete,
      isKept: 2 * own >= this.anchor.length,
    };
  }

  /** Places with the nearest line of a side at them, and at least half of the side around. */
  private boundaries(fit: 'fitBefore' | 'fitAfter', side: readonly string[]): Boundary[] {
    const enough = fullWeight(side) / 2;
    const found: Boundary[] = [];
    for (let at = 0; at <= this.lines.length; at++) {
      if (!this.places.touches(side, fit, at)) continue;
      const there = this.places[fit](side, at);
      if (there.weight >= enough) found.push(boundary(at, there));
    }
    return found;
  }
}

/** More than the lines of a side: what stands there without a gap decides only where the weight is the same. */
const SCALE = 8;

const boundary = (at: number, { weight, run, isComplete }: Fit): Boundary => ({
  at,
  score: SCALE * weight + run,
  isComplete,
});

/** Boundaries behind a slice, by where they are. */
class Ends {
  private readonly all: readonly Boundary[];
  /** The best score from each of them on. */
  private readonly best: readonly number[];
  private readonly byScore: ReadonlyMap<number, readonly Boundary[]>;

  constructor(all: readonly Boundary[]) {
    this.all = all;
    const byScore = new Map<number, Boundary[]>();
    for (const end of all) {
      const equal = byScore.get(end.score);
      if (equal === undefined) byScore.set(end.score, [end]);
      else equal.push(end);
    }
    this.byScore = byScore;
    const best: number[] = [];
    for (let at = all.length - 1; at >= 0; at--)
      best[at] = Math.max((all[at] as Boundary).score, best[at + 1] ?? 0);
    this.best = best;
  }

  /** Of the best at or behind `from`, the one nearest to `wanted`, which is behind it. */
  find(from: number, wanted: number): Boundary | undefined {
    const score = this.best[lowerBound(this.all, 'at', from)];
    const equal = (score === undefined ? undefined : this.byScore.get(score)) ?? [];
    const at = lowerBound(equal, 'at', wanted);
    const [above, beneath] = [equal[at], equal[at - 1]];
    if (above === undefined || beneath === undefined || beneath.at < from) return above ?? beneath;
    return above.at - wanted <= wanted - beneath.at ? above : beneath;
  }
}

/** The index of the first item, of a list in order, whose key is at least `least`. */
function lowerBound<K extends string>(items: readonly Readonly<Record<K, number>>[], key: K, least: number) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.[key] ?? least) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Whether a site shares a line with one of `others`, which are equally long and in order. One without lines does so where
 * it touches one: of two equal neighbours nobody knows which was removed.
 */
export function overlaps({ start, end }: Site, others: readonly Site[]): boolean {
  const reach = start === end ? 1 : 0;
  const next = others[lowerBound(others, 'end', start + 1 - reach)];
  return next !== undefined && next.start < end + reach;
}
