import type { Tree } from 'web-tree-sitter';
import { describeError } from '../../base/errors.ts';
import { elide, hiding } from './bodies.ts';
import type { LoadedGrammar } from './grammar.ts';
import { type Language, languageOf } from './language.ts';
import { SourceRows } from './source-rows.ts';
import { type Findings, sortFindings } from './spans.ts';
import { MAX_ERROR_LINES, type SourceStructure } from './structure.ts';
import { listSymbols } from './symbols.ts';

/** Longer texts, in UTF-16 code units, are generated ones: a summary tells as much of them. */
export const MAX_SOURCE_LENGTH = 2_000_000;

/** Some texts make a parser try everything. Source code needs a tenth of this. */
const timeLimitMs = (text: string): number => 3_000 + text.length / 200;

/** What came of reading a source file. Where it is not `read` the caller shows something else, a summary. */
export type SourceReading =
  | { readonly status: 'read'; readonly structure: SourceStructure }
  | { readonly status: 'no-grammar' }
  | { readonly status: 'failed'; readonly language: Language; readonly reason: string };

/**
 * Reads the structure of a source file. Never throws: a grammar that cannot be loaded, and a text that the parser cannot
 * cope with, are results. Text with syntax errors is read as far as it goes; `errorLines` says where it does not.
 */
export async function readStructure(
  fileName: string,
  text: string,
  timeMs = timeLimitMs(text),
): Promise<SourceReading> {
  const language = languageOf(fileName, text);
  if (language === undefined) return { status: 'no-grammar' };
  try {
    const refusal = refusalOf(language, text);
    if (refusal !== undefined) throw new Error(refusal);
    const { loadGrammar } = await import('./grammar.ts');
    const readable = language === 'cpp' || language === 'c' ? withoutExportMacros(text) : text;
    const found = find(await loadGrammar(language), readable, timeMs);
    return { status: 'read', structure: structureOf(language, text, found) };
  } catch (error) {
    return { status: 'failed', language, reason: describeError(error) };
  }
}

/** What no parser should be given. */
function refusalOf(language: Language, text: string): string | undefined {
  if (text.length > MAX_SOURCE_LENGTH) return `longer than ${MAX_SOURCE_LENGTH} characters`;
  if (text.includes('\0')) return 'has NUL characters, as no source code does';
  return isNestedDeeper(text, language) ? `nested deeper than ${MAX_NESTING} brackets` : undefined;
}

/** Parses and asks the query. What comes out holds nothing of parser and tree, whose memory no garbage collector knows. */
function find({ Parser, grammar, query, giveUp }: LoadedGrammar, text: string, timeMs: number): Findings {
  const isLate = deadlineIn(timeMs);
  const parser = new Parser();
  let tree: Tree | null = null;
  let isBroken = false;
  try {
    tree = parser.setLanguage(grammar).parse(text, null, { progressCallback: isLate });
    const matches = tree ? query.matches(tree.rootNode, { progressCallback: isLate }) : [];
    if (!tree || isLate()) throw new Error(`not parsed within ${Math.round(timeMs)} ms`);
    return sortFindings(matches);
  } catch (cause) {
    // Without memory, or with a full stack, it leaves everything as it is, also what it would need to free it.
    isBroken = cause instanceof WebAssembly.RuntimeError || cause instanceof RangeError;
    if (!isBroken) throw cause;
    giveUp();
    throw new Error('the parser broke off', { cause });
  } finally {
    if (!isBroken) {
      tree?.delete();
      parser.delete();
    }
  }
}

/**
 * Counts the time of the processor: on a busy machine a file is not refused. That takes a call of the system, and parsers ask
 * thousands of times, so that it is only looked up where as much time has gone by.
 */
function deadlineIn(timeMs: number): () => boolean {
  const begunMs = performance.now();
  const begun = process.cpuUsage();
  return () => performance.now() - begunMs > timeMs && process.cpuUsage(begun).user > timeMs * 1_000;
}

function structureOf(language: Language, text: string, found: Findings): SourceStructure {
  const source = new SourceRows(text);
  const hide = hiding(source, found);
  const { rows, folds } = elide(found, hide);
  const errorLines = new Set(found.errors.map(({ firstRow }) => firstRow + 1));
  return {
    language,
    symbols: listSymbols(source, found, hide),
    bodies: rows.map(([first, last]) => [first + 1, last + 1] as const),
    folds,
    errorLines: [...errorLines].sort((a, b) => a - b).slice(0, MAX_ERROR_LINES),
  };
}

/**
 * A word like `WIDGET_EXPORT`, with or without arguments, between `class` and the name that a body or bases follow. Grammars know
 * no macros, and would take it for the name.
 */
const EXPORT_MACRO =
  /(\b(?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,80}(?:\([^()\n]{0,80}\))?)(?=\s+[A-Za-z_][\w:<>, ]{0,200}\s*(?:\{|:(?!:)))/g;

/** The text with blanks in place of such words of C and C++: every position stays what it was. */
export const withoutExportMacros = (text: string): string =>
  text.replace(EXPORT_MACRO, (_, before: string, macro: string) => before + ' '.repeat(macro.length));

/** Nobody writes this. The time of the parser, and in some languages its memory, grow with the square of it. */
export const MAX_NESTING = 1_000;

/** Where `<` may begin arguments as well as compare, the parser follows both ways. */
const HAS_TYPE_ARGUMENTS = new Set<Language>(['cpp', 'typescript', 'tsx', 'rust', 'java']);

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/**
 * Tells whether brackets are open in one another more than `limit` deep. Knows nothing of strings and comments: what is
 * left open in one of them ends with the brackets around it.
 */
export function isNestedDeeper(text: string, language: Language, limit = MAX_NESTING): boolean {
  const open: string[] = [];
  const counts: Record<string, number> = { '(': 0, '[': 0, '{': 0, '<': 0 };
  const drop = (): string | undefined => {
    const last = open.pop();
    if (last !== undefined) counts[last] = (counts[last] ?? 0) - 1;
    return last;
  };
  const brackets = HAS_TYPE_ARGUMENTS.has(language) ? /[()[\]{}<>;]/g : /[()[\]{}]/g;
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    const [bracket] = match;
    if (';{}'.includes(bracket)) while (open.at(-1) === '<') drop(); // it did compare
    const opening = OPENING[bracket];
    if (opening === '<') {
      if (open.at(-1) === '<') drop();
    } else if (opening !== undefined) {
      if (counts[opening]) while (drop() !== opening);
    } else if (bracket !== ';') {
      counts[bracket] = (counts[bracket] ?? 0) + 1;
      if (open.push(bracket) > limit) return true;
    }
  }
  return false;
}
