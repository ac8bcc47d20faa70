/** Escape sequences of terminals: colours, cursor, titles. */
const ANSI = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -~]/g;

/** What nobody sees, what changes the order of what is seen, and halves of characters; tab and newline stay. */
const UNSEEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\ud800-\udfff]/gu;

/**
 * Text from a transcript as people are to see it: without colours, line ends in one form, and what would not be seen, or would
 * change the order of the rest, by its name.
 */
export const shown = (text: string): string =>
  text.replace(ANSI, '').replace(/\r\n?/g, '\n').replace(UNSEEN, nameOf);

/** A line of a file: what would end it is shown as well. */
export const shownCode = (line: string): string => shown(line.replace(/[\r\n]/g, '\u240d'));

/** In one line, with single spaces. */
export const shownLine = (text: string): string => shown(text).replace(/\s+/g, ' ').trim();

/** Unicode has a picture for each of the first control characters; others are named by their number. */
function nameOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
}

/** `2026-11-21 11:04 UTC`; empty for what is no time. */
export function shownTime(seconds: number | undefined): string {
  const iso = isoTime(seconds);
  return iso === undefined ? '' : `${iso.slice(0, -8).replace('T', ' ')} UTC`;
}

/** As `<time>` has it, to the second. */
export function isoTime(seconds: number | undefined): string | undefined {
  if (typeof seconds !== 'number' || seconds === 0) return undefined;
  const time = new Date(Math.floor(seconds) * 1000);
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined; // those of other centuries have a sign and more digits
}

/** `12,345`. */
export const shownNumber = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
