import stringWidth from 'string-width';

/** Where text goes: a terminal tells how wide it is. */
export interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/**
 * How wide what a command prints may be: as `COLUMNS` says, which git hears before the terminal, too; `undefined` in a pipe, and where
 * the terminal does not tell: nothing is cut then.
 */
export function terminalWidth(
  { isTTY, columns }: Stream = process.stdout,
  env: NodeJS.ProcessEnv = process.env,
): number | undefined {
  const asked = /^[1-9]\d{0,5}$/.exec(env.COLUMNS ?? '')?.[0];
  if (asked !== undefined) return Number(asked);
  return isTTY && columns ? columns : undefined;
}

/** The package needs 15 ms for the first text that is not ASCII; Bun brings the same with it. */
const measure: (text: string) => number =
  (globalThis as { Bun?: { stringWidth(text: string): number } }).Bun?.stringWidth ?? stringWidth;

/** Columns that a terminal gives a text. Colours take none. */
export const widthOf = (text: string): number => (/^[\x20-\x7e]*$/.test(text) ? text.length : measure(text));

/** So many columns at least, with spaces behind. */
export const padTo = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** A text that is too wide ends so. */
const ELLIPSIS = '…';

/** The text, or the beginning of one that is too wide, and an ellipsis. */
export function cutTo(text: string, width: number | undefined): string {
  if (width === undefined || widthOf(text) <= width) return text;
  let cut = '';
  let left = width - 1;
  for (const { segment } of characters.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut.trimEnd()}${ELLIPSIS}`;
}

/** As people count them: letters with their marks, families of emoji. */
const characters = new Intl.Segmenter();

/**
 * Sentences and rows of words, broken at words where they are too wide. What follows stands below the text of its row: behind a mark
 * (`- `), or in the second column of a list. A word is never cut, since people copy paths and ids: one that is too long for a line
 * has its own. What stands in backquotes is one word where a line can hold it; an indented command is left as it is.
 */
export const wrapLines = (text: string, width: number | undefined): string =>
  width === undefined
    ? text
    : text
        .split('\n')
        .map((line) => (widthOf(line) <= width ? line : wrapLine(line, width)))
        .join('\n');

/** An indented line that is a command: it is copied as a whole. */
const COMMAND = /^ +(?:(?:entire|git|cd) |[a-z-]+ (?:exec )?(?:-r|--?resume|resume|--session)\b)/;

function wrapLine(line: string, width: number): string {
  if (COMMAND.test(line)) return line;
  const seen = line.replaceAll(COLOURS, '');
  const front = frontOf(seen, width);
  const head = line.slice(0, lengthWithColours(line, front.length));
  const [hang, indent] = [widthOf(front), seen.length - seen.trimStart().length];
  const lines: string[] = [];
  let current = head;
  let isBegun = false;
  for (const { word, gap } of wordsOf(line.slice(head.length), width - hang)) {
    if (isBegun && widthOf(current) + gap.length + widthOf(word) > width) {
      lines.push(current);
      current = ' '.repeat(widthOf(word) > width - hang ? indent : hang) + word;
    } else if (!isBegun && front.trim() !== '' && hang + widthOf(word) > width) {
      lines.push(head);
      current = ' '.repeat(Math.min(hang, indent + 4)) + word;
    } else current += (isBegun ? gap : '') + word;
    isBegun = true;
  }
  return [...lines, current].map((one) => one.trimEnd()).join('\n');
}

const COLOURS = /\x1b\[[\d;]*m/g;

/** What stays in front of the first word; the next lines begin below its end. */
function frontOf(line: string, width: number): string {
  const column = /^\s*\S(?:\S| (?! ))* {2,}(?=\S)/.exec(line)?.[0];
  if (column !== undefined && widthOf(column) <= width * MOST_HANG) return column;
  return /^\s*(?:(?:[-*+•✓✕○●·!]|->) )?/.exec(line)?.[0] ?? '';
}

/** How much of a line holds so many characters that are seen. */
function lengthWithColours(line: string, seen: number): number {
  let length = 0;
  for (const [part] of line.matchAll(/\x1b\[[\d;]*m|./gs)) {
    if (!part.startsWith('\x1b') && seen-- === 0) break;
    length += part.length;
  }
  return length;
}

/** A second column that begins further to the right leaves too little room. */
const MOST_HANG = 0.6;

interface Word {
  readonly word: string;
  /** The spaces in front of it. */
  readonly gap: string;
}

/** @param room columns that a word in backquotes may take */
function wordsOf(text: string, room: number): Word[] {
  const words: Word[] = [];
  for (const [, gap = '', word = ''] of text.matchAll(/( *)([^ `]*`[^`]+`[^ `]*|[^ ]+)/g)) {
    const parts = word.includes(' ') && widthOf(word) > room ? word.split(' ') : [word];
    for (const [at, part] of parts.entries()) words.push(...pieces(part, at === 0 ? gap : ' '));
  }
  return words;
}

/** Between two wide characters a line may end, but not within a path. */
function pieces(word: string, gap: string): Word[] {
  if (/^[\x20-\x7e\x1b]*$/.test(word) || /[/\\]/.test(word)) return [{ word, gap }];
  const found: { word: string; gap: string }[] = [];
  let wasWide = false;
  for (const [segment] of word.matchAll(SEGMENTS)) {
    const isWide = WIDE.test(segment);
    const last = found.at(-1);
    if (last && !(isWide && wasWide && !CLOSES.test(segment))) last.word += segment;
    else found.push({ word: segment, gap: found.length === 0 ? gap : '' });
    if (!segment.startsWith('\x1b')) wasWide = isWide;
  }
  return found;
}

/** Colours, and one character at a time otherwise. */
const SEGMENTS = /\x1b\[[\d;]*m|\p{L}\p{M}*|./gsu;
const WIDE = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff60]/u;
/** No line begins with one of these. */
const CLOSES = /^[\u3001\u3002\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]/u;
