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
