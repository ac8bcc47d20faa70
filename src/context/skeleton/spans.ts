import type { Node, QueryMatch } from 'web-tree-sitter';
import type { SymbolKind } from './structure.ts';

/** A node of the tree as far as we need it; rows are counted from 0. Outlives the tree. */
export interface Span {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** A definition as a query found it. */
export interface Definition {
  readonly kind: SymbolKind;
  readonly node: Span;
  readonly name: Span;
  readonly scope: Span | undefined;
  readonly body: Span | undefined;
  readonly inner: Span | undefined;
  readonly patternIndex: number;
}

/** What a query found, by what it is; see `languages/rules.ts`. */
export interface Findings {
  readonly definitions: Definition[];
  readonly bodies: Span[];
  readonly data: Span[];
  readonly comments: Span[];
  readonly errors: Span[];
  /** Texts that are kept, by the id of the body they begin. */
  readonly docs: Map<number, Span>;
  /** What belongs to a definition and is around it, by the id of the inner node. */
  readonly around: Map<number, Span>;
}

const ROLES = new Set([
  ...['name', 'scope', 'body', 'inner', 'open', 'data', 'doc', 'documented'],
  ...['outer', 'wrapped', 'comment', 'error', 'called'],
]);

/** Sorts what was found. Bodies that are not closed are no bodies: what they swallowed is looked at. */
export function sortFindings(matches: readonly QueryMatch[]): Findings {
  const found: Findings = {
    ...{ definitions: [], bodies: [], data: [], comments: [], errors: [] },
    docs: new Map(),
    around: new Map(),
  };
  const open = new Set<number>();
  for (const match of matches) {
    const spans: Partial<Record<string, Span>> = {};
    let kind: string | undefined;
    for (const { name, node } of match.captures) {
      if (name === 'body' && isUnclosed(node)) continue;
      spans[name] = spanOf(node);
      if (!ROLES.has(name)) kind = name;
    }
    const { name, scope, body, inner, outer, wrapped, doc, documented } = spans;
    const node = kind === undefined ? undefined : spans[kind];
    if (node && name) {
      const { patternIndex } = match;
      found.definitions.push({ kind: kind as SymbolKind, node, name, scope, body, inner, patternIndex });
    }
    if (body) found.bodies.push(body);
    if (spans.open) open.add(spans.open.id);
    if (spans.data) found.data.push(spans.data);
    if (spans.comment) found.comments.push(spans.comment);
    if (spans.error) found.errors.push(spans.error);
    if (outer && wrapped) found.around.set(wrapped.id, outer);
    if (doc && documented) found.docs.set(documented.id, doc);
  }
  return { ...found, bodies: found.bodies.filter(({ id }) => !open.has(id)) };
}

function spanOf(node: Node): Span {
  const { row, column } = node.endPosition;
  const firstRow = node.startPosition.row;
  // Some nodes end with their line break: that is not yet a part of the next row.
  const lastRow = column === 0 && row > firstRow ? row - 1 : row;
  return { id: node.id, start: node.startIndex, end: node.endIndex, firstRow, lastRow };
}

const isUnclosed = (body: Node): boolean => body.hasError && body.lastChild?.isMissing === true;
