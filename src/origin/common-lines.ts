import { isDistinctive, isTelling, plainLine } from '../base/text/lines.ts';
import type { Evidence } from './evidence.ts';

/** By what a line is judged that many files have: by its own text, or by the line above it; `torn`: neither tells. */
export type CommonWay = 'text' | 'above' | 'torn';

/** What sessions are known to have done in the file of a commit. */
interface Writers {
  /** What the commit brought into it. */
  readonly all: readonly string[];
  /** All of it, in the commit. */
  readonly file: () => string;
  readonly evidence: readonly Evidence[];
}

/**
 * Tells by what a short line is judged of which a commit brings several, so that its text alone does not say whose each is. A session's stands
 * where that wrote it: below the same line. Where it wrote one below a line that was taken away, that one may be anywhere. A brace is judged
 * likewise, but never by its text.
 */
export function openCommon({ all, file, evidence }: Writers): (line: string, above: string) => CommonWay {
  const counts = countOf(all);
  const isGone = (above: string): boolean => !file().includes(above);
  return (line, above) => {
    const text = plainLine(line);
    if (isDistinctive(line) || (isTelling(line) && (counts.get(text) ?? 0) < 2)) return 'text';
    const written = evidence.flatMap(({ short }) => {
      const below = short.get(text);
      return below ? [below] : [];
    });
    if (
      isTelling(line) &&
      (written.length === 0 ||
        written.some((below) => below.some((one) => plainLine(one) === plainLine(above))))
    )
      return 'text';
    return written.some((below) => below.some(isGone)) ? 'torn' : 'above';
  };
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** How often each line is there, without what a formatter decides; counted once. */
function countOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = known.get(lines);
  if (found) return found;
  const counts = new Map<string, number>();
  for (const line of lines.map(plainLine)) counts.set(line, (counts.get(line) ?? 0) + 1);
  known.set(lines, counts);
  return counts;
}
