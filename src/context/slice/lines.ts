/**
 * The lines of a text without their ends, which are `\n` or `\r\n`. The last one needs none; the empty text has no lines.
 */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
