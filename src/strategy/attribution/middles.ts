/** Where two texts differ: behind `start` in both, and up to an end in each, all at the beginning of a line. */
export interface Middles {
  readonly start: number;
  readonly ends: readonly [number, number];
}

/** Pieces in which texts are compared: large ones are one call each, and the smaller ones find the place. */
const STEPS = [1 << 16, 1 << 10, 1 << 5, 1];

/** What is left of two texts without the whole lines that they begin and end with alike. */
export function findMiddles(a: string, b: string): Middles {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  for (const step of STEPS)
    while (same + step <= shorter && a.slice(same, same + step) === b.slice(same, same + step)) same += step;
  const start = same === 0 ? 0 : a.lastIndexOf('\n', same - 1) + 1;
  let end = 0;
  const endsAlike = (from: number, to: number): boolean =>
    a.slice(a.length - to, a.length - from) === b.slice(b.length - to, b.length - from);
  for (const step of STEPS) while (start + end + step <= shorter && endsAlike(end, end + step)) end += step;
  const isLineStart = (text: string): boolean =>
    end + start === text.length || text[text.length - end - 1] === '\n';
  if (!isLineStart(a) || !isLineStart(b)) {
    const next = a.indexOf('\n', a.length - end);
    end = next === -1 ? 0 : a.length - next - 1;
  }
  return { start, ends: [a.length - end, b.length - end] };
}
