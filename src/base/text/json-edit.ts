/**
 * Small changes to the text of a JSON file (comments allowed) that leave every other byte alone.
 *
 * Positions come from a parsed tree, whose shape is that of jsonc-parser; each function returns the new text,
 * for which the tree has to be parsed again.
 */
export interface JsonNode {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly value?: unknown;
  /** Elements of an array; of an object its properties, whose children are the key and the value. */
  readonly children?: readonly JsonNode[] | undefined;
}

/** The value of `key`. Of several it takes the last, as JSON.parse does. */
export function propertyOf(object: JsonNode | undefined, key: string): JsonNode | undefined {
  if (object?.type !== 'object') return undefined;
  return object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** Where `key` stands among the properties of `object`; -1 when it does not. */
export function indexOfProperty(object: JsonNode, key: string): number {
  return (object.children ?? []).findLastIndex((property) => property.children?.[0]?.value === key);
}

/** Puts `value` in the place of `node`. */
export function replaceValue(text: string, node: JsonNode, value: unknown): string {
  const rendered = render(value, isMultiLine(text) ? styleOf(text, indentAt(text, node.offset)) : undefined);
  return text.slice(0, node.offset) + rendered + text.slice(endOf(node));
}

/** Adds a value at the end of an array, or with `key` a property at the end of an object. */
export function appendTo(text: string, container: JsonNode, value: unknown, key?: string): string {
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  let at = close;
  while (/\s/.test(text[at - 1] as string)) at--;
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  if (last === undefined) {
    const outer = indentAt(text, container.offset);
    if (!isMultiLine(text)) return text.slice(0, at) + name + render(value) + text.slice(close);
    const style = styleOf(text, outer + unitOf(text));
    const opened = `${text.slice(0, at)}${style.eol}${style.indent}${name}${render(value, style)}`;
    return `${opened}${style.eol}${outer}${text.slice(close)}`;
  }
  const comma = text[skipTrivia(text, endOf(last))] === ',' ? '' : ',';
  const before = text.slice(0, endOf(last)) + comma + text.slice(endOf(last), at);
  if (startsLine(text, last.offset)) {
    const style = styleOf(text, indentAt(text, last.offset));
    return `${before}${style.eol}${style.indent}${name}${render(value, style)}${text.slice(at)}`;
  }
  // On one line; after a comment a line of its own, which ends the comment.
  const glue = /[^\s,]/.test(text.slice(endOf(last), at)) ? eolOf(text) : ' ';
  return `${before}${glue}${name}${render(value)}${text.slice(at)}`;
}

/** Takes the element or property at `index` out of `container`, with one comma. Comments stay. */
export function removeFrom(text: string, container: JsonNode, index: number): string {
  const children = container.children ?? [];
  const child = children[index];
  if (child === undefined) return text;
  let start = child.offset;
  while (/\s/.test(text[start - 1] as string)) start--;
  if (!/[[{,]/.test(text[start - 1] as string)) start = child.offset; // a comment stands before: keep its line end
  const cuts: [number, number][] = [[start, endOf(child)]];
  const after = skipTrivia(text, endOf(child));
  const previous = children[index - 1];
  if (text[after] === ',') {
    let end = after + 1;
    if (index === 0 && !startsLine(text, child.offset)) while (text[end] === ' ') end++;
    cuts.push([after, end]);
  } else if (previous !== undefined) {
    const comma = skipTrivia(text, endOf(previous));
    cuts.unshift([comma, comma + 1]);
  }
  const close = endOf(container);
  const inner = cut(text.slice(0, close), cuts);
  const body = inner.slice(container.offset + 1, -1);
  const kept = body.trim() === '' ? '' : body;
  return text.slice(0, container.offset + 1) + kept + text.slice(close - 1);
}

/** The number of the line that `offset` lies in, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const endOf = (node: JsonNode): number => node.offset + node.length;

function cut(text: string, ranges: readonly (readonly [number, number])[]): string {
  return ranges.reduceRight((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
}

/** The next offset that is neither white space nor comment. */
function skipTrivia(text: string, from: number): number {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  trivia.exec(text);
  return trivia.lastIndex;
}

interface Style {
  readonly indent: string;
  readonly unit: string;
  readonly eol: string;
}

function render(value: unknown, style?: Style): string {
  if (style === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.eol + style.indent);
}

const styleOf = (text: string, indent: string): Style => ({ indent, unit: unitOf(text), eol: eolOf(text) });
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '  ';

/** An empty document counts as multi-line: what is put into it should be readable. */
const isMultiLine = (text: string): boolean => /\n/.test(text.trim()) || /^\{\s*\}$/.test(text.trim());

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return start > 0 && text.slice(start, offset).trim() === '';
}
