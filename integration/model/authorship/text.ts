import type { Dice } from '../../support/runner/dice.ts';

/** Who writes: two sessions, and a person. */
export const AGENTS = ['A', 'B'] as const;
export type Agent = (typeof AGENTS)[number];
export type Author = Agent | 'user';

/** Lines that stand in every file, and prove nothing by themselves, below one that is like no other. */
const COMMON: readonly (readonly string[])[] = [['  return null;', '}', ''], ['}', ''], ['  }']];

/**
 * A text is made of units: a line that nobody else ever writes, and perhaps common ones below it. The former tells by its number who wrote
 * all of them, and which are below; so the truth of a text can be read from the text, whatever git made of it.
 */
export interface Unit {
  readonly line: string;
  readonly below: readonly string[];
}

const TOKEN = /\bv(\d+)(?:c(\d))?\b/;

/** Who wrote which line, by its number. */
export class Truth {
  private readonly authors = new Map<number, Author>();

  /** A new line of somebody's, with common ones below it in three cases out of ten. */
  newUnit(author: Author, dice: Dice): Unit {
    const number = this.authors.size + 1;
    this.authors.set(number, author);
    const value = (number * 7919) % 1000;
    if (!dice.chance(30)) return { line: `const v${number} = compute(${value});`, below: [] };
    const form = dice.below(COMMON.length);
    const below = COMMON[form] as readonly string[];
    const name = `v${number}c${form}`;
    return {
      line: form === 2 ? `  if (isReady(${name}, ${value})) {` : `function ${name}(first, second) {`,
      below,
    };
  }

  /** A new line of somebody's, and nothing below it. */
  newPlainUnit(author: Author): Unit {
    const number = this.authors.size + 1;
    this.authors.set(number, author);
    return { line: `const v${number} = compute(${(number * 7919) % 1000});`, below: [] };
  }

  newUnits(author: Author, count: number, dice: Dice): Unit[] {
    return Array.from({ length: count }, () => this.newUnit(author, dice));
  }

  /**
   * Whose each line of a text is; `undefined` where nobody can say: a common line that was torn from its own by a conflict.
   */
  of(lines: readonly string[]): readonly (TrueLine | undefined)[] {
    let above: RegExpExecArray | undefined;
    let distance = 0;
    return lines.map((line) => {
      const own = TOKEN.exec(line);
      if (own) {
        [above, distance] = [own, 0];
        return { author: this.author(own), isUnique: true };
      }
      const expected = COMMON[Number(above?.[2])]?.[distance++];
      if (above && expected?.trim() === line.trim()) return { author: this.author(above), isUnique: false };
      above = undefined;
      return undefined;
    });
  }

  private author(found: RegExpExecArray): Author {
    const author = this.authors.get(Number(found[1]));
    if (!author) throw new Error(`a line that nobody wrote: ${found[0]}`);
    return author;
  }
}

export interface TrueLine {
  readonly author: Author;
  readonly isUnique: boolean;
}

export const render = (units: readonly Unit[]): string =>
  units
    .flatMap(({ line, below }) => [line, ...below])
    .join('\n')
    .concat('\n');

export const linesOf = (text: string): string[] =>
  text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);

/** The units of a text. A common line that lost the one above it goes with the one before. */
export function parse(text: string): Unit[] {
  const units: { line: string; below: string[] }[] = [];
  for (const line of linesOf(text)) {
    const last = units.at(-1);
    if (TOKEN.test(line) || !last) units.push({ line, below: [] });
    else last.below.push(line);
  }
  return units;
}

/** Another layout of the same lines, as a formatter makes it. */
export const reindented = (text: string): string =>
  linesOf(text)
    .map((line) => (line.startsWith('\t') ? line.slice(1) : line === '' ? line : `\t${line}`))
    .join('\n')
    .concat('\n');
