import type { LanguageQuery } from './rules.ts';

export const JAVA: LanguageQuery = `
  [(line_comment) (block_comment)] @comment
  (class_declaration name: (identifier) @name body: (class_body) @inner) @class
  (record_declaration name: (identifier) @name body: (class_body) @inner) @class
  (interface_declaration name: (identifier) @name body: (interface_body) @inner) @interface
  (annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @inner) @interface
  (enum_declaration name: (identifier) @name body: (enum_body) @inner) @enum

  (method_declaration name: (identifier) @name body: (block)? @body) @method
  (constructor_declaration name: (identifier) @name body: (constructor_body) @body) @method
  (compact_constructor_declaration name: (identifier) @name body: (block) @body) @method
  (annotation_type_element_declaration name: (identifier) @name) @method

  (object_creation_expression type: [
    (type_identifier) @name
    (scoped_type_identifier) @name
    (generic_type [(type_identifier) (scoped_type_identifier)] @name)
  ] (class_body) @inner) @class
  (enum_constant name: (identifier) @name body: (class_body) @inner) @class

  (static_initializer (block) @body)
  (class_body (block) @body)
  (lambda_expression body: (_) @body)
  [(array_initializer) (string_literal)] @data
`;
