/**
 * What is left of a line of code without what a formatter decides: white space, the kind of quotes, and commas and semicolons at
 * its end.
 */
export const plainLine = (line: string): string =>
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
