/**
 * The lines that a difference of git's makes come into a file; `undefined` when it tells nothing of that file. Hunks are
 * read by their counts: a line that looks like a header may be text.
 */
export function addedLines(difference: string, path: string): string[] | undefined {
  const header = `+++ b${path.startsWith('/') ? '' : '/'}${path}`;
  const lines = difference.split('\n');
  const start = lines.findIndex((line, at) => line === header && lines[at - 1]?.startsWith('--- '));
  if (start === -1) return undefined;
  const added: string[] = [];
  for (let at = start + 1; at < lines.length; ) {
    const hunk = HUNK.exec(lines[at] ?? '');
    if (!hunk) break;
    let [gone, come] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    for (at++; at < lines.length && (gone > 0 || come > 0); at++) {
      const line = lines[at] ?? '';
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+')) gone--;
      if (!line.startsWith('-')) come--;
      if (line.startsWith('+')) added.push(line.slice(1));
    }
  }
  // The client takes what stands behind the last line end for a line.
  if (added.at(-1) === '') added.pop();
  return added;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
