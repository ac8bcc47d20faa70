/** The value of a JSON text; `undefined`, which no JSON text stands for, when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // nested too deep for the parser counts as well
  }
}

/** Whether `text` is one whole JSON value. */
export const isJson = (text: string): boolean => parseJson(text) !== undefined;
