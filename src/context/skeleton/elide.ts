import { isWhite } from './source-rows.ts';

/** Stands where lines were left out, indented as the first of them, and within a line where a part of it was. */
export const ELISION = '...';

/** First and last of lines, or of characters, and whether they are shown. */
interface Said {
  readonly first: number;
  readonly last: number;
  readonly isShown: boolean;
}

/** Which lines are shown, counted from 1, and which parts of these. What is said later of a line, or of a part, counts. */
export class ShownLines {
  readonly #text: string;
  readonly #lines: readonly string[];
  readonly #isShownAtFirst: boolean;
  readonly #ofLines: Said[] = [];
  readonly #ofParts: Said[] = [];

  constructor(text: string, all: boolean) {
    this.#text = text;
    this.#lines = text.split('\n');
    this.#isShownAtFirst = all;
  }

  /** Shows or hides lines, both ends included. */
  set(first: number, last: number, isShown: boolean): void {
    this.#ofLines.push({ first, last: Math.min(last, this.#lines.length), isShown });
  }

  /** Shows or hides characters of lines that are shown; `end` is not one of them. */
  setPart(start: number, end: number, isShown: boolean): void {
    if (!isShown || this.#ofParts.length > 0) this.#ofParts.push({ first: start, last: end - 1, isShown });
  }

  /** The lines as they are, and one mark for each run that is hidden; blank lines need none, and stay. */
  render(): string {
    const all = { first: 1, last: this.#lines.length, isShown: this.#isShownAtFirst };
    const shown = decide([all, ...this.#ofLines], this.#lines.length + 1);
    if (!shown.includes(1)) return '';
    const textOf = this.#parts();
    const out: string[] = [];
    for (let line = 1, at = 0; line <= this.#lines.length; ) {
      const start = line;
      const from = at;
      const isShown = shown[line] === 1;
      for (; line <= this.#lines.length && (shown[line] === 1) === isShown; line++)
        at += (this.#lines[line - 1] as string).length + 1;
      const run = this.#lines.slice(start - 1, line - 1);
      const first = isShown ? undefined : run.find((text) => text.trim() !== '');
      if (isShown) out.push(textOf(from, at - 1));
      else if (first === undefined) for (const text of run) out.push(text);
      else out.push(markFor(first), ...blankEnd(run, line > this.#lines.length));
    }
    return out.join('\n');
  }

  /** Tells the text between two positions, with a mark for each part that is hidden. */
  #parts(): (from: number, to: number) => string {
    const text = this.#text;
    if (this.#ofParts.length === 0) return (from, to) => text.slice(from, to);
    const all = { first: 0, last: text.length - 1, isShown: true };
    const shown = decide([all, ...this.#ofParts], text.length);
    return (from, to) => {
      let out = '';
      for (let at = from; at < to; ) {
        let start = at;
        while (start < to && shown[start] === 1) start++;
        let end = start;
        while (end < to && shown[end] === 0) end++;
        out += text.slice(at, start) + markInLine(text, start, end);
        at = end;
      }
      return out;
    };
  }
}

/**
 * Which are shown: from the last word to the first, each decided once, since thousands of symbols may have the same thousand lines.
 * `next` leads past those that are decided.
 */
function decide(said: readonly Said[], count: number): Uint8Array {
  const shown = new Uint8Array(count);
  const next = new Uint32Array(count + 1);
  for (let at = 0; at <= count; at++) next[at] = at;
  const undecided = (from: number): number => {
    let at = from;
    while (next[at] !== at) {
      next[at] = next[next[at] as number] as number;
      at = next[at] as number;
    }
    return at;
  };
  for (const { first, last, isShown } of said.toReversed()) {
    for (let at = undecided(first); at <= last && at < count; at = undecided(at)) {
      shown[at] = isShown ? 1 : 0;
      next[at] = at + 1;
    }
  }
  return shown;
}

function markFor(line: string): string {
  return `${/^\s*/.exec(line)?.[0] ?? ''}${ELISION}${line.endsWith('\r') ? '\r' : ''}`;
}

/** Blanks around what is hidden stay. */
function markInLine(text: string, start: number, end: number): string {
  let [from, to] = [start, end];
  while (from < to && isWhite(text, from)) from++;
  while (to > from && isWhite(text, to - 1)) to--;
  return from === to ? text.slice(start, end) : text.slice(start, from) + ELISION + text.slice(to, end);
}

/** A file that ends with a line break still does. */
const blankEnd = (run: readonly string[], isEnd: boolean): string[] =>
  isEnd && run.at(-1) === '' ? [''] : [];
