/**
 * What to look for in the trees of a language, as a query of tree-sitter. Names of captures:
 *
 * - a kind of symbol (`@function`, `@class` …): the node of a definition, with `@name`, and where it has one `@body` (code,
 *   which a skeleton leaves out) or `@inner` (members, which it shows); `@scope` is the type that a method belongs to
 *   when it stands outside of it. Where two patterns find the same node, the first one counts.
 * - `@body` alone: code without a name. `@open`: code that is shown although another pattern calls it a body.
 * - `@data`: a literal, left out where it is long. `@doc`: a text that is kept, at the beginning of
 *   the body `@documented`.
 * - `@outer` and `@wrapped`: the definition within belongs together with what is around it (`export`, decorators).
 * - `@called`: a name that is only looked at.
 * - `@comment`: belongs to the definition below it.
 *
 * @see https://tree-sitter.github.io/tree-sitter/using-parsers/queries/1-syntax.html
 */
export type LanguageQuery = string;

/** What is not valid; the same in every language. */
export const ERRORS = '(ERROR) @error (MISSING) @error';
