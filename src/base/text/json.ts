/** How a JSON value begins: of lines that do not, a transcript may have millions, and a parser's error costs as much as a long line. */
const BEGINNING = /^[ \t\r\n]*(?:[[{"\d-]|true|false|null)/;

/** The value of a JSON text; `undefined`, which no JSON text stands for, when it is none. */
export function parseJson(text: string): unknown {
  if (!BEGINNING.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // nested too deep for the parser counts as well
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with keys: no list, and not `null`. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What nobody vouches for, read as what it should be: the text, or the empty one for anything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The object, or one without keys for anything else. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
/** The list, or the empty one for anything else. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** The objects of a list; none for anything else. */
export const asObjects = (value: unknown): readonly JsonObject[] => asList(value).filter(isObject);

/** A JSON value in a sentence: a text as it is, else as JSON, and none that is nested without end. */
export const describeJson = (value: unknown): string =>
  typeof value === 'string' ? value : isShallow(value) ? JSON.stringify(value) : '(nested too deep)';

/** Deeper than anything that we or later versions store; recursion over it ends in time. */
const MAX_DEPTH = 16;

/** Whether a value is nested no deeper than people or programs nest what is read as a whole. */
export function isShallow(value: unknown, depth = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1));
}

/** Whether objects and lists in a text of JSON, which may have comments, are nested deeper than that. Ends in time for any text. */
export function nestsDeeper(text: string, depth: number): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '/') at = endOfComment(text, at);
    else if (sign === '[' || sign === '{') level++;
    else if (sign === ']' || sign === '}') level--;
    if (level > depth) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"' || text[at] === '\n') return at;
  }
  return text.length;
}

/** The last character of a comment, or of what is none. */
function endOfComment(text: string, start: number): number {
  const [end, length] = { '/': ['\n', 1], '*': ['*/', 2] }[text[start + 1] ?? ''] ?? [undefined, 0];
  if (end === undefined) return start;
  const at = text.indexOf(end as string, start + 2);
  return at < 0 ? text.length : at + (length as number) - 1;
}

/** Whether `text` is one whole JSON value. */
export const isJson = (text: string): boolean => parseJson(text) !== undefined;

/**
 * JSON as the existing ecosystem writes it: two-space indent, a final newline, and `<`, `>`, `&`, U+2028, U+2029
 * escaped inside strings. Keys come out in the order of the object; `undefined` values are left out.
 */
export function renderPrettyJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return `${text.replace(/[<>&\u2028\u2029]/g, escapeUnicode)}\n`;
}

function escapeUnicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `undefined` for the values that the formats leave out: empty text, zero, empty list. */
export function omitEmpty<T extends string | number | readonly unknown[] | undefined>(
  value: T,
): T | undefined {
  if (value === undefined || value === '' || value === 0) return undefined;
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
