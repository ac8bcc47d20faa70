/**
 * A word like `WIDGET_EXPORT`, with or without arguments, between `class` and the name that a body or bases follow. Grammars know
 * no macros, and would take it for the name.
 */
const EXPORT_MACRO =
  /(\b(?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,80}(?:\([^()\n]{0,80}\))?)(?=\s+[A-Za-z_][\w:<>, ]{0,200}\s*(?:\{|:(?!:)))/g;

/** The text with blanks in place of such words of C and C++: every position stays what it was. */
export const withoutExportMacros = (text: string): string =>
  text.replace(EXPORT_MACRO, (_, before: string, macro: string) => before + ' '.repeat(macro.length));
