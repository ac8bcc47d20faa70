/** Whole percentages of a sum that are 100 together: what is left over goes to those that were cut most. */
export function percentages(counts: readonly number[]): number[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (count / all) * 100);
  const whole = exact.map(Math.floor);
  const over = 100 - whole.reduce((sum, count) => sum + count, 0);
  const most = exact.map((share, at) => ({ at, cut: share - Math.floor(share) }));
  most.sort((a, b) => b.cut - a.cut);
  for (const { at } of most.slice(0, over)) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}
