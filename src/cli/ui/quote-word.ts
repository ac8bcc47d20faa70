import { sanitizeForTerminal } from '../../base/text/text.ts';

/** A word that a POSIX shell takes as it is. */
export const quoteWord = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${sanitizeForTerminal(word).replaceAll("'", "'\\''")}'`;
