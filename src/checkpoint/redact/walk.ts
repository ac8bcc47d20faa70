import { hashAt } from './table.ts';

const ANY = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];

const ANY_UNIT = -1;
const bitOf = (unit: number): number => 1 << (unit & 31);

/**
 * Finds where any of many texts begins, in one walk.
 *
 * A hash of three units says at most places of a text that nothing begins there, and a bit for the fourth one at most others.
 */
export class Starts<T> {
  private readonly lists: Array<Array<readonly [start: string, meant: T]>> = [[]];
  private readonly listOf = new Uint16Array(1 << 16);
  /** By list: bits of the last five bits of the units that may come fourth. */
  private readonly fourths = new Int32Array(1 << 16);

  /** Texts of two units at least, and what each of them means. */
  constructor(starts: Iterable<readonly [start: string, meant: T]>) {
    for (const [start, meant] of starts) {
      for (const key of start.length < 3 ? ANY.map((unit) => start + unit) : [start]) {
        const hash = hashAt(key, 0);
        if (this.listOf[hash] === 0) this.listOf[hash] = this.lists.push([]) - 1;
        const list = this.listOf[hash] ?? 0;
        this.lists[list]?.push([start, meant]);
        this.fourths[list] =
          (this.fourths[list] ?? 0) | (start.length > 3 ? bitOf(start.charCodeAt(3)) : ANY_UNIT);
      }
    }
  }

  /** Tells of each start in `text`, from its beginning to its end; several may stand at one place. */
  each(text: string, tell: (at: number, meant: T) => void): void {
    const { listOf, lists, fourths } = this;
    // `hashAt` of each place, without a second look at any unit.
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let at = 0; at < text.length - 2; at++) {
      const third = text.charCodeAt(at + 2);
      const list = listOf[((first * 31 + second) * 31 + third) & 0xffff] ?? 0;
      first = second;
      second = third;
      if (list === 0 || ((fourths[list] ?? 0) & bitOf(text.charCodeAt(at + 3))) === 0) continue;
      for (const [start, meant] of lists[list] ?? []) if (text.startsWith(start, at)) tell(at, meant);
    }
  }
}
