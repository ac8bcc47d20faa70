/** Stands in the place of a line where a file begins or ends; no line holds a line end. */
const EDGE = '\n';
/** How many lines around a slice tell where it is. */
export const ANCHOR_LINES = 5;
/** Longer lines (minified code) are compared by their beginning. */
const LINE_LIMIT = 200;

export const clipLine = (line: string): string => line.slice(0, LINE_LIMIT);

/** The lines on one side of a slice, nearest first. */
export type Side = readonly string[];

/** How well a side, or both, fit a place. */
export interface Fit {
  /** What is found of the side near the place, by weight. */
  readonly weight: number;
  /** How many of its lines stand at the place without a gap, indentation aside. */
  readonly run: number;
  /** Whether all of it stands there as it was. */
  readonly isComplete: boolean;
}

/** Lines to compare with, from a side and whether the file ends beyond it. */
export const toSide = (nearestFirst: readonly string[], endsThere: boolean): Side =>
  endsThere ? [...nearestFirst.map(clipLine), EDGE] : nearestFirst.map(clipLine);

/** Compares sides with places of one text. */
export class Places {
  private readonly lines: readonly string[];
  private readonly bare: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines.map(clipLine);
    this.bare = this.lines.map((line) => line.trim());
  }

  /** How `side` fits the lines that end before line `at` (counted from 0). */
  fitBefore(side: Side, at: number): Fit {
    return this.fit(side, at - 1, -1);
  }

  /** How `side` fits the lines from `at` on. */
  fitAfter(side: Side, at: number): Fit {
    return this.fit(side, at, 1);
  }

  /** Whether the nearest line of `side` is at the place: a look that costs nothing. */
  touches(side: Side, direction: 'fitBefore' | 'fitAfter', at: number): boolean {
    const nearest = side[0];
    return nearest !== undefined && this.match(nearest, direction === 'fitBefore' ? at - 1 : at) > 0;
  }

  private fit(side: Side, at: number, step: 1 | -1): Fit {
    const near = (distance: number) => at + step * distance;
    let run = 0;
    let exact = 0;
    for (const [distance, line] of side.entries()) {
      const match = this.match(line, near(distance));
      if (match === 0) break;
      run++;
      if (match === 2) exact++;
    }
    const isComplete = exact === side.length;
    return { weight: isComplete ? fullWeight(side) : this.common(side, near), run, isComplete };
  }

  /** 2 for the same line, 1 for another indentation, 0 for none. */
  private match(line: string, at: number): 0 | 1 | 2 {
    const there = at === -1 || at === this.lines.length ? EDGE : this.lines[at];
    if (there === undefined) return 0;
    if (there === line) return 2;
    return line !== EDGE && this.bare[at] === line.trim() ? 1 : 0;
  }

  /** The weight of what the side and the place have in common in the same order; a few lines may have come in between. */
  private common(side: Side, near: (distance: number) => number): number {
    const best = new Array<number>(side.length + 1).fill(0);
    for (let distance = 0; distance < 2 * ANCHOR_LINES; distance++) {
      let diagonal = 0;
      for (let index = 1; index < best.length; index++) {
        const above = best[index] as number;
        const line = side[index - 1] as string;
        const found = diagonal + weightOf(line, this.match(line, near(distance)));
        best[index] = Math.max(above, best[index - 1] as number, found);
        diagonal = above;
      }
    }
    return best[side.length] as number;
  }
}

/** The weight of a side that is there as it was. */
export const fullWeight = (side: Side): number => side.reduce((sum, line) => sum + weightOf(line, 2), 0);

/** Blank lines, brackets and the edge of a file are found everywhere, and tell little. */
function weightOf(line: string, match: 0 | 1 | 2): number {
  if (match === 0) return 0;
  return isTelling(line) ? 2 * match : 1;
}

/** Whether a line has letters or digits. */
export const isTelling = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);
