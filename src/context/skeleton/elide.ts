/** Stands where lines were left out, indented as the first of them. */
export const ELISION = '...';

/** Which lines are shown, counted from 1. What is said later of a line counts. */
export class ShownLines {
  readonly #lines: readonly string[];
  readonly #isShownAtFirst: boolean;
  readonly #said: { readonly first: number; readonly last: number; readonly isShown: boolean }[] = [];

  constructor(text: string, all: boolean) {
    this.#lines = text.split('\n');
    this.#isShownAtFirst = all;
  }

  /** Shows or hides lines, both ends included. */
  set(first: number, last: number, isShown: boolean): void {
    this.#said.push({ first, last: Math.min(last, this.#lines.length), isShown });
  }

  /** The lines as they are, and one mark for each run that is hidden; blank lines need none, and stay. */
  render(): string {
    const shown = this.#decide();
    if (!shown.includes(1)) return '';
    const out: string[] = [];
    for (let line = 1; line <= this.#lines.length; ) {
      const start = line;
      const isShown = shown[line] === 1;
      while (line <= this.#lines.length && (shown[line] === 1) === isShown) line++;
      const run = this.#lines.slice(start - 1, line - 1);
      const first = isShown ? undefined : run.find((text) => text.trim() !== '');
      if (first === undefined) for (const text of run) out.push(text);
      else out.push(markFor(first), ...blankEnd(run, line > this.#lines.length));
    }
    return out.join('\n');
  }

  /**
   * From the last word to the first, each line decided once: thousands of symbols may have the same thousand lines.
   * `next` leads past lines that are decided.
   */
  #decide(): Uint8Array {
    const count = this.#lines.length;
    const shown = new Uint8Array(count + 1);
    const next = Uint32Array.from({ length: count + 2 }, (_, line) => line);
    const undecided = (line: number): number => {
      let at = line;
      while (next[at] !== at) {
        next[at] = next[next[at] as number] as number;
        at = next[at] as number;
      }
      return at;
    };
    const all = { first: 1, last: count, isShown: this.#isShownAtFirst };
    for (const { first, last, isShown } of [all, ...this.#said].reverse()) {
      for (let line = undecided(first); line <= last; line = undecided(line)) {
        shown[line] = isShown ? 1 : 0;
        next[line] = line + 1;
      }
    }
    return shown;
  }
}

function markFor(line: string): string {
  return `${/^\s*/.exec(line)?.[0] ?? ''}${ELISION}${line.endsWith('\r') ? '\r' : ''}`;
}

/** A file that ends with a line break still does. */
const blankEnd = (run: readonly string[], isEnd: boolean): string[] =>
  isEnd && run.at(-1) === '' ? [''] : [];
