import { plainLines } from '../base/text/lines.ts';
import { findMiddles } from './attribution/middles.ts';

/** Of more than that in all no lines are told: some tenths of a second. */
const MAX_BYTES = 16 * 1024 * 1024;
/** New texts are held against so many of those before them. */
const RECENT = 2;
/** A text is told by what it has other than one before it, and that one likewise: asking grows with each. */
const MAX_DEPTH = 32;

/** Lines of a text without what a formatter decides, blank ones left out. */
export interface Lines {
  has(line: string): boolean;
  /** Those that another text has not, each once; `undefined` where telling them would cost too much. */
  without(other: LinedText): string[] | undefined;
}

/** A text with its lines, as far as they are told. */
export interface LinedText {
  readonly text?: string | undefined;
  readonly lines?: Lines | undefined;
}

/** How often a text has a line. */
type Count = (line: string) => number;

/** A text that others are told by. */
interface Base {
  readonly text: string;
  readonly count: Count;
  readonly depth: number;
}

/**
 * Tells lines of texts, which are versions of a few files: of each but the first only what it has other than one of the last is looked
 * at. What that may cost is shared by all; `undefined` behind it.
 */
export function openLineSets(): (text: string) => Lines | undefined {
  let left = MAX_BYTES;
  const recent: Base[] = [];
  const take = (text: string): string[] | undefined => {
    left -= text.length;
    return left < 0 ? undefined : plainLines(text);
  };
  const tell = (text: string): Base | undefined => {
    let [least, base, middles] = [text.length, undefined as Base | undefined, findMiddles('', text)];
    for (const other of recent) {
      if (least * 8 < text.length) break;
      const found = findMiddles(other.text, text);
      const size = found.ends[0] + found.ends[1] - 2 * found.start;
      if (size < least && other.depth < MAX_DEPTH) [least, base, middles] = [size, other, found];
    }
    const { start, ends } = middles;
    const [gone, come] = [take(base?.text.slice(start, ends[0]) ?? ''), take(text.slice(start, ends[1]))];
    if (!gone || !come) return undefined;
    return { text, count: counting(gone, come, base?.count), depth: (base?.depth ?? -1) + 1 };
  };
  return (text) => {
    const told = tell(text);
    if (!told) return undefined;
    if (recent.unshift(told) > RECENT) recent.pop();
    const { count } = told;
    return {
      has: (line) => count(line) > 0,
      without(other) {
        if (other.text === undefined || !other.lines) return undefined;
        const { start, ends } = findMiddles(text, other.text);
        const { has } = other.lines;
        const own = take(text.slice(start, ends[0]));
        return own && [...new Set(own)].filter((line) => !has(line));
      },
    };
  };
}

/** Counts lines by what a text has other than another; kept apart, so that it holds no text. */
function counting(gone: readonly string[], come: readonly string[], base: Count | undefined): Count {
  const more = new Map<string, number>();
  for (const line of come) more.set(line, (more.get(line) ?? 0) + 1);
  for (const line of gone) more.set(line, (more.get(line) ?? 0) - 1);
  return base ? (line) => base(line) + (more.get(line) ?? 0) : (line) => more.get(line) ?? 0;
}
