/** More typing errors than this are another word. */
const MAX_TYPOS = 2;

/** The one of some words that was most likely meant; `undefined` where none is near. */
export function findMeant(word: string, words: readonly string[]): string | undefined {
  const near = words
    .map((meant) => ({ meant, typos: countTypos(word, meant) }))
    .filter(({ meant, typos }) => typos <= MAX_TYPOS && typos < meant.length / 2);
  // Of two that are as near, more letters of the longer one are right: `nset` is `unset`, not `set`.
  return near.sort((a, b) => a.typos - b.typos || b.meant.length - a.meant.length)[0]?.meant;
}

/** Letters to add, leave out, change or swap. @see https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance */
function countTypos(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_TYPOS) return MAX_TYPOS + 1;
  let earlier: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const [left, above, both] = [next[j - 1] ?? 0, row[j] ?? 0, row[j - 1] ?? 0];
      const isSwapped = i > 0 && j > 1 && a[i] === b[j - 2] && a[i - 1] === b[j - 1];
      const swapped = isSwapped ? (earlier[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(left + 1, above + 1, both + (a[i] === b[j - 1] ? 0 : 1), swapped));
    }
    [earlier, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
