/**
 * JSON as commands print it: two spaces, and every character escaped that a terminal could take for a command, or that
 * reorders or hides text. Programs get the exact text; people who look at it are safe.
 */
export const renderJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(
    /[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
