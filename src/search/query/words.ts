/**
 * Texts as SQLite is to cut them into words: at all that is neither letter nor digit (`unicode61`), so that `src/a.ts` is three words in
 * a row, and `render_page` two.
 *
 * @see https://www.sqlite.org/fts5.html#unicode61_tokenizer
 */

/** Scripts that have no spaces between words: each character is one. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const EACH_UNSPACED = new RegExp(UNSPACED, 'gu');

/** A text with spaces around characters that are words of their own; most have none, and come back as they were. */
export const spaced = (text: string): string =>
  UNSPACED.test(text) ? text.replace(EACH_UNSPACED, ' $& ') : text;

const HUMPED = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const IDENTIFIER = /[A-Za-z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][A-Za-z0-9]*/g;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** Of random letters there are as many. */
const MAX_HUMPS = 8;
const MAX_IDENTIFIER = 64;

/**
 * What is found of identifiers beside their beginning: `BarBaz Baz` for `fooBarBaz`, each once.
 */
export function humpsIn(text: string): string {
  if (!HUMPED.test(text)) return '';
  const found = new Set<string>();
  for (const [identifier] of text.matchAll(IDENTIFIER)) {
    if (identifier.length > MAX_IDENTIFIER) continue;
    const parts = identifier.split(HUMP);
    if (parts.length > MAX_HUMPS) continue;
    for (let at = 1; at < parts.length; at++) found.add(parts.slice(at).join(''));
  }
  return [...found].join(' ');
}

/** Words as the tokenizer tells them apart, marks that belong to a letter among them. */
const WORDS = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

/** The words of a text, in order. */
export const wordsIn = (text: string): string[] => spaced(text).match(WORDS) ?? [];
