import { paint, type Tone, wantsColour } from './colour.ts';

/**
 * Colours a text that is safe to print already, where somebody wants colours: each named group of the patterns is a tone, and stands
 * for that part of each line that fits. The first pattern that fits a line is the one.
 */
export const tinted = (text: string, patterns: readonly RegExp[]): string =>
  wantsColour(process.env, process.stdout.isTTY) ? tint(text, patterns) : text;

/** {@link tinted}, whoever looks. */
export const tint = (text: string, patterns: readonly RegExp[]): string =>
  text
    .split('\n')
    .map((line) => {
      for (const pattern of patterns) {
        const found = pattern.exec(line);
        if (found) return tintLine(line, found);
      }
      return line;
    })
    .join('\n');

function tintLine(line: string, found: RegExpExecArray): string {
  const parts = Object.entries(found.indices?.groups ?? {})
    .flatMap(([name, range]) => (range ? [{ tone: toneOf(name), from: range[0], to: range[1] }] : []))
    .sort((a, b) => b.from - a.from);
  return parts.reduce(
    (told, { tone, from, to }) => told.slice(0, from) + paint(tone, told.slice(from, to)) + told.slice(to),
    line,
  );
}

/** A name stands once in a pattern: `id2` is another `id`. */
const toneOf = (name: string): Tone => name.replace(/\d+$/, '') as Tone;
