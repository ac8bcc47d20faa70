/** A commit, by its time. */
interface Timed {
  readonly atMs: number;
}

/**
 * Finds of commits the last ones up to a time, the newest first: halved, since there may be thousands of both. By their times, and not in the
 * order of the history: a clock that was wrong once moves none but its own.
 *
 * @param commits those of one second in their order
 */
export function openLast<C extends Timed>(
  commits: readonly C[],
): (untilMs: number, count: number) => readonly C[] {
  const sorted = commits.toSorted((a, b) => b.atMs - a.atMs);
  return (untilMs, count) => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle] as C).atMs <= untilMs) to = middle;
      else from = middle + 1;
    }
    return sorted.slice(from, from + count);
  };
}
