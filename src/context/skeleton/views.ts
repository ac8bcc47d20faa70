import { ShownLines } from './elide.ts';
import { indexAfter } from './source-rows.ts';
import type { SourceStructure } from './structure.ts';
import { symbolPath } from './symbols.ts';

/** How much of a symbol a masked view shows: all of it, its head, or nothing. */
export type MaskMode = 'def' | 'sig' | 'hide';

/** By the path of a symbol: `Server.run`, or `Server::run`. */
export type SymbolMask = Readonly<Record<string, MaskMode>>;

/** The source without bodies of functions and without long data: heads, comments and docstrings stay as they are. */
export function renderSkeleton(text: string, { bodies, folds }: SourceStructure): string {
  const lines = new ShownLines(text, true);
  for (const [first, last] of bodies) lines.set(first, last, false);
  for (const [start, end] of folds) lines.setPart(start, end, false);
  return lines.render();
}

/** The symbols, one on each line, with kind and lines; indented as they are nested. */
export function renderOutline({ symbols }: SourceStructure): string {
  return symbols
    .map(({ depth, kind, name, firstLine, lastLine }) => {
      const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine}-${lastLine}`;
      return `${'  '.repeat(depth)}[${kind}] ${name} (${lines})`;
    })
    .join('\n');
}

export interface MaskedView {
  readonly text: string;
  /** What the mask names and the file does not have: renamed, or gone. */
  readonly unknown: readonly string[];
}

/**
 * The symbols that the mask names, each as it says, in the order of the source; all else is left out. What the mask says
 * of a member counts for that member, whatever it says of the class. Overloads are shown together.
 */
export function renderMasked(text: string, structure: SourceStructure, mask: SymbolMask): MaskedView {
  const modes = new Map(Object.entries(mask).map(([name, mode]) => [symbolPath(name), mode]));
  const lines = new ShownLines(text, false);
  const [bodies, folds] = [inOrder(structure.bodies), inOrder(structure.folds)];
  for (const { path, commentLine, firstLine, lastLine, inside, fold, range } of structure.symbols) {
    const mode = modes.get(path);
    if (mode === undefined) continue;
    const [start, end] = range;
    lines.set(commentLine, lastLine, mode !== 'hide');
    if (mode !== 'hide') lines.setPart(start, end, true);
    if (mode !== 'sig') continue;
    if (fold) lines.setPart(fold[0], fold[1], false);
    else if (inside) lines.set(inside[0], inside[1], false);
    // A table of handlers has no body of its own, and is all bodies.
    else for (const [first, last] of bodies(firstLine, lastLine)) lines.set(first, last, false);
    for (const [from, to] of folds(start, end)) lines.setPart(from, to, false);
  }
  const known = new Set(structure.symbols.map(({ path }) => path));
  return { text: lines.render(), unknown: Object.keys(mask).filter((name) => !known.has(symbolPath(name))) };
}

/** The mask of a view of nothing but heads, or nothing but whole definitions: of these symbols, or of all. */
export function maskOf(
  { symbols }: SourceStructure,
  mode: 'sig' | 'def',
  named: readonly string[] | undefined,
): SymbolMask {
  // A whole definition has its members in it.
  const all = symbols.filter(({ depth }) => mode === 'sig' || depth === 0).map(({ path }) => path);
  return Object.fromEntries((named ?? all).map((path) => [path, mode]));
}

type Ranges = readonly (readonly [number, number])[];

/** Tells which ranges of an ordered list begin between two places, both included. */
function inOrder(ranges: Ranges): (first: number, last: number) => Ranges {
  const starts = ranges.map(([first]) => first);
  return (first, last) => ranges.slice(indexAfter(starts, first), indexAfter(starts, last + 1));
}

/**
 * A sentence where the source was not understood, so that nobody takes a part for the whole. Not all of it is an error:
 * grammars know no macros of C, and not the newest syntax.
 */
export function partialNote({ errorLines }: SourceStructure): string | undefined {
  if (errorLines.length === 0) return undefined;
  const where = `line${errorLines.length === 1 ? '' : 's'} ${errorLines.join(', ')}`;
  return `syntax errors, or syntax that is not known, near ${where}: what follows may be incomplete`;
}
