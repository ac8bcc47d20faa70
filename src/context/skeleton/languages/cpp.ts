import { C, FUNCTION_DECLARATOR } from './c.ts';
import type { LanguageQuery } from './rules.ts';

const REFERENCE = '(reference_declarator (function_declarator declarator: (_) @name))';

/** `operator bool() const`, of which the name ends before the parentheses. */
const CAST = `[
  (operator_cast)
  (qualified_identifier name: (operator_cast))
  (qualified_identifier name: (qualified_identifier name: (operator_cast)))
]`;

export const CPP: LanguageQuery = `
  ${C}
  (function_definition declarator: ${FUNCTION_DECLARATOR} body: (try_statement) @body) @function
  (function_definition declarator: ${FUNCTION_DECLARATOR} !body) @function
  (function_definition declarator: ${REFERENCE} body: (compound_statement) @body) @function
  (declaration declarator: ${REFERENCE}) @function
  (function_definition declarator: ${CAST} @name body: (compound_statement) @body) @function
  (declaration declarator: (operator_cast) @name) @function
  (field_declaration declarator: ${FUNCTION_DECLARATOR}) @function
  (field_declaration declarator: ${REFERENCE}) @function

  (class_specifier name: (_) @name body: (field_declaration_list) @inner) @class
  (namespace_definition name: (_) @name body: (declaration_list) @inner) @module
  (alias_declaration name: (type_identifier) @name) @type
  (concept_definition name: (identifier) @name) @type
  (template_declaration (_) @wrapped) @outer

  (lambda_expression body: (compound_statement) @body)
`;
