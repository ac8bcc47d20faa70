/**
 * What is left of a line of code without what a formatter decides: white space, the kind of quotes, and commas and semicolons at
 * its end.
 */
export const plainLine = (line: string): string =>
  line
    .replace(/\s+/g, '')
    .replace(/['`]/g, '"')
    .replace(/[,;]+$/, '');
