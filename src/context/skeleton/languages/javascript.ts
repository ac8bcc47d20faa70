import type { LanguageQuery } from './rules.ts';

const FUNCTION_VALUE = `[
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]`;

/** A function that is called at once, or hands over what it makes: what stands in it is what the file has. */
const MODULE =
  '[(function_expression body: (statement_block) @open) (arrow_function body: (statement_block) @open)]';

/** What TypeScript has as well, where it calls it the same. */
const SHARED = `
  (comment) @comment
  (function_declaration name: (identifier) @name body: (statement_block) @body) @function
  (generator_function_declaration name: (identifier) @name body: (statement_block) @body) @function
  (method_definition name: (_) @name body: (statement_block) @body) @method

  (program (lexical_declaration (variable_declarator name: (identifier) @name
    value: ${FUNCTION_VALUE})) @function)
  (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name
    value: ${FUNCTION_VALUE})) @function)
  (program (lexical_declaration (variable_declarator name: (identifier) @name)) @variable)
  (program (variable_declaration (variable_declarator name: (identifier) @name)) @variable)
  (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @variable)
  (export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name)) @variable)
  (export_statement declaration: (_) @wrapped) @outer

  (export_statement "default" @name value: ${FUNCTION_VALUE}) @function
  (export_statement "default" @name value: (class body: (class_body) @inner)) @class
  (program (expression_statement (assignment_expression left: (member_expression) @name
    right: ${FUNCTION_VALUE}) @function))
  (program (expression_statement (assignment_expression left: (member_expression) @name
    right: (class body: (class_body) @inner)) @class))

  (pair key: (_) @name value: ${FUNCTION_VALUE}) @method

  (arrow_function body: (_) @body)
  (function_expression body: (statement_block) @body)
  (generator_function body: (statement_block) @body)
  (class_static_block body: (statement_block) @body)

  (call_expression function: (parenthesized_expression ${MODULE}))
  (call_expression function: (member_expression object: (parenthesized_expression ${MODULE})))
  (call_expression function: (function_expression body: (statement_block) @open))
  (call_expression
    function: [(parenthesized_expression (function_expression)) (function_expression)]
    arguments: (arguments [${MODULE} (parenthesized_expression ${MODULE})]))
  ((call_expression function: (identifier) @called arguments: (arguments ${MODULE})) (#eq? @called "define"))

  [(array) (object) (template_string)] @data
`;

export const JAVASCRIPT: LanguageQuery = `
  ${SHARED}
  (class_declaration name: (identifier) @name body: (class_body) @inner) @class
  (field_definition property: (_) @name value: ${FUNCTION_VALUE}) @method
`;

export const TYPESCRIPT: LanguageQuery = `
  ${SHARED}
  (class_declaration name: (type_identifier) @name body: (class_body) @inner) @class
  (abstract_class_declaration name: (type_identifier) @name body: (class_body) @inner) @class
  (public_field_definition name: (_) @name value: ${FUNCTION_VALUE}) @method

  (function_signature name: (identifier) @name) @function
  (method_signature name: (_) @name) @method
  (abstract_method_signature name: (_) @name) @method

  (interface_declaration name: (type_identifier) @name body: (interface_body) @inner) @interface
  (type_alias_declaration name: (type_identifier) @name) @type
  (enum_declaration name: (identifier) @name body: (enum_body) @inner) @enum
  (internal_module name: (_) @name body: (statement_block) @inner) @module
  (module name: (_) @name body: (statement_block) @inner) @module
  (ambient_declaration [
    (lexical_declaration (variable_declarator name: (identifier) @name) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @variable)
  ])
  (ambient_declaration (_) @wrapped) @outer
`;
