/**
 * A text and its rows, counted from 0. Only `\n` ends a row: that is how the trees count them.
 *
 * All that is asked of a row is found in one pass over the text: a file may be one row of megabytes with a hundred thousand
 * definitions in it.
 */
export class SourceRows {
  readonly text: string;
  /** Where each row begins, and the end of the text. */
  readonly #starts: number[] = [0];
  /** The first character of each row that is not white; the beginning of a later row where there is none. */
  readonly #code: number[] = [];
  /** The end of the last of them; the beginning of the row where there is none. */
  readonly #codeEnd: number[] = [];
  /** The first row from each one on that is not blank. */
  readonly #nextCode: number[] = [];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    const count = this.#starts.length;
    this.#starts.push(text.length + 1);
    const visible = /\S/g;
    for (let row = 0, at = -1; row < count; row++) {
      if (at < this.start(row)) {
        visible.lastIndex = this.start(row);
        at = visible.exec(text)?.index ?? text.length + 1;
      }
      this.#code.push(at);
      let end = this.start(row + 1) - 1;
      while (end > this.start(row) && isWhite(text, end - 1)) end--;
      this.#codeEnd.push(end);
    }
    for (let row = count - 1, next = count; row >= 0; row--) {
      if (!this.isBlank(row)) next = row;
      this.#nextCode[row] = next;
    }
  }

  start(row: number): number {
    return this.#starts[row] ?? this.text.length + 1;
  }

  /** The row of a position. */
  rowAt(position: number): number {
    return indexAfter(this.#starts, position + 1) - 1;
  }

  /** Is there nothing before this position on its row? */
  isFirst(row: number, position: number): boolean {
    return position <= (this.#code[row] ?? 0);
  }

  /** Is there nothing after this position on its row? */
  isLast(row: number, position: number): boolean {
    return position >= (this.#codeEnd[row] ?? 0);
  }

  private isBlank(row: number): boolean {
    return (this.#code[row] ?? 0) >= this.start(row + 1);
  }
}

export const isWhite = (text: string, position: number): boolean => text.charAt(position).trim() === '';

/** The index of the first number of a sorted list that is not below `value`. */
export function indexAfter(sorted: readonly number[], value: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
