/** A place of one of a table's texts, in UTF-16 units. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Units by which the table is looked up; what is shorter is left out of it. */
export const MIN_LISTED = 6;

/** Texts with the same first units, in order; each with the longest of them that it begins with. */
interface Group {
  readonly texts: readonly string[];
  readonly shorter: Int32Array;
  /** Units of the longest. */
  readonly reach: number;
}

/**
 * Finds all of many texts in one walk over another one.
 *
 * A bit per hash of three units says at most places that nothing begins here. At the others the group of the next six
 * units is searched by halves: the cost of a place grows with the logarithm of the number of texts, and their memory is that of
 * their names.
 */
export class TextTable {
  /** Comparisons made so far. */
  steps = 0;
  private readonly groups = new Map<string, Group>();
  private readonly begins = new Uint8Array(1 << 16);

  constructor(texts: Iterable<string>) {
    const byPrefix = new Map<string, string[]>();
    for (const text of new Set(texts)) {
      if (text.length < MIN_LISTED) continue;
      const prefix = text.slice(0, MIN_LISTED);
      const group = byPrefix.get(prefix);
      if (group) group.push(text);
      else byPrefix.set(prefix, [text]);
      this.begins[hashAt(text, 0)] = 1;
    }
    for (const [prefix, group] of byPrefix) this.groups.set(prefix, makeGroup(group));
  }

  /** Of the texts at each place the longest one that `isFound` takes; they may overlap. */
  *find(hay: string, isFound: (place: Place) => boolean = () => true): Generator<Place> {
    if (this.groups.size === 0) return;
    for (let at = 0; at <= hay.length - MIN_LISTED; at++) {
      if (this.begins[hashAt(hay, at)] === 0) continue;
      const group = this.groups.get(hay.slice(at, at + MIN_LISTED));
      if (!group) continue;
      for (let no = this.longest(group, hay, at); no >= 0; no = group.shorter[no] ?? -1) {
        const text = group.texts[no] ?? '';
        const place = { start: at, end: at + text.length, text };
        if (!isFound(place)) continue;
        yield place;
        break;
      }
    }
  }

  /** The number of the longest text of the group that stands at `at`, or -1. */
  private longest({ texts, shorter, reach }: Group, hay: string, at: number): number {
    const rest = hay.slice(at, at + reach);
    let low = 0;
    let high = texts.length; // the first one behind `rest`
    while (low < high) {
      this.steps++;
      const middle = (low + high) >> 1;
      if ((texts[middle] ?? '') <= rest) low = middle + 1;
      else high = middle;
    }
    this.steps++;
    let no = low - 1;
    if (no < 0) return -1;
    // Whatever `rest` begins with is the last one before it, or one that this one begins with.
    const common = commonLength(texts[no] ?? '', rest);
    while (no >= 0 && (texts[no]?.length ?? 0) > common) no = shorter[no] ?? -1;
    return no;
  }
}

function makeGroup(unsorted: string[]): Group {
  const texts = unsorted.sort(); // by units, as `<=` compares
  const shorter = new Int32Array(texts.length);
  const open: number[] = [];
  let reach = 0;
  for (const [no, text] of texts.entries()) {
    while (open.length > 0 && !text.startsWith(texts[open.at(-1) ?? 0] ?? '')) open.pop();
    shorter[no] = open.at(-1) ?? -1;
    open.push(no);
    reach = Math.max(reach, text.length);
  }
  return { texts, shorter, reach };
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** A hash of the three units at `at`, below 65,536. */
export function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}
