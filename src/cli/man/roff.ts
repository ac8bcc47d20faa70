/**
 * Text as roff reads it: nothing in it is a request, an escape or another character than it is. Pages are plain ASCII, for `man` takes
 * files for what the locale says.
 *
 * @see https://man7.org/linux/man-pages/man7/man.7.html
 */

/** Characters that a formatter would read, or prints as others: an option that is copied has to be the option. */
const SPELT: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  '~': '\\(ti',
  '^': '\\(ha',
  '`': '\\(ga',
  '"': '\\(dq',
};

/** A line of text. Line ends and control characters in it are blanks. */
export const roff = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\\\-~^`"]|[^ -~]/gu, (one) => SPELT[one] ?? unicode(one))
    .replace(/^[.']/, '\\&$&');

const unicode = (one: string): string =>
  `\\[u${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** As it is typed: quotes stay straight. */
export const code = (text: string): string =>
  roff(text).replaceAll("'", '\\(aq').replace('\\&\\(aq', '\\(aq');

export const bold = (text: string): string => `\\fB${code(text)}\\fR`;
export const italic = (text: string): string => `\\fI${code(text)}\\fR`;

/** Sentences in which what stands in backticks is typed; in lines, as sources have them. */
export function prose(text: string): string {
  const parts = text.trim().split(/`([^`]+)`/);
  const whole = parts.map((part, index) => (index % 2 === 1 ? bold(part) : inline(part))).join('');
  const lines = [''];
  for (const word of whole.split(' ')) {
    const line = [lines.at(-1), word].filter(Boolean).join(' ');
    if (line.length <= 78 || lines.at(-1) === '') lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.map((line) => line.replace(/^[.']/, '\\&$&')).join('\n');
}

/** Within a line nothing is a request. */
const inline = (text: string): string => roff(text).replace(/^\\&/, '');

/** A usage line: `[<range>]` with what one fills in as such. */
export const usage = (text: string): string =>
  text
    .split(/<([^<>]+)>/)
    .map((part, index) => (index % 2 === 1 ? italic(part) : inline(part)))
    .join('');

/** One line of a list, and what it means. */
export const item = (term: string, text: string): string[] => [
  '.TP',
  term,
  text === '' ? '\\&' : prose(text),
];

/** Lines as they stand. Formatters leave a line out that is empty, or say so. */
export const literal = (lines: readonly string[]): string[] => ['.nf', ...lines.map(code), '.fi'];

/** A heading and what stands below it; nothing where that is nothing. */
export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`.SH ${title}`, ...lines] : [];

/** `entire-log(1), git-log(1)`, at the end of a page. */
export const references = (pages: readonly (readonly [name: string, section: number])[]): string[] =>
  pages.map(([name, number], index) => `.BR ${code(name)} (${number})${index < pages.length - 1 ? ',' : ''}`);

/** The first line of a page. */
export const title = (name: string, version: string, date: string): string =>
  `.TH ${code(name.toUpperCase())} 1 ${date} "entire ${code(version)}" "Entire Manual"`;
