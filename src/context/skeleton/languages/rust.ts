import type { LanguageQuery } from './rules.ts';

/** Attributes stand beside what they are about, as comments do, and are treated as such. */
export const RUST: LanguageQuery = `
  [(line_comment) (block_comment) (attribute_item)] @comment
  (function_item name: (identifier) @name body: (block) @body) @function
  (function_signature_item name: (identifier) @name) @function

  (struct_item name: (type_identifier) @name body: (field_declaration_list)? @inner) @struct
  (union_item name: (type_identifier) @name body: (field_declaration_list) @inner) @union
  (enum_item name: (type_identifier) @name body: (enum_variant_list) @inner) @enum
  (trait_item name: (type_identifier) @name body: (declaration_list) @inner) @trait
  (impl_item type: [
    (type_identifier) @name
    (generic_type type: (_) @name)
    (scoped_type_identifier name: (_) @name)
    (reference_type) @name
    (primitive_type) @name
    (array_type) @name
    (tuple_type) @name
    (unit_type) @name
    (dynamic_type) @name
    (pointer_type) @name
    (function_type) @name
  ] body: (declaration_list) @inner) @impl
  (mod_item name: (identifier) @name body: (declaration_list)? @inner) @module

  (type_item name: (type_identifier) @name) @type
  (const_item name: (identifier) @name) @constant
  (static_item name: (identifier) @name) @variable
  (macro_definition name: (identifier) @name) @macro

  (macro_rule right: (token_tree) @body)
  (closure_expression body: (_) @body)
  [(array_expression) (string_literal) (raw_string_literal)] @data
`;
