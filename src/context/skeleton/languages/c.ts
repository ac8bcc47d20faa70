import type { LanguageQuery } from './rules.ts';

/** A declarator, of which the name of the function is some levels down: pointers may stand around it. */
export const FUNCTION_DECLARATOR = `[
  (function_declarator declarator: (_) @name)
  (pointer_declarator declarator: (function_declarator declarator: (_) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
  (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator
    declarator: (function_declarator declarator: (_) @name))))
]`;

const AGGREGATES = [
  ['struct', 'field_declaration_list'],
  ['union', 'field_declaration_list'],
  ['enum', 'enumerator_list'],
] as const;

/** A typedef of a struct comes first: its name is the one that is used, and the struct within is the same thing. */
export const C: LanguageQuery = `
  (comment) @comment
  (function_definition declarator: ${FUNCTION_DECLARATOR} body: (compound_statement) @body) @function
  (declaration declarator: ${FUNCTION_DECLARATOR}) @function

  ${AGGREGATES.map(
    ([kind, members]) => `
  (type_definition type: (${kind}_specifier body: (${members}) @inner) declarator: (type_identifier) @name) @${kind}
  (${kind}_specifier name: (_) @name body: (${members}) @inner) @${kind}`,
  ).join('')}

  (type_definition declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
  ]) @type

  (preproc_function_def name: (identifier) @name) @macro
  (preproc_def name: (identifier) @name value: (_)) @macro

  (initializer_list) @data
`;
