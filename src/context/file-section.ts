/** The heading that models are told about; part of the shape that others parse. */
const HEADING = "## Files you've been working with";

/** Characters that end a line, are invisible, reorder text, or are white space other than the plain blank. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]/u;

/** What could end the list's entry, a code fence, a tag around the section or its block of file ids. */
const STRUCTURE = /["`<>,]|^ | $|\[LCM File IDs:/i;

/** Of a quoted path everything that is escaped beyond what JSON escapes. */
const ESCAPED = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`<>[]|[^\S ]/gu;

/**
 * Renders which files were touched, for a prompt; the empty text when none was. No newline at the end, and a line only
 * for what there is:
 *
 * ```text
 * ## Files you've been working with
 * Modified: src/auth.py
 * Read: src/auth.py, tests/test_auth.py
 * ```
 *
 * Names of files are chosen by whoever wrote the repository, so that none may break out of its line: see
 * {@link renderPath}. What a name says in words is still read by the model.
 */
export function renderFileSection(modifiedFiles: readonly string[], readFiles: readonly string[]): string {
  const lines = [
    ...(modifiedFiles.length > 0 ? [`Modified: ${modifiedFiles.map(renderPath).join(', ')}`] : []),
    ...(readFiles.length > 0 ? [`Read: ${readFiles.map(renderPath).join(', ')}`] : []),
  ];
  return lines.length === 0 ? '' : [HEADING, ...lines].join('\n');
}

/**
 * The path as it is, or as a JSON string where it holds something that could be taken for more than a path: a line end,
 * a control or invisible character, a backtick, a quote, a comma, `<` or `>`, blanks at its ends, the beginning of a
 * block of file ids. `JSON.parse` gives the path back. Within the quotes all of these are escaped, but for commas,
 * blanks and quotes, which do no harm there.
 */
export function renderPath(path: string): string {
  if (!UNSEEN.test(path) && !STRUCTURE.test(path)) return path;
  return JSON.stringify(path).replace(ESCAPED, (found) => {
    let escaped = '';
    for (let at = 0; at < found.length; at++)
      escaped += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}
