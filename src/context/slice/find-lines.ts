/**
 * Every place where `wanted` stands in `lines`, overlapping ones too; linear in both, also where lines repeat
 * (Knuth, Morris, Pratt).
 */
export function findLines(lines: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0) return [];
  const fallback = fallbacks(wanted);
  const found: number[] = [];
  let matched = 0;
  for (const [at, line] of lines.entries()) {
    while (matched > 0 && (matched === wanted.length || wanted[matched] !== line))
      matched = fallback[matched - 1] as number;
    if (wanted[matched] === line) matched++;
    if (matched === wanted.length) found.push(at + 1 - matched);
  }
  return found;
}

/** For each beginning of `wanted`, how long its longest end is that is a beginning, too. */
function fallbacks(wanted: readonly string[]): number[] {
  const lengths = [0];
  let length = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[length] !== wanted[at]) length = lengths[length - 1] as number;
    if (wanted[length] === wanted[at]) length++;
    lengths.push(length);
  }
  return lengths;
}
