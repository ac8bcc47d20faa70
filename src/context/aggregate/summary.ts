import { collapse, counted, truncate } from '../../base/text/text.ts';
import { linesOf } from '../slice/fuzzy-anchor.ts';
import { type SummaryRules, summaryRulesOf } from './summary-rules.ts';

const MAX_NAMES = 40;
const MAX_DOC_LINES = 3;
const MAX_DOC_LENGTH = 200;
/** Longer lines are data or made by programs. Patterns meet no more of them, whatever stands in there. */
const MAX_LINE_LENGTH = 400;

/**
 * Says of a text what can be seen without understanding it: the language by the file's name, the number of lines, what the
 * first comment or paragraph says, what it imports, and its symbols or headings with their lines.
 *
 * ```text
 * Python, 42 lines
 * Reads tokens.
 * Imports: os, re
 * Symbols: class Lexer (line 9), def main (line 30)
 * ```
 */
export function summariseFile(name: string, text: string): string {
  const rules = summaryRulesOf(name);
  const lines = linesOf(text);
  if (lines.length === 0) return `${rules.language}, empty`;
  const short = lines.map((line) => line.slice(0, MAX_LINE_LENGTH));
  return [
    `${rules.language}, ${counted(lines.length, 'line')}`,
    ...firstWords(short, rules),
    ...listed(
      'Imports',
      namesOf(short, rules.imports, (groups) => groups[0] ?? ''),
    ),
    ...listed(
      rules.imports || rules.comment ? 'Symbols' : 'Headings',
      namesOf(short, rules.symbols, (groups, row) => `${groups.join(' ')} (line ${row + 1})`),
    ),
  ].join('\n');
}

function namesOf(
  lines: readonly string[],
  pattern: RegExp | undefined,
  tell: (groups: readonly string[], row: number) => string,
): string[] {
  if (!pattern) return [];
  const names = lines.flatMap((line, row) => {
    const groups =
      pattern
        .exec(line)
        ?.slice(1)
        .filter((group) => group?.trim()) ?? [];
    return groups.length > 0 ? [collapse(tell(groups, row))] : [];
  });
  return [...new Set(names)];
}

function listed(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length - MAX_NAMES;
  const more = rest > 0 ? [`… and ${rest} more`] : [];
  return [`${title}: ${[...names.slice(0, MAX_NAMES), ...more].join(', ')}`];
}

/** The first lines of the comment, docstring or paragraph that the file begins with. */
function firstWords(lines: readonly string[], rules: SummaryRules): string[] {
  const found: string[] = [];
  let isQuoted = false;
  for (const line of lines) {
    if (found.length === MAX_DOC_LINES) break;
    if (line.startsWith('#!') || /^\s*(?:\/\*+|\*+\/|\*|#|<!--|-->|<\?\w+|---)?\s*$/.test(line)) {
      if (found.length > 0 && !isQuoted) break;
      continue;
    }
    const quotes = rules.language === 'Python' ? /^\s*[rRuU]?("""|''')/.exec(line) : null;
    const words = wordsOf(line, rules, quotes !== null || isQuoted);
    if (words === undefined) break;
    if (words !== '') found.push(truncate(words, MAX_DOC_LENGTH, '…'));
    if (quotes) isQuoted = true;
    if (isQuoted && /("""|''')\s*$/.test(quotes ? line.slice(quotes[0].length) : line)) break;
  }
  return found;
}

/** What a line says of the file; `undefined` where the code begins. */
function wordsOf(
  line: string,
  { comment, symbols, imports }: SummaryRules,
  isQuoted: boolean,
): string | undefined {
  if (isQuoted) return collapse(line.replace(/^\s*[rRuU]?("""|''')/, '').replace(/("""|''')\s*$/, ''));
  if (comment)
    return comment.test(line) ? collapse(line.replace(comment, '').replace(/\*\/\s*$/, '')) : undefined;
  if (symbols?.test(line) || imports?.test(line)) return ''; // it is listed as a heading
  return collapse(line);
}
