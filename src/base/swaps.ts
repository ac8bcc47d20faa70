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
/** Choices of places grow with the power of the texts: so many steps are taken at most, and so many characters copied. */
const MAX_STEPS = 4_000;
const MAX_COPIED = 256 * 1024 * 1024;

/**
 * What an edit makes of a text: one result for each choice of places, all at once among them, where a text stands more than once.
 * None where a text is not there, or where there are more choices than are tried.
 */
export function applySwaps(text: string, { swaps, isByLine }: Replaced): string[] {
  const results: string[] = [];
  let steps = swaps.length + Math.max(MAX_RESULTS, Math.min(MAX_STEPS, MAX_COPIED / text.length));
  const go = (current: string, at: number, from: number): void => {
    const swap = swaps[at];
    if (results.length >= MAX_RESULTS || steps-- <= 0) return;
    if (!swap) {
      results.push(current);
      return;
    }
    const [old, put] = swap;
    const places = placesOf(current, old, isByLine ? { from, isByLine } : { from: 0, isByLine });
    for (const place of places)
      go(current.slice(0, place) + put + current.slice(place + old.length), at + 1, place + put.length);
    if (places.length > 1 && !isByLine)
      go(
        current.replaceAll(old, () => put),
        at + 1,
        0,
      );
  };
  go(text, 0, 0);
  return steps < 0 && results.length < MAX_RESULTS ? [] : [...new Set(results)];
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
