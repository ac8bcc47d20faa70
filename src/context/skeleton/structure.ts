import type { Language } from './language.ts';

/** Raised whenever the same text would give another structure, so that kept ones are not taken for today's. */
export const STRUCTURE_VERSION = 3;

export type SymbolKind =
  | 'class'
  | 'constant'
  | 'enum'
  | 'function'
  | 'impl'
  | 'interface'
  | 'macro'
  | 'method'
  | 'module'
  | 'struct'
  | 'trait'
  | 'type'
  | 'union'
  | 'variable';

/** First and last line, counted from 1, both included. */
export type LineRange = readonly [first: number, last: number];
/** Where characters of the text begin, in UTF-16 code units, and where they end: the end is not one of them. */
export type CharRange = readonly [start: number, end: number];

/** Something with a name that other code can use. What is local to a function is none. */
export interface SourceSymbol {
  readonly name: string;
  /** The names from the outermost on, joined by dots: `Server.run`. Overloads share one. */
  readonly path: string;
  readonly kind: SymbolKind;
  /** How many symbols enclose it. */
  readonly depth: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The line where its comment begins that stands directly above; else {@link firstLine}. */
  readonly commentLine: number;
  /** Its head on one line, without what follows the brace or colon. */
  readonly signature: string;
  /** What its signature does not show: the body or the members; `undefined` where there are none. */
  readonly inside?: LineRange;
  /** The same where that shares its lines with other code. */
  readonly fold?: CharRange;
  /** All of it. */
  readonly range: CharRange;
}

/**
 * All that views need to know of a source file. Plain data, which can be kept as JSON: views are made from it and the text
 * without parsing again.
 */
export interface SourceStructure {
  readonly language: Language;
  /** In the order of the source, outer ones before those within. */
  readonly symbols: readonly SourceSymbol[];
  /** Bodies and long data, which a skeleton leaves out; in order, none within another. */
  readonly bodies: readonly LineRange[];
  /** Bodies that share a line with other code; in order, none within another. */
  readonly folds: readonly CharRange[];
  /** Lines near which the text is not valid, at most {@link MAX_ERROR_LINES}; views of the rest may be wrong there. */
  readonly errorLines: readonly number[];
}

export const MAX_ERROR_LINES = 20;
