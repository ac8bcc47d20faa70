/** One text that an edit put in the place of another. */
export type Swap = readonly [old: string, put: string];

/** What an edit replaced in one file, in its order. */
export interface Replaced {
  readonly swaps: readonly Swap[];
  /** They are whole lines of a patch, each behind the one before; otherwise they may stand anywhere. */
  readonly isByLine: boolean;
}

/** More places than these are not tried, for each text and for all of them together. */
const MAX_PLACES = 16;
const MAX_RESULTS = 64;
/** Choices of places grow with the power of the texts, and each text that is put in copies all of it: so many characters at most. */
const MAX_WORK = 64 * 1024 * 1024;
/** What a text that is put in costs beside that. */
const STEP_WORK = 1_000;
/** To put a text in everywhere costs as many copies. */
const ALL_WORK = 8;

/**
 * What an edit makes of a text: one result for each choice of places, all at once among them, where a text stands more than once.
 * None where a text is not there, or where there are more choices than are tried.
 */
export function applySwaps(text: string, { swaps, isByLine }: Replaced): string[] {
  const results: string[] = [];
  const open = [{ text, at: 0, from: 0 }];
  let work = MAX_WORK;
  for (let next = open.pop(); next && results.length < MAX_RESULTS; next = open.pop()) {
    const { text: current, at } = next;
    const swap = swaps[at];
    if (!swap) {
      results.push(current);
      continue;
    }
    const [old, put] = swap;
    const places = placesOf(current, old, isByLine ? { from: next.from, isByLine } : { from: 0, isByLine });
    const isMany = places.length > 1 && !isByLine;
    const growth = Math.max(0, put.length - old.length);
    work -= (current.length + STEP_WORK) * (places.length + (isMany ? ALL_WORK : 0)) + growth * places.length;
    if (work < 0) return [];
    if (isMany) {
      const parts = current.split(old);
      work -= growth * (parts.length - 1);
      if (work < 0) return [];
      open.push({ text: parts.join(put), at: at + 1, from: 0 });
    }
    for (const place of places.reverse()) {
      const made = current.slice(0, place) + put + current.slice(place + old.length);
      open.push({ text: made, at: at + 1, from: place + put.length });
    }
  }
  return [...new Set(results)];
}

/** The edit that takes back an edit. */
export const reversed = ({ swaps, isByLine }: Replaced): Replaced => {
  const back = swaps.map(([old, put]): Swap => [put, old]);
  return { swaps: isByLine ? back : back.reverse(), isByLine };
};

/** The same edit of a text whose lines end with CRLF. */
export const withCrlf = ({ swaps, isByLine }: Replaced): Replaced => ({
  swaps: swaps.map(([old, put]) => [old.replace(/\r?\n/g, '\r\n'), put.replace(/\r?\n/g, '\r\n')]),
  isByLine,
});

/** Nothing stands nowhere: what is only taken away, or only put in, leaves no place to find. */
function placesOf(
  text: string,
  wanted: string,
  { from, isByLine }: { from: number; isByLine: boolean },
): number[] {
  const places: number[] = [];
  if (wanted === '') return places;
  for (let at = text.indexOf(wanted, from); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (isByLine && at > 0 && text[at - 1] !== '\n') continue;
    places.push(at);
    if (places.length >= MAX_PLACES) break;
  }
  return places;
}
