/** Every run of white space becomes one space; trimmed. */
export const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** At most `limit` code points, `suffix` included. */
export function truncate(text: string, limit: number, suffix = ''): string {
  const points = [...text];
  return points.length <= limit ? text : points.slice(0, limit - suffix.length).join('') + suffix;
}

/** At most `limit` bytes of UTF-8, cut between code points. */
export function truncateBytes(text: string, limit: number, suffix: string): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let end = limit;
  const bytes = Buffer.from(text);
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--; // not in the middle of a code point
  return bytes.toString('utf8', 0, end) + suffix;
}

/** On one line of at most `limit` bytes, the dots of what was cut among them. */
export function shortenLine(text: string, limit: number): string {
  const line = collapse(text);
  return Buffer.byteLength(line) <= limit ? line : truncateBytes(line, limit - 3, '...');
}

/**
 * Text from a transcript, a commit or a file name, made safe to print: escape sequences, other control characters
 * and those that reorder or hide text are dropped; tab and newline stay.
 */
export function sanitizeForTerminal(text: string): string {
  return text
    .replace(/(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b./g, '')
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
}

/** What moves a terminal's cursor, breaks a line somewhere, or is not seen. */
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A file's name on one line, as git shows it: one with what cannot be printed stands in quotes, those bytes in octal. */
export function showPath(path: string): string {
  const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const octal = (char: string): string =>
    [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const shown = path.replace(/["\\]/g, '\\$&').replace(UNPRINTABLE, (char) => named[char] ?? octal(char));
  return path.search(UNPRINTABLE) === -1 ? path : `"${shown}"`;
}

/** `1 file`, `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** `a, b or c`. */
export const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A size for people, wherever one is said: `512 bytes`, `3.4 KiB`, `1 GiB`. */
export function renderBytes(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const powers = UNITS.map((_, at) => 1024 ** (at + 1));
  // What would be rounded to 1024 of a unit is one of the next.
  const at = Math.max(
    0,
    powers.findLastIndex((power) => bytes >= power * (1 - 0.05 / 1024)),
  );
  const value = bytes / (powers[at] ?? 1);
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${UNITS[at]}`;
}

/** A block that no content can end: its fence is longer than any run of backticks in it. */
export function fence(content: string, language: string): string {
  const longest = (content.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${content.replace(/\n$/, '')}\n${mark}`;
}
