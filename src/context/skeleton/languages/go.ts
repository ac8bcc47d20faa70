import type { LanguageQuery } from './rules.ts';

const RECEIVER_TYPE = '[(type_identifier) @scope (generic_type type: (type_identifier) @scope)]';

export const GO: LanguageQuery = `
  (comment) @comment
  (function_declaration name: (identifier) @name body: (block)? @body) @function
  (method_declaration
    receiver: (parameter_list (parameter_declaration type: [
      ${RECEIVER_TYPE}
      (pointer_type ${RECEIVER_TYPE})
    ]))
    name: (field_identifier) @name
    body: (block)? @body) @method

  (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @inner)) @struct
  (type_spec name: (type_identifier) @name type: (interface_type)) @interface
  (type_spec name: (type_identifier) @name) @type
  (type_alias name: (type_identifier) @name) @type
  (method_elem name: (field_identifier) @name) @method

  (source_file (const_declaration (const_spec name: (identifier) @name) @constant))
  (source_file (var_declaration (var_spec name: (identifier) @name) @variable))
  (source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))

  (func_literal body: (block) @body)
  [(literal_value) (raw_string_literal)] @data
`;
