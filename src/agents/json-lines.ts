/** Transcripts of one item a line. Blank and malformed lines count; an unterminated last one does, too. */

/** The lines from number `item` on, counted from 0. */
export function sliceLines(text: string, item: number): string {
  let at = 0;
  for (let line = 0; line < item; line++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return '';
    at = end + 1;
  }
  return text.slice(at);
}

export function countLines(text: string): number {
  const trimmed = text.trimEnd();
  return trimmed === '' ? 0 : trimmed.split('\n').length;
}
