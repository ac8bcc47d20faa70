/** The value of a JSON text; `undefined`, which no JSON text stands for, when it is none. */
export function parseJson(text: string): unknown {
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

/** Whether `text` is one whole JSON value. */
export const isJson = (text: string): boolean => parseJson(text) !== undefined;
