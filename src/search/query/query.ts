import { wordsIn } from './words.ts';

/** Words that stand in a row in a text; the last one may be the beginning of a longer one. */
export interface Phrase {
  readonly words: readonly string[];
  readonly isBeginning: boolean;
}

const OPEN = /"([^"]*)"?|(\S+)/g;

/**
 * What somebody asks for: all of it has to be in a text. A word stands for every one that begins so; what is in quotes is a row of
 * whole words. Characters that are no part of words are passed over: there is no syntax to get wrong.
 *
 * @param words as a shell hands them over: one that holds spaces was quoted there, and is read as if it was typed without
 */
export function parseQuery(words: readonly string[]): Phrase[] {
  const phrases = [...words.join(' ').matchAll(OPEN)].map(([, quoted, bare]): Phrase => {
    const found = wordsIn(quoted ?? bare ?? '');
    return { words: found, isBeginning: quoted === undefined && endsInWord(bare ?? '') };
  });
  return phrases.filter((phrase) => phrase.words.length > 0);
}

/** `render(` is that name and no longer one. */
const endsInWord = (bare: string): boolean => /[\p{L}\p{N}\p{M}\p{Co}]$/u.test(bare);

/** A query in the language of FTS5. @see https://www.sqlite.org/fts5.html#full_text_query_syntax */
export const toMatch = (phrases: readonly Phrase[], columns?: readonly string[]): string => {
  const all = phrases.map(({ words, isBeginning }) => `"${words.join(' ')}"${isBeginning ? ' *' : ''}`);
  const match = all.join(' AND ');
  return columns ? `{${columns.join(' ')}} : (${match})` : match;
};
