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

/** What `read` makes of the last line that it makes anything of; empty where there is none. Reads no line before it. */
export function readBackwards(text: string, read: (line: string) => string): string {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1);
    const found = read(text.slice(start + 1, end));
    if (found !== '') return found;
    end = start;
  }
  return '';
}

/** The lines that hold `mark`, the last one first: where each begins, and its text. */
export function* findLines(
  bytes: Buffer,
  mark: string,
): Generator<{ readonly at: number; readonly line: string }> {
  for (let end = bytes.length; end > 0; ) {
    const found = bytes.lastIndexOf(mark, end - 1);
    if (found === -1) return;
    const at = bytes.lastIndexOf('\n', found) + 1;
    const close = bytes.indexOf('\n', found);
    yield { at, line: bytes.toString('utf8', at, close === -1 ? bytes.length : close) };
    end = at;
  }
}
