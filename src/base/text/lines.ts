/** A line that is longer than anybody should keep in memory. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'; // set by hand: bundlers rename classes

  constructor(maxLength: number) {
    super(`a line of more than ${maxLength.toLocaleString('en')} characters`);
  }
}

/** Agents print pictures inside a line, and what tools returned: some ten megabytes are nothing unusual. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * The lines of a text that comes in pieces, without their ends; what follows the last end is a line unless it is empty.
 *
 * Only LF and CRLF end one. Node's `readline` takes U+2028 and U+2029 for ends as well, which stand unescaped inside JSON texts.
 *
 * @param maxLength so many characters a line may have
 * @throws {LineTooLong} as soon as one has more, and then reads no further
 */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  maxLength: number = MAX_LINE,
): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const [first = '', ...more] = piece.split('\n');
    open.push(first);
    length += first.length;
    for (const next of more) {
      if (length > maxLength) throw new LineTooLong(maxLength);
      yield withoutReturn(open.join(''));
      open = [next];
      length = next.length;
    }
    if (length > maxLength) throw new LineTooLong(maxLength);
  }
  const last = open.join('');
  if (last !== '') yield last;
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * What is left of a line of code without what a formatter decides: white space, the kind of quotes, and commas and semicolons at
 * its end.
 */
export function plainLine(line: string): string {
  const found = known.get(line);
  if (found !== undefined) return found;
  const plain = toPlain(line);
  if (known.size >= MAX_KNOWN) known.clear();
  if (line.length <= MAX_KNOWN_LINE) known.set(line, plain);
  return plain;
}

/** A line is held against many others, and again where it stands in a transcript, an edit and a file. */
const known = new Map<string, string>();
const MAX_KNOWN = 16_384;
const MAX_KNOWN_LINE = 512;

function toPlain(line: string): string {
  // Character by character: of tens of thousands of lines that are looked at once each, expressions take three times as long.
  let plain = '';
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code > 0x7f) return plainText(line);
    const isSpace = code === 0x20 || (code >= 0x09 && code <= 0x0d);
    if (!isSpace && code !== 0x27 && code !== 0x60) continue;
    plain += line.slice(from, at) + (isSpace ? '' : '"');
    from = at + 1;
  }
  plain = from === 0 ? line : plain + line.slice(from);
  let end = plain.length;
  while (end > 0 && ',;'.includes(plain.charAt(end - 1))) end--;
  return plain.slice(0, end);
}

const plainText = (line: string): string =>
  line
    .replace(/\s+/g, '')
    .replace(/['`]/g, '"')
    .replace(/[,;]+$/, '');

/** {@link plainLine} of all lines of a text, blank ones left out; much faster than one by one. */
export const plainLines = (text: string): string[] =>
  text
    .replace(/[^\S\n]+/g, '')
    .replace(/['`]/g, '"')
    .replace(/[,;]+$/gm, '')
    .split('\n')
    .filter((line) => line !== '');

/** A line without a letter or digit (`}`, a blank one) proves nothing by itself. */
export function isTelling(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code > 0x7f) return /[\p{L}\p{N}]/u.test(line);
    if (isAsciiLetter(code)) return true;
  }
  return false;
}

/** Whether a character below 128 is a letter or a digit. */
function isAsciiLetter(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** So many letters and digits make a line that nobody writes by chance, as git's `blame -C` has it of a whole block. */
export const DISTINCTIVE = 16;

/** Lines further away than that are no block with one. */
const MAX_BLOCK = 20;

/**
 * The lines around one that many files have, first of all those above it, that together have so many letters as nobody writes by chance.
 *
 * @returns where they begin, and where they end (behind the last); `undefined` where all of them have too few
 */
export function blockAround(lines: readonly string[], at: number): readonly [number, number] | undefined {
  let letters = lettersIn(lines[at] as string, DISTINCTIVE);
  let from = at;
  let to = at + 1;
  while (letters < DISTINCTIVE && from > Math.max(0, at - MAX_BLOCK))
    letters += lettersIn(lines[--from] as string, DISTINCTIVE);
  while (letters < DISTINCTIVE && to < Math.min(lines.length, at + MAX_BLOCK))
    letters += lettersIn(lines[to++] as string, DISTINCTIVE);
  return letters < DISTINCTIVE ? undefined : [from, to];
}

/** How many letters and digits it has; not counted further than `most`. */
export function lettersIn(line: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < line.length && count < most; at++) {
    const code = line.charCodeAt(at);
    if (code > 0x7f) return line.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (isAsciiLetter(code)) count++;
  }
  return count;
}

/** Whether the text of a line alone tells whose it is. */
export const isDistinctive = (line: string): boolean => lettersIn(line, DISTINCTIVE) >= DISTINCTIVE;

/** Nobody writes an import that long by hand. */
const MAX_IMPORT = 1_000;

/** A name with its path, in any language; a comment that may follow; and the ends of a statement. */
const NAME = String.raw`[\w$@.:\\/*-]+`;
const LIST = `${NAME}(?: (?:as|=>) ${NAME})?(?:, ?${NAME}(?: as ${NAME})?)*`;
const END = String.raw`[;,]?(?: ?(?://|#|--|/\*).*)?$`;
const TEXT = '(?:"[^"]*"|\'[^\']*\'|`[^`]*`)';

/** What a line that is an import looks like, each run of white space made one space: otherwise such a run is tried at all of its lengths. */
const IMPORTS = [
  // JavaScript and TypeScript: the whole, its first line, and its last one; Go: a path with a name of its own
  String.raw`import\b[^"'()]*\bfrom ?["']`,
  String.raw`import ?(?:[\w.]+ )?${TEXT}(?: with \{[^}]*\})?${END}`,
  String.raw`import (?:type )?(?:[\w$]+, ?)?\{[^}]*$`,
  String.raw`import ?\($`,
  String.raw`(?:\} ?)?from ?${TEXT}${END}`,
  String.raw`export (?:type )?(?:\*(?: as [\w$]+)?|\{[^}]*\}) ?from ?["']`,
  // Python, Java, Kotlin, Scala, Swift, Haskell
  String.raw`import (?:static |type |qualified )?${LIST}(?:\{[^}]*\})?(?: (?:hiding )?\([^()]*\))?${END}`,
  String.raw`from [\w.]+ import\b`,
  // C, Ruby, PHP, Rust, Perl, C#, C++, Lua
  '# ?include ?["<]',
  String.raw`include(?:_once)? ?\(?(?:${TEXT}|${NAME})\)?${END}`,
  String.raw`(?:pub(?:\([\w: ]*\))? )?use (?:function |const )?${NAME}(?:\{.*| as [\w$]+| qw ?[(/].*)?${END}`,
  `(?:global )?using (?:static |namespace )?${NAME}${END}`,
  String.raw`package ${NAME} ?\{?${END}`,
  String.raw`require(?:_once|_relative)? ?\(? ?${TEXT} ?\)?${END}`,
  String.raw`(?:(?:const|let|var|local|import|export const) [^=]*|\} ?)= ?require ?\(? ?${TEXT} ?\)?(?:\.[\w$]+)*${END}`,
  // one of a list of names
  String.raw`(?:type )?[\w$.]+(?: as [\w$]+)?,?$`,
];
const IMPORT = new RegExp(`^(?:${IMPORTS.join('|')})`);

/** Whether a line only names what it takes from elsewhere, or is one of a list of such names: people write the same one in many files. */
export function isImport(line: string): boolean {
  const text = line.trim();
  return text.length <= MAX_IMPORT && IMPORT.test(text.replace(/\s+/g, ' '));
}
