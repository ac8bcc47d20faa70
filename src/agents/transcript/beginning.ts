import { isObject, type JsonObject, parseJson } from '../../base/text/json.ts';

/** Lines among which a record is looked for: the first may be torn, or one of a later version. */
const MAX_LINES = 20;

/** What stands before a transcript and says nothing: a byte order mark, blanks, and NULs that a lost power supply left. */
const NOTHING = /^[\ufeff\s\0]+/;

/**
 * Whether a file that begins so may be a transcript that an agent writes line by line. It is told by the keys of records and not by
 * their kinds, of which each version has new ones. One that is empty, or whose first line is not whole, may become one.
 *
 * @param isRecord whether an object has what records of that agent have in common
 * @param first keys that records begin with: all that can be told of a line which is longer than the beginning
 */
export function beginsWithRecord(
  head: string,
  isRecord: (record: JsonObject) => boolean,
  first: readonly string[],
): boolean {
  const text = head.replace(NOTHING, '');
  if (text === '') return true;
  const lines = text.split('\n');
  const isFound = lines.slice(0, MAX_LINES).some((line) => {
    const value = parseJson(line);
    return isObject(value) && isRecord(value);
  });
  return isFound || (lines.length === 1 && !isWhole(text) && beginsWithKey(text, first));
}

/** Whether a text begins as an object does with one of these keys: a document, whose end is elsewhere. */
export function beginsWithKey(head: string, keys: readonly string[]): boolean {
  const text = head.replace(NOTHING, '');
  if (text === '') return true;
  if (!text.startsWith('{')) return false;
  const rest = text.slice(1).trimStart();
  return keys.some(
    (key) => rest.startsWith(`"${key}"`) || (rest.length < key.length && `"${key}"`.startsWith(rest)),
  );
}

const isWhole = (line: string): boolean => parseJson(line) !== undefined;

/** Whether a record has a kind, as texts have it, and one of these keys. */
export const isKindWith = (record: JsonObject, keys: readonly string[]): boolean =>
  typeof record.type === 'string' && keys.some((key) => key in record);
