import { collapse, truncate } from '../../base/text/text.ts';
import { type Hidden, union, within } from './bodies.ts';
import { ELISION } from './elide.ts';
import { indexAfter, type SourceRows } from './source-rows.ts';
import type { Definition, Findings, Span } from './spans.ts';
import type { SourceSymbol, SymbolKind } from './structure.ts';

const SIGNATURE_LENGTH = 200;
/** Symbols deeper than this are left out: nobody writes them, and each has the names of all above it in its path. */
const MAX_DEPTH = 32;
const HAS_METHODS = new Set<SymbolKind>(['class', 'impl', 'interface', 'struct', 'trait', 'union']);

/** Makes the list of symbols of a file from what was found: nested, named, without what is local to a body. */
export function listSymbols(
  source: SourceRows,
  found: Findings,
  hide: (part: Span) => Hidden | undefined,
): SourceSymbol[] {
  const isLocal = within(found.bodies);
  const comments = [...found.comments].sort((a, b) => a.start - b.start);
  const tops = topsOfComments(source, comments);
  const contents = found.bodies.map(hide).flatMap((hidden) => (hidden ? [hidden.content] : []));
  const headOf = signatures(source, comments, contents);
  const enclosing: { symbol: SourceSymbol; span: Span }[] = [];
  const symbols: SourceSymbol[] = [];
  for (const definition of withoutTwins(found, isLocal)) {
    const { body, inner } = definition;
    const span = outermost(definition.node, found.around);
    while (enclosing.length > 0 && !encloses(enclosing.at(-1)?.span as Span, span)) enclosing.pop();
    if (enclosing.length === MAX_DEPTH) continue;
    const parent = enclosing.at(-1)?.symbol;
    const name = nameOf(source.text, definition);
    const part = body ?? inner;
    const hidden = part && hide(part);
    const inside = hidden?.rows;
    const symbol: SourceSymbol = {
      name,
      path: [parent?.path, symbolPath(name)].filter(Boolean).join('.'),
      kind:
        definition.kind === 'function' && parent && HAS_METHODS.has(parent.kind) ? 'method' : definition.kind,
      depth: enclosing.length,
      firstLine: span.firstRow + 1,
      lastLine: span.lastRow + 1,
      commentLine: (tops.get(span.firstRow - 1) ?? span.firstRow) + 1,
      signature: headOf(definition),
      ...(inside && { inside: [inside[0] + 1, inside[1] + 1] as const }),
      ...(hidden && !inside && { fold: hidden.content }),
      range: [span.start, span.end],
    };
    symbols.push(symbol);
    enclosing.push({ symbol, span });
  }
  return symbols;
}

/** How a symbol is written in a mask: `::` of C++ and Rust is a dot, too. */
export const symbolPath = (name: string): string =>
  name.replaceAll(/\s*::\s*/g, '.').replaceAll(/^["']|["']$/g, '');

/** In C, what gives back or is a pointer to a function: `(*name(int a))`. */
const POINTER_TO = /^\((?:\w+::)*[*&^](?:const\b|[*&^\s])*([\w:~]+).*$/;
/** In C++, `operator bool() const`. */
const CAST = /^((?:.*::)?operator \w[^(]*)\(.*$/;

/** With the type that it belongs to where it stands outside of it. */
function nameOf(text: string, { name, scope }: Definition): string {
  const short = ({ start, end }: Span): string =>
    collapse(text.slice(start, Math.min(end, start + SIGNATURE_LENGTH)))
      .replace(POINTER_TO, '$1')
      .replace(CAST, '$1');
  return scope ? `${short(scope)}.${short(name)}` : short(name);
}

/** In the order of the source; a node that two patterns found counts once, and so do members that have two owners. */
function withoutTwins(found: Findings, isLocal: (position: number) => boolean): Definition[] {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;
  return found.definitions
    .filter(({ node }) => !isLocal(node.start))
    .sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end || a.patternIndex - b.patternIndex)
    .filter(({ node, name }) => isNew(`${node.id} ${name.start}`))
    .filter(({ inner, kind }) => !inner || isNew(`inner ${inner.id} ${kind}`));
}

function outermost(node: Span, around: ReadonlyMap<number, Span>): Span {
  let span = node;
  for (let next = around.get(span.id); next; next = around.get(span.id)) span = next;
  return span;
}

const encloses = (outer: Span, inner: Span): boolean =>
  inner.start >= outer.start && inner.end <= outer.end && inner.end - inner.start < outer.end - outer.start;

/** For each row of comments with no code beside them: the row where they begin, and those directly above. */
function topsOfComments(source: SourceRows, comments: readonly Span[]): Map<number, number> {
  const tops = new Map<number, number>();
  for (const { start, end, firstRow, lastRow } of comments) {
    if (!source.isFirst(firstRow, start) || !source.isLast(lastRow, end)) continue;
    const top = tops.get(firstRow - 1) ?? firstRow;
    for (let row = firstRow; row <= lastRow; row++) tops.set(row, top);
  }
  return tops;
}

/**
 * Tells the head of a definition on one line, without comments and bodies. Words before it (`export`, `const`) belong to it;
 * decorators and annotations on lines of their own do not.
 */
function signatures(
  source: SourceRows,
  comments: readonly Span[],
  bodies: readonly (readonly [number, number])[],
): (definition: Definition) => string {
  const { text } = source;
  const left = [
    ...comments.map(({ start, end }) => ({ start, end, mark: ' ' })),
    ...union(bodies).map(([start, end]) => ({ start, end, mark: ELISION })),
  ].sort((a, b) => a.start - b.start);
  const starts = left.map(({ start }) => start);
  return ({ node, name, body, inner }) => {
    const row = source.start(node.firstRow);
    const isAfterWords =
      node.start - row < SIGNATURE_LENGTH && /^\s*(?:\w+\s+)+$/.test(text.slice(row, node.start));
    const decorated =
      text[node.start] === '@' ? Math.max(node.start, source.start(name.firstRow)) : node.start;
    const start = isAfterWords ? row : decorated;
    const end = Math.min((body ?? inner)?.start ?? node.end, start + 4 * SIGNATURE_LENGTH);
    let head = '';
    let at = start;
    for (let index = indexAfter(starts, start); (starts[index] ?? end) < end; index++) {
      const piece = left[index] as (typeof left)[number];
      if (piece.start < at) continue; // a comment in a body
      head += text.slice(at, piece.start) + piece.mark;
      at = piece.end;
    }
    head = collapse(head + text.slice(at, Math.max(at, end))).replace(/\s*(?:[{:;,]|=>|=)$/, '');
    return truncate(head, SIGNATURE_LENGTH, '…');
  };
}
