import type { LanguageQuery } from './rules.ts';

export const PYTHON: LanguageQuery = `
  (comment) @comment
  (class_definition name: (identifier) @name body: (block) @inner) @class
  (function_definition name: (identifier) @name body: (block) @body) @function
  (module (expression_statement (assignment left: (identifier) @name)) @variable)
  (lambda body: (_) @body)
  (decorated_definition definition: (_) @wrapped) @outer

  (module . (comment)* . (expression_statement . (string) @doc .)) @documented
  (block . (expression_statement . (string) @doc .)) @documented

  [(list) (dictionary) (set) (tuple) (string)] @data
`;
